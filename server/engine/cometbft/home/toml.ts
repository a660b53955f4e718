/**
 * Changes settings in a config.toml that CometBFT wrote, line by line, and leaves every other line as it is.
 *
 * A setting that is missing, or that appears twice, is an error: otherwise a setting could be ignored without anyone noticing it.
 *
 * @module
 */

export type TomlValue = string | number | boolean;

/** By section, '' for the settings before the first one. */
export type TomlSettings = Readonly<Record<string, Readonly<Record<string, TomlValue>>>>;

// A JSON string of printable ASCII is a TOML basic string too.
const written = (value: TomlValue): string => (typeof value === 'string' ? JSON.stringify(value) : String(value));

/** @throws RangeError that names each setting which is not there exactly once. */
export function setToml(text: string, settings: TomlSettings): string {
  const missing = new Set(
    Object.entries(settings).flatMap(([section, values]) => Object.keys(values).map((key) => `${section}.${key}`)),
  );
  const twice: string[] = [];
  let section = '';
  const lines = text.split('\n').map((line) => {
    const header = /^\s*\[([^\]]+)\]/.exec(line);
    if (header) section = header[1] ?? '';
    const key = /^\s*([A-Za-z0-9_-]+)\s*=/.exec(line)?.[1];
    const value = key === undefined ? undefined : settings[section]?.[key];
    if (key === undefined || value === undefined) return line;
    if (!missing.delete(`${section}.${key}`)) twice.push(`${section}.${key}`);
    return `${key} = ${written(value)}`;
  });
  if (missing.size > 0) throw new RangeError(`config.toml has no ${[...missing].join(', ')}`);
  if (twice.length > 0) throw new RangeError(`config.toml has ${twice.join(', ')} twice`);
  return lines.join('\n');
}
