import { getPriority, setPriority } from 'node:os';

/**
 * With this niceness a thread gets a third of the time of another thread that competes for the same core: it becomes slow, but does not
 * stop.
 */
const GIVEN_WAY = 5;
const NICE_MAX = 19;

/**
 * Lowers the priority of this thread, so that the others run first if there are too few cores. Only Linux has priorities of threads:
 * elsewhere it would be the priority of the process.
 * @returns the reason of a failure, as in a sandbox that refuses the system call; the thread then keeps its priority.
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
