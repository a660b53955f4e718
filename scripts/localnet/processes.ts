/**
 * Processes by number and start time: a number is reused, the two together are not.
 *
 * @module
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** In /proc/PID/stat, counted from the state, which follows the command's name in parentheses. */
const STATE = 0;
const START_TIME = 19;
const POLL_MS = 20;

/** @returns the start of the process, as a text that no other process of this machine ever has; undefined when the process is gone. */
export function identityOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name may hold spaces and parentheses itself.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[STATE] === 'Z' || fields[STATE] === 'X') return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[START_TIME]}`;
  } catch {
    return undefined;
  }
}

export interface KnownProcess {
  pid: number;
  startedAt: string;
}

export const isRunning = ({ pid, startedAt }: KnownProcess): boolean => identityOf(pid) === startedAt;

async function gone(process: KnownProcess, msMax: number): Promise<boolean> {
  const deadline = performance.now() + msMax;
  // It is not a child of this process, so no event reports its end.
  while (isRunning(process)) {
    if (performance.now() > deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}

/** Sends a signal to the process and to all in its group; a process that is gone is not an error. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, signal);
      return;
    } catch {
      // No such group: the process alone.
    }
  }
}

/** Ends a process that an earlier run left behind. @returns true if the process existed. */
export async function endLeftover(
  known: KnownProcess,
  stop: { signal: NodeJS.Signals; graceMs: number },
): Promise<boolean> {
  if (!isRunning(known)) return false;
  signalGroup(known.pid, stop.signal);
  if (await gone(known, stop.graceMs)) return true;
  signalGroup(known.pid, 'SIGKILL');
  await gone(known, stop.graceMs);
  return true;
}
