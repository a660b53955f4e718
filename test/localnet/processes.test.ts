import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from '@jest/globals';
import { endLeftover, identityOf, isRunning } from '../../scripts/localnet/processes.ts';

const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

const STUBBORN = `process.on('SIGTERM', () => {}); console.log('ready'); setInterval(() => {}, 1000);`;
const POLITE = `console.log('ready'); setInterval(() => {}, 1000);`;

/** As the supervisor starts a part: in a group of its own. */
async function started(source: string): Promise<{ pid: number; startedAt: string; exited: Promise<unknown> }> {
  const child = spawn(process.execPath, ['--eval', source], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const exited = once(child, 'exit');
  await once(child.stdout, 'data');
  const pid = child.pid as number;
  return { pid, startedAt: identityOf(pid) as string, exited };
}

describe('a process', () => {
  test('is known by its number and its start, and is gone when it has ended', async () => {
    const { pid, startedAt, exited } = await started(POLITE);
    expect(isRunning({ pid, startedAt })).toBe(true);
    expect(identityOf(pid)).toBe(startedAt);
    expect(identityOf(process.pid)).not.toBe(startedAt);
    process.kill(pid, 'SIGKILL');
    await exited;
    expect(isRunning({ pid, startedAt })).toBe(false);
  });

  test('that an earlier run left is ended, by a kill when it does not listen', async () => {
    for (const [source, signal] of [
      [POLITE, 'SIGTERM'],
      [STUBBORN, 'SIGKILL'],
    ] as const) {
      const { pid, startedAt, exited } = await started(source);
      const [ended, [, by]] = await Promise.all([
        endLeftover({ pid, startedAt }, { signal: 'SIGTERM', graceMs: 300 }),
        exited as Promise<[unknown, string]>,
      ]);
      expect([ended, by]).toEqual([true, signal]);
    }
  });

  test('that only has the number of one that was left is not touched', async () => {
    const { pid, startedAt } = await started(POLITE);
    const earlier = startedAt.replace(/\d+$/, (ticks) => String(Number(ticks) - 1));
    expect(await endLeftover({ pid, startedAt: earlier }, { signal: 'SIGKILL', graceMs: 100 })).toBe(false);
    expect(isRunning({ pid, startedAt })).toBe(true);
  });
});
