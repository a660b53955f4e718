/**
 * Counts fsync and fdatasync of a process while it runs, with `perf stat` (kernel tracepoints: nothing is stopped or slowed down). Where perf
 * or the right to use it is missing the count is undefined: it is never guessed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { commandResult } from '../../support/child-process.ts';

const EVENTS = 'syscalls:sys_enter_fsync,syscalls:sys_enter_fdatasync';

/** @returns why there is no count, or undefined when there is one. */
export function syncsMissing(): string | undefined {
  const { status, error } = spawnSync('perf', ['stat', '-x,', '-e', EVENTS, 'true'], { stdio: 'ignore' });
  return status === 0
    ? undefined
    : `fsyncs are not counted: perf ${error === undefined ? `ended with ${status}` : 'is not installed'}`;
}

/** The sum of the counts that `perf stat -x,` printed; undefined when one is missing. */
export function parseCounts(text: string): number | undefined {
  const counts = text
    .split('\n')
    .filter((line) => line.includes('sys_enter_'))
    .map((line) => Number(line.split(',')[0]));
  return counts.length === EVENTS.split(',').length && counts.every(Number.isInteger)
    ? counts.reduce((a, b) => a + b, 0)
    : undefined;
}

export function countSyncs(pid: number): { stop(): Promise<number | undefined> } {
  const child = spawn('perf', ['stat', '-x,', '-e', EVENTS, '-p', String(pid)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const result = commandResult(child);
  return {
    stop: async () => {
      child.kill('SIGINT');
      return parseCounts((await result).stderr);
    },
  };
}
