/** How a check says that something does not hold. */
import { isDeepStrictEqual } from 'node:util';

/** The server does not keep the promise. */
export class Broken extends Error {
  override readonly name = 'Broken';
}

/** The check cannot be made here: an option is missing, or the server has the feature switched off. */
export class Skipped extends Error {
  override readonly name = 'Skipped';
}

export function expect(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Broken(message);
}

export function expectEqual(actual: unknown, expected: unknown, what: string): void {
  if (!isDeepStrictEqual(actual, expected))
    throw new Broken(`${what}: expected ${show(expected)}, got ${show(actual)}`);
}

const SHOWN_MAX = 300;

export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= SHOWN_MAX ? text : `${text.slice(0, SHOWN_MAX)}...`;
}
