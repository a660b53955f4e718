/** `Prefer: wait=N` (RFC 7240) in whole seconds, rounded up; no header when the answer shall come at once. */
import { SERVER_WAIT_S_MAX } from '../limits.ts';

export function preferWait(waitMs: number): { Prefer?: string } {
  return waitMs > 0 ? { Prefer: `wait=${Math.min(SERVER_WAIT_S_MAX, Math.ceil(waitMs / 1000))}` } : {};
}
