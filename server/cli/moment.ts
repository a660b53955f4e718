/** Parses moments on a command line and in files. @module */
import { InvalidArgumentError } from 'commander';
import { VALID_UNTIL_S_MAX } from '../../client/src/limits.ts';

/** A day, or a moment in UTC or with an offset: the result of `Date.parse` for other texts depends on the machine. */
const MOMENT =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})(T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,3})?)?(Z|[+-][0-9]{2}:[0-9]{2}))?$/;
/** `Date.parse` reads it as the beginning of the next day. */
const END_OF_DAY = 'T24';
const UNIX_SECONDS = /^[1-9][0-9]{0,11}$/;

/** True if the calendar has the day: `Date.parse` reads 30 February as 2 March. */
function isDay(day: string): boolean {
  const ms = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}

/** @returns milliseconds since 1970; NaN for an invalid moment, such as one on a day that does not exist. */
export function parseMoment(text: string): number {
  const day = MOMENT.exec(text)?.[1];
  return day !== undefined && isDay(day) && !text.includes(END_OF_DAY) ? Date.parse(text) : Number.NaN;
}

/**
 * Parses the end of a validity: a moment with its time of day, or whole Unix seconds as in the contract. A day alone is refused: it could
 * mean its beginning or its end. @throws InvalidArgumentError
 */
export function parseEnd(text: string): Date {
  const ms = UNIX_SECONDS.test(text) ? Number(text) * 1000 : text.includes('T') ? parseMoment(text) : Number.NaN;
  if (!(ms >= 1000 && ms < (VALID_UNTIL_S_MAX + 1) * 1000))
    throw new InvalidArgumentError('expected a moment such as 2026-11-22T17:30:00Z, or Unix time in whole seconds.');
  return new Date(ms);
}
