/** What a check is, and what it says when it does not hold. */
import { isDeepStrictEqual } from 'node:util';
import type { Session } from './session.ts';

export interface Check {
  /** `group.name`, for --only and for reports. */
  readonly id: string;
  /** The promise, as a sentence. */
  readonly promise: string;
  /** Where the promise is written. */
  readonly where: string;
  /** How many accounts with money it takes. */
  readonly accounts?: number;
  /** Takes long by waiting: it is begun first and looked at last. */
  readonly background?: boolean;
  run(session: Session): Promise<void>;
}

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
  if (!isDeepStrictEqual(actual, expected)) throw new Broken(`${what}: expected ${show(expected)}, got ${show(actual)}`);
}

const SHOWN_MAX = 300;

export function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= SHOWN_MAX ? text : `${text.slice(0, SHOWN_MAX)}...`;
}
