/** Moments as people write them on a command line and in files. @module */
import { InvalidArgumentError } from 'commander';
import { VALID_UNTIL_S_MAX } from '../../client/src/limits.ts';

/** A day, or a moment in UTC or with its offset: how `Date.parse` reads other texts depends on the machine. */
const MOMENT = /^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,3})?)?(Z|[+-][0-9]{2}:[0-9]{2}))?$/;
const UNIX_SECONDS = /^[1-9][0-9]{0,11}$/;

/** @returns milliseconds since 1970; NaN for what is no moment. */
export const parseMoment = (text: string): number => (MOMENT.test(text) ? Date.parse(text) : Number.NaN);

/**
 * The end of a validity: a moment with its time of day, or whole Unix seconds as the contract writes it. A day alone is refused: it could mean its
 * beginning or its end. @throws InvalidArgumentError
 */
export function parseEnd(text: string): Date {
  const ms = UNIX_SECONDS.test(text) ? Number(text) * 1000 : text.includes('T') ? parseMoment(text) : Number.NaN;
  if (!(ms >= 1000 && ms < (VALID_UNTIL_S_MAX + 1) * 1000))
    throw new InvalidArgumentError('expected a moment such as 2026-11-22T17:30:00Z, or Unix time in whole seconds.');
  return new Date(ms);
}
