/** Parses durations of a command line. @module */
import { InvalidArgumentError } from 'commander';

const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
/** Ten years: a longer time is better expressed by no expiry. */
const DURATION_MS_MAX = 3650 * UNIT_MS.d;

/** Parses `90s`, `15m`, `12h` or `30d`. @returns milliseconds. @throws InvalidArgumentError */
export function parseDuration(text: string): number {
  const [, count, unit] = /^([1-9][0-9]{0,8})([smhd])$/.exec(text) ?? [];
  const ms = count === undefined ? 0 : Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
  if (ms === 0 || ms > DURATION_MS_MAX)
    throw new InvalidArgumentError('expected a duration such as 90s, 15m, 12h or 30d, ten years at most.');
  return ms;
}
