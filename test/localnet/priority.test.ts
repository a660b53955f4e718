import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, expect, test } from '@jest/globals';
import { launch, type Child } from '../../scripts/localnet/launch.ts';
import { STARTING_STEPS, startFirst } from '../../scripts/localnet/priority.ts';
import { mayPutFirst } from './support.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'txledger-priority-'));
const children: Child[] = [];
afterEach(async () => {
  for (const child of children) child.signal('SIGKILL');
  await Promise.all(children.splice(0).map(({ exited }) => exited));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MAY = mayPutFirst();

function part(source: string): Child & { pid: number } {
  const child = launch({ program: process.execPath, args: ['--eval', source], env: {}, cwd: folder, log: path.join(folder, 'log') });
  children.push(child);
  return child as Child & { pid: number };
}

/** Of every thread, in steps after the supervisor. */
const placesOf = (pid: number): number[] => readdirSync(`/proc/${pid}/task`).map((thread) => getPriority(Number(thread)) - getPriority());
/** Of its session, where the kernel has such places: elsewhere there is no such file, or nothing in it. */
function groupOf(pid: number): number | undefined {
  const file = `/proc/${pid}/autogroup`;
  const nice = existsSync(file) ? /nice (-?\d+)/.exec(readFileSync(file, 'utf8'))?.[1] : undefined;
  return nice === undefined ? undefined : Number(nice);
}

test(`a part ${MAY ? 'comes first while it starts, with all its threads, and no longer' : 'stays where it is, for want of rights'}`, async () => {
  const child = part('setInterval(() => {}, 1000)');
  const over = startFirst(child, 500);
  expect(placesOf(child.pid)).toEqual([MAY ? -STARTING_STEPS : 0]);
  if (MAY) expect(groupOf(child.pid) ?? -STARTING_STEPS).toBe(-STARTING_STEPS);
  await over;
  const places = placesOf(child.pid);
  expect(places.every((place) => place === 0)).toBe(true);
  if (MAY) expect(places.length).toBeGreaterThan(1);
  if (MAY) expect(groupOf(child.pid) ?? 0).toBe(0);
});

test('nobody waits for a part that has ended, or that never was', async () => {
  const child = part('process.exit(0)');
  await startFirst(child, 60_000);
  await startFirst({ pid: undefined, exited: Promise.resolve({ code: 127, signal: null }) }, 60_000);
});
