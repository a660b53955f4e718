/**
 * Changes settings in a config.toml that CometBFT wrote, line by line, and leaves every other line as it is.
 *
 * A setting that is not there, or is there twice, is an error: a setting that is silently ignored is one that everybody
 * believes in.
 *
 * @module
 */

export type TomlValue = string | number | boolean;

/** By section, '' for the settings before the first one. */
export type TomlSettings = Readonly<Record<string, Readonly<Record<string, TomlValue>>>>;

// A JSON string of printable ASCII is a TOML basic string too.
const written = (value: TomlValue): string => (typeof value === 'string' ? JSON.stringify(value) : String(value));

interface Changed {
  readonly text: string;
  /** `section.key` of each setting that the file does not have. */
  readonly missing: readonly string[];
  readonly twice: readonly string[];
}

function change(text: string, settings: TomlSettings): Changed {
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
  return { text: lines.join('\n'), missing: [...missing], twice };
}

/** @throws RangeError that names each setting which is not there exactly once. */
export function setToml(text: string, settings: TomlSettings): string {
  const { text: changed, missing, twice } = change(text, settings);
  if (missing.length > 0) throw new RangeError(`config.toml has no ${missing.join(', ')}`);
  if (twice.length > 0) throw new RangeError(`config.toml has ${twice.join(', ')} twice`);
  return changed;
}

/** Changes the settings that are there, each as often as it is there: for settings whose default is what is wanted. */
export const resetToml = (text: string, defaults: TomlSettings): string => change(text, defaults).text;
