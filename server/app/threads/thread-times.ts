/**
 * The active time of each thread of the process, which the main thread reads from V8: the threads themselves measure nothing, so it is free
 * between two scrapes.
 *
 * @module
 */
import type { Worker } from 'node:worker_threads';

interface Watched {
  worker: Worker;
  /** Active time of earlier threads with this name. */
  beforeMs: number;
  /** Active time of the current thread, at the last read: a thread that has ended reports 0. */
  lastMs: number;
}

const MS_PER_S = 1000;
const watched = new Map<string, Watched>();

/** Watches a thread; `name` is the one in its log lines. The time of a thread that is started again is added to the earlier time. */
export function watchThread(name: string, worker: Worker): void {
  const earlier = watched.get(name);
  watched.set(name, { worker, beforeMs: (earlier?.beforeMs ?? 0) + (earlier?.lastMs ?? 0), lastMs: 0 });
}

/** Active seconds by thread since each began: the time in which its event loop was not waiting. */
export function threadActiveSeconds(): Record<string, number> {
  const seconds: Record<string, number> = { main: performance.eventLoopUtilization().active / MS_PER_S };
  for (const [name, thread] of watched) {
    thread.lastMs = Math.max(thread.lastMs, thread.worker.performance.eventLoopUtilization().active);
    seconds[name] = (thread.beforeMs + thread.lastMs) / MS_PER_S;
  }
  return seconds;
}
