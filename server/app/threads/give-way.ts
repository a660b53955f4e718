import { getPriority, setPriority } from 'node:os';

/** A thread with this gets a third of what one without it gets where both want the same core: it falls behind, and does not stand still. */
const GIVEN_WAY = 5;
const NICE_MAX = 19;

/**
 * Lets the other threads of the process go first where there are too few cores. Only Linux has priorities of threads: elsewhere it would be that of the process.
 * @returns why it cannot, as in a sandbox that refuses the system call; the thread then does its work with the priority that it has.
 */
export function giveWay(): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    setPriority(Math.min(NICE_MAX, getPriority() + GIVEN_WAY));
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
