/**
 * Who comes first when there is less processor than work: a part that starts again, before the parts that serve.
 *
 * To start is two seconds of work for a gateway, and its clients wait; under full load the scheduler gives it less
 * than half of a processor. Only root may put a process first, so that for others everything stays as it is.
 *
 * @module
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import type { Child } from './launch.ts';
import { waitOr } from './unit.ts';

/** In steps of nice(1), each about a quarter more of the processor. */
export const STARTING_STEPS = 5;
/** Longer than a start takes; then it serves as the others do. */
export const STARTING_MS = 10_000;

/**
 * Puts a part first while it starts. Call it as soon as it is launched: its later threads are put where its first one is.
 * Not for what starts processes of its own: they would stay where they are put.
 * Resolves when it is one among others again, or has ended.
 */
export async function startFirst({ pid, exited }: Pick<Child, 'pid' | 'exited'>, ms = STARTING_MS): Promise<void> {
  if (pid === undefined || !place(pid, -STARTING_STEPS)) return;
  if ((await waitOr(ms, exited)) === 'time') place(pid, 0);
}

/** @param steps after the supervisor; negative: before it. @returns whether any of it was allowed. */
function place(pid: number, steps: number): boolean {
  const threads = threadsOf(pid).map((thread) => allowed(() => setPriority(thread, getPriority() + steps)));
  // Where the kernel groups processes by session, what counts is the place of the group (sched(7), "The autogroup feature").
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

/** Of what fails for want of rights, because the kernel has no such thing, or because the thread has ended. */
function allowed(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
