/** The pause before the next attempt. */
import { BACKOFF_MS_BASE, BACKOFF_MS_MAX, RETRY_AFTER_MS_MAX } from '../limits.ts';

/**
 * Milliseconds until the next attempt, Infinity when the service requests a longer pause than this client waits. Full jitter: clients that
 * failed at the same time try again at different times.
 */
export function pauseMs(error: unknown, attemptsMade: number, random: number): number {
  const { retryAfterMs } = error as { retryAfterMs?: number };
  if (retryAfterMs === undefined) return random * Math.min(BACKOFF_MS_MAX, BACKOFF_MS_BASE * 2 ** (attemptsMade - 1));
  return retryAfterMs > RETRY_AFTER_MS_MAX ? Infinity : retryAfterMs + random * BACKOFF_MS_BASE;
}
