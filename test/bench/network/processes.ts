/** Processes and those that they have started. */
import { readdirSync, readFileSync } from 'node:fs';

/** A server of PostgreSQL starts a process for each connection, and helpers of its own. */
export function withChildren(pid: number): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number);
  return [pid, ...all.filter((each) => parentOf(each) === pid)];
}

function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}
