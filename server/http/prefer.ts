/**
 * `Prefer: wait=N` (RFC 7240 section 4.3): the time for which the client wants the answer held.
 *
 * A preference is optional: one that is unknown or malformed is ignored and not an error, and the first of two `wait` counts (RFC 7240
 * section 2). `Preference-Applied` names the wait that was used, so a client that sent 300 sees 30.
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
