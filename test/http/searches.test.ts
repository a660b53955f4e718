/** Searches take turns: two of a client at a time, few of all, and client by client. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { RpcOutcome } from '../../server/engine/port.ts';
import {
  Searches,
  SEARCHES_MAX,
  SEARCHES_PER_CALLER_MAX,
  SEARCHES_WAITING_MAX,
  SEARCHES_WAITING_PER_CALLER_MAX,
} from '../../server/http/limits/searches.ts';

let timers: Set<() => void>;
const clock = {
  nowMs: () => 0,
  nowNs: () => 0n,
  monotonicMs: () => 0,
  setTimer: (fn: () => void) => {
    timers.add(fn);
    return { cancel: () => void timers.delete(fn) };
  },
};
const FOUND: RpcOutcome = { ok: true, json: '{}' };
const turns = () => new Promise((resolve) => setImmediate(resolve));

/** Searches by name of their client; `begun` in the order in which they began. */
let queue: Searches;
let begun: string[];
let ends: { client: string; end: () => void }[];
const search = (client: string): Promise<RpcOutcome> =>
  queue.run(client, async () => {
    begun.push(client);
    await new Promise<void>((end) => ends.push({ client, end }));
    return FOUND;
  });
const endOne = async (client: string): Promise<void> => {
  const at = ends.findIndex((each) => each.client === client);
  ends.splice(at, 1)[0]?.end();
  await turns();
};

beforeEach(() => {
  timers = new Set();
  queue = new Searches(clock);
  begun = [];
  ends = [];
});

describe('a client', () => {
  test('has two under way, the next ones wait, and one too many is refused', async () => {
    const asked = Array.from({ length: SEARCHES_PER_CALLER_MAX + SEARCHES_WAITING_PER_CALLER_MAX }, () => search('a'));
    expect(await search('a')).toMatchObject({
      ok: false,
      status: 503,
      error: { code: -32603, data: 'too many searches at once: ask again in a moment' },
    });
    expect(begun.length).toBe(SEARCHES_PER_CALLER_MAX);
    while (ends.length > 0) await endOne('a');
    expect(await Promise.all(asked)).toEqual(asked.map(() => FOUND));
    expect(timers.size).toBe(0);
  });

  test('is served in its turn, however many another one asks for', async () => {
    for (let count = 0; count < SEARCHES_PER_CALLER_MAX + SEARCHES_WAITING_PER_CALLER_MAX; count += 1)
      void search('greedy');
    void search('b');
    await turns();
    expect(begun).toEqual(['greedy', 'greedy', 'b']);
    // With every place taken, whoever comes next is before the rest of the greedy one's.
    void search('b');
    void search('c');
    void search('c');
    await turns();
    expect(begun.length).toBe(SEARCHES_MAX);
    begun = [];
    await endOne('greedy');
    await endOne('b');
    await endOne('greedy');
    await endOne('b');
    expect(begun.toSorted()).toEqual(['c', 'c', 'greedy', 'greedy']);
    expect(begun.indexOf('c')).toBeLessThan(2);
  });

  test('waits for one search of each other that waits, not for all of them', async () => {
    for (const client of ['x', 'x', 'y', 'y', 'a', 'a', 'b', 'b', 'c', 'c']) void search(client);
    await turns();
    begun = [];
    for (const client of ['x', 'y', 'x', 'y']) await endOne(client);
    expect(begun).toEqual(['a', 'b', 'c', 'a']);
  });

  test('that has waited for too long is refused, and its place in the line is free again', async () => {
    for (let count = 0; count < SEARCHES_PER_CALLER_MAX; count += 1) void search('a');
    const waiting = search('a');
    await turns();
    for (const fire of [...timers]) fire();
    expect(await waiting).toMatchObject({ ok: false, status: 503 });
    const next = search('a');
    await endOne('a');
    expect(begun.length).toBe(SEARCHES_PER_CALLER_MAX + 1);
    while (ends.length > 0) await endOne('a');
    expect(await next).toEqual(FOUND);
  });

  test('whose search fails gives its place back', async () => {
    for (let count = 0; count < 3 * SEARCHES_MAX; count += 1) {
      await expect(
        queue.run('a', async () => {
          throw new Error('lost');
        }),
      ).rejects.toThrow('lost');
    }
    void search('a');
    await turns();
    expect(begun).toEqual(['a']);
  });
});

test('all clients together have few under way, and a bounded line', async () => {
  const clients = SEARCHES_MAX + SEARCHES_WAITING_MAX;
  const asked = Array.from({ length: clients }, (_, at) => search(String(at)));
  expect(await search('late')).toMatchObject({ ok: false, status: 503 });
  expect(begun.length).toBe(SEARCHES_MAX);
  while (ends.length > 0) await endOne(ends[0]?.client ?? '');
  expect(begun).toEqual(asked.map((_, at) => String(at)));
});
