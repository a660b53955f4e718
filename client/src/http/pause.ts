/** How long to wait before the next attempt. */
import { BACKOFF_MS_BASE, BACKOFF_MS_MAX, RETRY_AFTER_MS_MAX } from '../limits.ts';

/**
 * Milliseconds until the next attempt, Infinity when the service asks for more patience than this client has. Full jitter: many clients
 * that failed together come back apart.
 */
export function pauseMs(error: unknown, attemptsMade: number, random: number): number {
  const { retryAfterMs } = error as { retryAfterMs?: number };
  if (retryAfterMs === undefined) return random * Math.min(BACKOFF_MS_MAX, BACKOFF_MS_BASE * 2 ** (attemptsMade - 1));
  return retryAfterMs > RETRY_AFTER_MS_MAX ? Infinity : retryAfterMs + random * BACKOFF_MS_BASE;
}
