/**
 * `Prefer: wait=N` (RFC 7240 section 4.3): the time for which the client allows the answer to be delayed.
 *
 * A preference is optional: an unknown or malformed one is ignored, and the first of two `wait` counts (RFC 7240 section 2).
 * `Preference-Applied` has the used wait, so a client that sent 300 gets 30.
 */
import { WAIT_S_MAX } from './limits.ts';

/** Returns whole seconds, 0 to WAIT_S_MAX, or undefined when the header has no wait. */
export function preferredWaitS(prefer: string | undefined): number | undefined {
  if (prefer === undefined) return undefined;
  for (const item of prefer.split(',')) {
    const match = /^[ \t]*wait[ \t]*=[ \t]*(?:"([0-9]+)"|([0-9]+))[ \t]*(?:;.*)?$/i.exec(item);
    if (match !== null) return Math.min(Number(match[1] ?? match[2]), WAIT_S_MAX);
  }
  return undefined;
}

export function preferenceApplied(waitS: number): string {
  return `wait=${waitS}`;
}
