/**
 * For how long each thread of the process has been at work, asked of V8 by the main thread: nothing is measured in the threads themselves, so it
 * costs nothing between two looks.
 *
 * @module
 */
import type { Worker } from 'node:worker_threads';

interface Watched {
  worker: Worker;
  /** Of the threads of this name before. */
  beforeMs: number;
  /** Of this one, at the last look: a thread that has ended says 0. */
  lastMs: number;
}

const MS_PER_S = 1000;
const watched = new Map<string, Watched>();

/** `name` as the thread's log lines have it. A thread that is started again counts on. */
export function watchThread(name: string, worker: Worker): void {
  const earlier = watched.get(name);
  watched.set(name, { worker, beforeMs: (earlier?.beforeMs ?? 0) + (earlier?.lastMs ?? 0), lastMs: 0 });
}

/** Seconds by thread since each began; its event loop was not waiting for anything. */
export function threadActiveSeconds(): Record<string, number> {
  const seconds: Record<string, number> = { main: performance.eventLoopUtilization().active / MS_PER_S };
  for (const [name, thread] of watched) {
    thread.lastMs = Math.max(thread.lastMs, thread.worker.performance.eventLoopUtilization().active);
    seconds[name] = (thread.beforeMs + thread.lastMs) / MS_PER_S;
  }
  return seconds;
}
