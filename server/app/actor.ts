/** The actor of a change, as the audit trail names it. @module */
import { hostname, userInfo } from 'node:os';

/** The person, or the program, whose process this is: `user:NAME@HOST`. */
export function personOfProcess(): string {
  return `user:${userName()}@${hostname()}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a user number that has no name.
    return `uid-${process.getuid?.() ?? 'unknown'}`;
  }
}
