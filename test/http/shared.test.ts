/** What HTTP threads share: bounds and quotas hold for all threads together, whatever they do at the same moment. */
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { ROOT } from '../../scripts/steps.ts';
import { CLASSES, PAGE } from '../../server/http/limits/classes.ts';
import { takePlace } from '../../server/http/limits/places.ts';
import { RateLimits } from '../../server/http/rate-limit.ts';
import { SharedTable, tableMemory } from '../../server/http/shared/table.ts';
import { PLACE, SharedUses, sharedMemory, type SharedMemory } from '../../server/http/shared/uses.ts';
import { failingEndlessWaits } from './support/endless-wait.ts';
import { realClock } from './support/server.ts';

const THREADS = 4;
const memoryOfTwo = sharedMemory({ threads: 2, connectionsMax: 100 });

/** Runs the same work in several threads, which begin it together; `work` sees `uses`, `RateLimits`, `PLACE` and `thread`, and returns a number. */
async function inThreads(memory: SharedMemory, work: string): Promise<number[]> {
  const gate = new SharedArrayBuffer(4);
  const source = `
    import { parentPort, workerData } from 'node:worker_threads';
    import { PLACE, SharedUses } from 'file://${ROOT}/server/http/shared/uses.ts';
    import { CLASSES } from 'file://${ROOT}/server/http/limits/classes.ts';
    import { RateLimits } from 'file://${ROOT}/server/http/rate-limit.ts';
    const { memory, gate, thread } = workerData;
    const uses = new SharedUses(memory);
    const arrived = new Int32Array(gate);
    Atomics.add(arrived, 0, 1);
    while (Atomics.load(arrived, 0) < ${THREADS}) ;
    parentPort.postMessage((() => { ${work} })());
  `;
  const module = new URL(`data:text/javascript,${encodeURIComponent(source)}`);
  return await Promise.all(
    Array.from({ length: THREADS }, async (_, thread) => {
      const worker = new Worker(module, { workerData: { memory, gate, thread } });
      const [answer] = (await Promise.race([
        once(worker, 'message'),
        once(worker, 'error').then(([error]) => Promise.reject(error as Error)),
      ])) as [number];
      await worker.terminate();
      return answer;
    }),
  );
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

describe('several threads', () => {
  const memory = () => sharedMemory({ threads: THREADS, connectionsMax: 1_000 });

  test('take no more places of one address than it has, and no fewer', async () => {
    const shared = memory();
    const taken = await inThreads(
      shared,
      `let taken = 0; for (let at = 0; at < 20000; at += 1) if (uses.take(PLACE.connection, '192.0.2.1', 501, 100000) === 'taken') taken += 1; return taken;`,
    );
    expect(sum(taken)).toBe(501);
    expect(new SharedUses(shared).take(PLACE.connection, '192.0.2.1', 501, 100_000)).toBe('address');
  });

  test('take no more event streams of one token and of one address, and give every one back', async () => {
    const shared = memory();
    const taken = await inThreads(
      shared,
      `let taken = 0; for (let at = 0; at < 5000; at += 1) if (uses.takeTokenStream('token', 301)) taken += 1; return taken;`,
    );
    expect(sum(taken)).toBe(301);
    const bounds = { all: 5, perAddress: 3, perToken: 2 };
    const [one, other] = [1, 2].map(() => {
      const uses = new SharedUses(memoryOfTwo);
      return { take: (address: string, token: string) => takePlace(uses, 'eventStream', bounds, address, token) };
    });
    const [first, second] = [one?.take('192.0.2.1', 'a'), other?.take('192.0.2.1', 'a')];
    expect([first?.ok, second?.ok]).toEqual([true, true]);
    expect(one?.take('192.0.2.1', 'a')).toEqual({ ok: false, full: 'token' });
    expect(other?.take('192.0.2.1', 'b').ok).toBe(true);
    expect(one?.take('192.0.2.1', 'b')).toEqual({ ok: false, full: 'address' });
    if (first?.ok === true) first.release();
    expect(other?.take('192.0.2.1', 'a').ok).toBe(true);
    for (const address of ['192.0.2.2', '192.0.2.3']) expect(one?.take(address, address).ok).toBe(true);
    expect(other?.take('192.0.2.4', 'c')).toEqual({ ok: false, full: 'all' });
  });

  test('take no more places in all', async () => {
    const shared = memory();
    const taken = await inThreads(
      shared,
      `let taken = 0; for (let at = 0; at < 2000; at += 1) if (uses.take(PLACE.connection, 'a' + thread + '-' + at, 9, 701) === 'taken') taken += 1; return taken;`,
    );
    // A place that is being given back after a refusal is missing for that moment.
    expect(sum(taken)).toBeLessThanOrEqual(701);
    expect(sum(taken)).toBeGreaterThan(701 - THREADS);
  });

  test('leave nothing behind when they give back what they took', async () => {
    const shared = memory();
    const work = `
      for (let at = 0; at < 30000; at += 1) {
        const address = 'address-' + (at * 7 + thread) % 50;
        if (uses.take(PLACE.websocket, address, 20, 1000) === 'taken') uses.giveBack(PLACE.websocket, address);
        const of = CLASSES[at % CLASSES.length];
        if (uses.tryHold(address, 1000, of)) uses.hold(address, -1000, of);
        uses.hold(address, 7, of);
        uses.hold(address, -7, of);
      }
      return CLASSES.every((of) => uses.unsentBytes(of) >= 0) ? 1 : 0;
    `;
    await inThreads(shared, work);
    const uses = new SharedUses(shared);
    for (const of of CLASSES) expect(uses.unsentBytes(of)).toBe(0);
    expect(new SharedTable(shared.addresses).size).toBe(0);
    for (let at = 0; at < 50; at += 1) expect(uses.take(PLACE.websocket, `address-${at}`, 1, 1_000)).toBe('taken');
  });

  test('spend one quota together, to the last unit', async () => {
    const work = `
      const limits = new RateLimits({ perClient: { requests: 5000, windowS: 100 }, perToken: { requests: 777, windowS: 100 } }, { monotonicMs: () => 1000 }, uses);
      let passed = 0;
      for (let at = 0; at < 3000; at += 1) if (limits.takeToken('token', 1).ok) passed += 1;
      for (let at = 0; at < 3000; at += 1) if (limits.takeAddress('192.0.2.1', 1).ok) passed += 10000;
      return passed;
    `;
    const passed = await inThreads(memory(), work);
    expect(sum(passed)).toBe(777 + 5_000 * 10_000);
  });
});

describe('one thread', () => {
  test('is not held up for good by one that was terminated while it changed a number', () => {
    const memory = tableMemory(1, 1);
    const table = new SharedTable(memory);
    new Int32Array(memory.buffer, 0, 2 * memory.buckets).fill(1);
    const add = (): number | undefined =>
      table.update('one', false, (values, at) => (values[at] = (values[at] ?? 0) + 1));
    failingEndlessWaits(() => expect([add(), add()]).toEqual([1, 2]));
  });

  test('is bound like a plain model, whatever it takes, holds and gives back', () => {
    const address = fc.constantFrom('a', 'b', 'c');
    const step = fc.oneof(
      fc.record({ kind: fc.constantFrom('take' as const, 'giveBack' as const), address }),
      fc.record({
        kind: fc.constantFrom('hold' as const, 'release' as const),
        address,
        bytes: fc.constantFrom(1, 1_000_000, PAGE.unsentBytesPerCallerMax, PAGE.unsentBytesMax),
      }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const uses = new SharedUses(sharedMemory({ threads: 1, connectionsMax: 10 }));
        const held: Record<string, number[]> = { a: [], b: [], c: [] };
        const taken: Record<string, number> = { a: 0, b: 0, c: 0 };
        for (const one of steps) {
          const bytesOf = sum(held[one.address] ?? []);
          const all = sum(Object.values(held).flat());
          if (one.kind === 'take') {
            const places = sum(Object.values(taken));
            const expected = places >= 5 ? 'all' : (taken[one.address] ?? 0) >= 3 ? 'address' : 'taken';
            expect(uses.take(PLACE.connection, one.address, 3, 5)).toBe(expected);
            if (expected === 'taken') taken[one.address] = (taken[one.address] ?? 0) + 1;
          } else if (one.kind === 'giveBack') {
            if ((taken[one.address] ?? 0) === 0) continue;
            uses.giveBack(PLACE.connection, one.address);
            taken[one.address] = (taken[one.address] ?? 0) - 1;
          } else if ('bytes' in one && one.kind === 'hold') {
            const fits =
              all + one.bytes <= PAGE.unsentBytesMax &&
              (bytesOf === 0 || bytesOf + one.bytes <= PAGE.unsentBytesPerCallerMax);
            expect(uses.tryHold(one.address, one.bytes, PAGE)).toBe(fits);
            if (fits) held[one.address]?.push(one.bytes);
          } else {
            const bytes = held[one.address]?.pop();
            if (bytes !== undefined) uses.hold(one.address, -bytes, PAGE);
          }
          expect(uses.unsentBytes(PAGE)).toBe(sum(Object.values(held).flat()));
        }
      }),
    );
  });

  test('a flood of callers pushes out the debts that are paid off first, and never the one that is paid off last', () => {
    const shared = sharedMemory({ threads: 1, connectionsMax: 10 });
    const limits = new RateLimits(
      { perClient: { requests: 2, windowS: 2 }, perToken: { requests: 2, windowS: 2 } },
      { ...realClock, monotonicMs: () => 1_000 },
      new SharedUses(shared),
    );
    limits.takeAddress('192.0.2.1', 2).charge(3);
    for (let at = 0; at < 400_000; at += 1) limits.takeAddress(`flood-${at}`, 1);
    expect(limits.takeAddress('192.0.2.1', 1)).toMatchObject({ ok: false, retryAfterS: 4 });
  });

  test('a table that is full takes no further key, and takes one again when another has given its place up', () => {
    const table = new SharedTable(tableMemory(4, 1));
    const names = Array.from({ length: 17 }, (_, at) => `key-${at}`);
    const set = (name: string, value: number) =>
      table.update(name, false, (values, at) => {
        values[at] = value;
        return true;
      });
    expect(names.map((name) => set(name, 1))).toEqual([...Array.from({ length: 16 }, () => true), undefined]);
    set('key-3', 0);
    expect(set('key-16', 1)).toBe(true);
    expect(table.size).toBe(16);
  });
});
