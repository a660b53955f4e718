/**
 * Reads values out of an environment and collects every fault instead of stopping at the first, so that an operator corrects all of them in
 * one go.
 *
 * An empty value counts as unset: that is what `VARIABLE=` in a compose file or a systemd unit means to its author.
 *
 * @module
 */

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ConfigFault {
  name: string;
  /** As given, or `(hidden)` when it may hold a password; undefined when nothing was given. */
  value: string | undefined;
  /** The expected value, as the end of the sentence "expected ...". */
  expected: string;
}

/** @returns the accepted value, or undefined when the text is not one. */
export type Parse<T> = (text: string) => T | undefined;

export interface ConfigReader {
  readonly faults: ConfigFault[];
  /** The text of a variable, undefined when unset or empty. */
  text(name: string): string | undefined;
  /** The parsed value; `fallback` when unset, and also after a fault, which makes the fallback harmless. */
  value<T>(name: string, parse: Parse<T>, expected: string, fallback: T): T;
  integer(name: string, range: { min: number; max: number; unit?: string }, fallback: number): number;
  oneOf<T extends string>(name: string, choices: readonly T[], fallback: T): T;
  /** Comma-separated; each item must parse. */
  list<T>(name: string, parse: Parse<T>, expected: string, fallback: readonly T[]): readonly T[];
  fault(name: string, expected: string): void;
}

/** Longest value that an error message repeats; a longer one is a paste accident, and may be a secret. */
const ECHO_CHARACTERS_MAX = 200;

/** @param isSecret names whose value is never repeated. */
export function createConfigReader(env: Environment, isSecret: (name: string) => boolean): ConfigReader {
  const faults: ConfigFault[] = [];

  const text = (name: string): string | undefined => env[name]?.trim() || undefined;

  const shown = (name: string): string | undefined => {
    const value = text(name);
    if (value === undefined) return undefined;
    return isSecret(name) || value.length > ECHO_CHARACTERS_MAX ? '(hidden)' : value;
  };

  const fault = (name: string, expected: string): void => {
    faults.push({ name, value: shown(name), expected });
  };

  const value = <T>(name: string, parse: Parse<T>, expected: string, fallback: T): T => {
    const given = text(name);
    if (given === undefined) return fallback;
    const parsed = parse(given);
    if (parsed !== undefined) return parsed;
    fault(name, expected);
    return fallback;
  };

  return {
    faults,
    text,
    fault,
    value,
    integer: (name, { min, max, unit }, fallback) =>
      value(
        name,
        (given) => {
          // Digits only: Number() would also take '0x10', '1e3', ' 5' and '5.0', of which an operator means none.
          const parsed = /^(0|[1-9][0-9]{0,15})$/.test(given) ? Number(given) : undefined;
          return parsed !== undefined && parsed >= min && parsed <= max ? parsed : undefined;
        },
        `a whole number from ${min} to ${max}${unit ? ` (${unit})` : ''}`,
        fallback,
      ),
    oneOf: (name, choices, fallback) =>
      value(name, (given) => choices.find((choice) => choice === given), choices.join(' or '), fallback),
    list: <T>(name: string, parse: Parse<T>, expected: string, fallback: readonly T[]) =>
      value<readonly T[]>(
        name,
        (given) => {
          const items = given.split(',').map((item) => parse(item.trim()));
          return items.every((item) => item !== undefined) ? items : undefined;
        },
        `a comma-separated list of ${expected}`,
        fallback,
      ),
  };
}

/** One line a fault, for the terminal. */
export function describeFaults(faults: readonly ConfigFault[]): string {
  const given = (value: string | undefined): string =>
    value === undefined ? 'is not set' : `is ${JSON.stringify(value)}`;
  const lines = faults.map(({ name, value, expected }) => `  ${name} ${given(value)}, expected ${expected}`);
  return [`The configuration has ${faults.length === 1 ? 'one error' : `${faults.length} errors`}:`, ...lines].join(
    '\n',
  );
}
