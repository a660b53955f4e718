import { getPriority, setPriority } from 'node:os';

/** A thread with this gets a third of what one without it gets where both want the same core: it falls behind, and does not stand still. */
const GIVEN_WAY = 5;
const NICE_MAX = 19;

/** Lets the other threads of the process go first where there are too few cores. Only Linux has priorities of threads: elsewhere it would be that of the process. */
export function giveWay(): void {
  if (process.platform === 'linux') setPriority(Math.min(NICE_MAX, getPriority() + GIVEN_WAY));
}
