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
/** So long that a node has all its threads by then, also on a busy machine. */
const STARTING_MS = 4_000;
const TEST_MS_MAX = 30_000;

function part(source: string): Child & { pid: number } {
  const child = launch({
    program: process.execPath,
    args: ['--eval', source],
    env: {},
    cwd: folder,
    log: path.join(folder, 'log'),
  });
  children.push(child);
  return child as Child & { pid: number };
}

/** Of every thread, in steps after the supervisor. */
const placesOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).map((thread) => getPriority(Number(thread)) - getPriority());
/** Of its session, where the kernel has such places: elsewhere there is no such file, or nothing in it. */
function groupOf(pid: number): number | undefined {
  const file = `/proc/${pid}/autogroup`;
  const nice = existsSync(file) ? /nice (-?\d+)/.exec(readFileSync(file, 'utf8'))?.[1] : undefined;
  return nice === undefined ? undefined : Number(nice);
}

test(
  `a part ${MAY ? 'comes first while it starts, and then none of its threads does' : 'stays where it is, for want of rights'}`,
  async () => {
    const child = part('setInterval(() => {}, 1000)');
    const over = startFirst(child, STARTING_MS);
    expect(getPriority(child.pid) - getPriority()).toBe(MAY ? -STARTING_STEPS : 0);
    if (!MAY) return;
    expect(groupOf(child.pid) ?? -STARTING_STEPS).toBe(-STARTING_STEPS);
    await over;
    const places = placesOf(child.pid);
    expect(places.length).toBeGreaterThan(1);
    expect(new Set(places)).toEqual(new Set([0]));
    expect(groupOf(child.pid) ?? 0).toBe(0);
  },
  TEST_MS_MAX,
);

test('nobody waits for a part that has ended, or that never was', async () => {
  const child = part('process.exit(0)');
  await startFirst(child, 60_000);
  await startFirst({ pid: undefined, exited: Promise.resolve({ code: 127, signal: null }) }, 60_000);
});
