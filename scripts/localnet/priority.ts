/**
 * Raises the priority of a part that restarts above the parts that serve, for a machine under full load.
 *
 * A start takes a gateway two seconds of processor time while its clients wait; under full load the scheduler gives it less than half
 * of a processor. Only root may raise a priority; for other users nothing changes.
 *
 * @module
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import type { Child } from './launch.ts';
import { waitOr } from './unit.ts';

/** In steps of nice(1), each about a quarter more processor time. */
export const STARTING_STEPS = 5;
/** Longer than a start takes; after it the part has normal priority. */
export const STARTING_MS = 10_000;

/**
 * Raises the priority of a part while it starts. Call it as soon as the part is launched: its later threads inherit the priority of its
 * first one. Do not use it for a part that starts other processes: they would keep the priority.
 * Resolves when the part has normal priority again, or has ended.
 */
export async function startFirst({ pid, exited }: Pick<Child, 'pid' | 'exited'>, ms = STARTING_MS): Promise<void> {
  if (pid === undefined || !place(pid, -STARTING_STEPS)) return;
  if ((await waitOr(ms, exited)) === 'time') place(pid, 0);
}

/** @param steps of niceness relative to the supervisor; negative is a higher priority. @returns true if any change was allowed. */
function place(pid: number, steps: number): boolean {
  const threads = threadsOf(pid).map((thread) => allowed(() => setPriority(thread, getPriority() + steps)));
  // Where the kernel groups processes by session, the niceness of the group decides (sched(7), "The autogroup feature").
  const group = allowed(() => writeFileSync(`/proc/${pid}/autogroup`, String(steps), { flag: 'r+' }));
  return group || threads.includes(true);
}

function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return []; // it has ended
  }
}

/** False when the work fails: without the rights, on a kernel without the feature, or after the thread has ended. */
function allowed(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
