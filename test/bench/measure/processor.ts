/** Processor time of a process by thread, and of the machine, from Linux's /proc. */
import { readdirSync, readFileSync } from 'node:fs';

const NS_PER_US = 1000;
const US_PER_TICK = 10_000;

/** Threads that the runtime makes, by the name it gives them; all others carry a name of ours. */
const RUNTIME_THREADS: Record<string, string> = {
  MainThread: 'main',
  node: 'main',
  V8Worker: 'v8',
  DelayedTaskSche: 'v8',
  SignalInspector: 'v8',
  'libuv-worker': 'libuv',
};

/** Threads of ours whose names Linux cuts, after 15 characters. */
const LONG_NAMES = ['gateway', 'verifier'];

/** The group of a thread: `main`, `v8` (compiler and garbage collector), `libuv`, or what a thread of ours is called, without its number. */
export function groupOf(threadName: string): string {
  const ours = threadName.replace(/^txledger-/, '').replace(/-?\d+$/, '');
  return RUNTIME_THREADS[threadName] ?? LONG_NAMES.find((name) => ours.length > 4 && name.startsWith(ours)) ?? ours;
}

/** Thread id -> its group and processor time. */
export type ThreadTimes = Map<string, { group: string; us: number }>;

export function threadTimes(pid: number): ThreadTimes {
  const times: ThreadTimes = new Map();
  for (const id of readdirSync(`/proc/${pid}/task`)) {
    try {
      const name = readFileSync(`/proc/${pid}/task/${id}/comm`, 'utf8').trim();
      const ns = Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]);
      times.set(id, { group: groupOf(name), us: ns / NS_PER_US });
    } catch {
      // A thread that ended meanwhile.
    }
  }
  return times;
}

/** Microseconds by group between two looks; a thread that is new had none before. */
export function usedBetween(before: ThreadTimes, after: ThreadTimes): Record<string, number> {
  const used: Record<string, number> = {};
  for (const [id, { group, us }] of after) used[group] = (used[group] ?? 0) + us - (before.get(id)?.us ?? 0);
  return used;
}

export function sum(values: Record<string, number>): number {
  return Object.values(values).reduce((total, value) => total + value, 0);
}

/** What all processes of the machine took since it started. What the host gave to other machines counts too: it was not ours. */
export function machineUs(): number {
  const [user = 0, nice = 0, system = 0, , , , , steal = 0] = readFileSync('/proc/stat', 'utf8')
    .split('\n')[0]!
    .trim()
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user + nice + system + steal) * US_PER_TICK;
}
