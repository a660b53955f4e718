/** Time of the next attempt for an event that was not accepted, and the end of all attempts. */
import type { RandomSource } from '../../../engine/ports.ts';
import { ATTEMPTS_MIN, GIVE_UP_MS, RETRY_AFTER_MS_MAX, RETRY_DELAYS_MS, RETRY_JITTER } from './limits.ts';
import type { Failing } from './ports.ts';

const UINT32_RANGE = 2 ** 32;
/** Upper bound of a wait: a wall clock that was set back makes a stored time appear far ahead. */
export const RETRY_DELAY_MS_MAX = Math.max(...RETRY_DELAYS_MS) * (1 + RETRY_JITTER);

/** The wait after so many failed attempts. */
export function retryDelayMs(attempts: number, retryAfterMs: number | undefined, random: RandomSource): number {
  const base = RETRY_DELAYS_MS[Math.min(attempts, RETRY_DELAYS_MS.length) - 1] ?? RETRY_DELAYS_MS[0];
  const chance = Buffer.from(random.bytes(4)).readUInt32BE() / UINT32_RANGE;
  const delayMs = Math.round(base * (1 - RETRY_JITTER + 2 * RETRY_JITTER * chance));
  return Math.max(delayMs, Math.min(retryAfterMs ?? 0, RETRY_AFTER_MS_MAX));
}

/** The state after one more failure; undefined when the endpoint is given up. The last attempt is at the end of the time, not before it. */
export function afterFailure(
  before: Failing | undefined,
  nowMs: number,
  retryAfterMs: number | undefined,
  random: RandomSource,
): Failing | undefined {
  const attempts = (before?.attempts ?? 0) + 1;
  // A clock that was set back must not lengthen the time.
  const sinceMs = Math.min(before?.sinceMs ?? nowMs, nowMs);
  const endMs = sinceMs + GIVE_UP_MS;
  const enough = attempts >= ATTEMPTS_MIN;
  if (enough && nowMs >= endMs) return undefined;
  const retryAtMs = nowMs + retryDelayMs(attempts, retryAfterMs, random);
  return {
    sinceMs,
    attempts,
    retryAtMs: enough || nowMs < endMs ? Math.min(retryAtMs, Math.max(endMs, nowMs)) : retryAtMs,
  };
}
