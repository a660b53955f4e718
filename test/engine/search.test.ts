/** The search index against a search by hand, on real files, over restarts and deaths at any step of writing a segment. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BlockLost, SearchIndex, type SearchIndexParts } from '../../server/engine/search/search-index.ts';
import type { SearchStore } from '../../server/engine/search/search-store.ts';
import { compositeEvents, SCANS_MAX, SEARCH_MS_MAX, Searcher } from '../../server/engine/search/searcher.ts';
import { openSqliteSearchStore } from '../../server/engine/search/sqlite-search-store.ts';
import { matchesQuery, parseQuery } from '../../server/engine/port.ts';
import type { Clock, Timer } from '../../server/engine/ports.ts';
import type { LedgerEvent } from '../../server/ledger/index.ts';

const identity = { chainId: 'search-test', genesisHash: 'AB' };
const logger = { debug() {}, info() {}, warn() {}, error() {} };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'txledger-search-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const transfer = (from: string, to: string, amount: number): LedgerEvent[] => [
  {
    type: 'transfer',
    attributes: [
      { key: 'from', value: from, index: true },
      { key: 'to', value: to, index: true },
      { key: 'amount', value: String(amount), index: true },
      { key: 'note', value: 'hidden', index: false },
    ],
  },
];

/** A clock on which only work takes time; timers fire one by one, when the test says so. */
class WorkClock implements Clock {
  workedMs = 0;
  readonly #timers = new Set<() => void>();

  nowMs = () => 0;
  nowNs = () => 0n;
  monotonicMs = () => this.workedMs;
  setTimer = (fn: () => void): Timer => {
    this.#timers.add(fn);
    return { cancel: () => void this.#timers.delete(fn) };
  };

  /** Fires the oldest timer; false when there is none. */
  async tick(): Promise<boolean> {
    const [fn] = this.#timers;
    if (fn === undefined) return false;
    this.#timers.delete(fn);
    fn();
    // Whoever awaited what the timer did goes on first.
    for (let i = 0; i < 5; i++) await Promise.resolve();
    return true;
  }

  /** Fires until none is left. */
  async drain(): Promise<void> {
    while (await this.tick());
  }
}

/** A chain of nothing but events; its transactions have their place as hash. */
class EventChain {
  readonly blocks: LedgerEvent[][][] = [];
  readonly clock = new WorkClock();
  index!: SearchIndex;
  searcher!: Searcher;

  open(changes: Partial<SearchIndexParts> = {}, wrap = (store: SearchStore) => store): void {
    const store = wrap(openSqliteSearchStore(join(folder, 'search.db'), identity));
    const source = { height: () => this.blocks.length, events: (height: number) => this.blocks[height - 1]! };
    this.index = new SearchIndex({ store, source, clock: this.clock, logger, segmentTransactions: 5, segmentBlocks: 4, ...changes });
    this.searcher = new Searcher({
      index: this.index,
      clock: this.clock,
      height: () => this.blocks.length,
      locate: () => undefined,
      events: (place) => this.composite(place.height, place.index),
    });
  }

  add(...transactions: LedgerEvent[][]): void {
    this.blocks.push(transactions);
    this.index.add(this.blocks.length, transactions);
  }

  composite(height: number, index: number) {
    return compositeEvents(height, `${height}/${index}`, this.blocks[height - 1]![index]!);
  }

  async search(query: string): Promise<string[]> {
    const parsed = parseQuery(query);
    if (!parsed.ok) throw new Error(parsed.error);
    // No search here is long enough to pause, so the index stays as it is meanwhile.
    const outcome = await this.searcher.find(parsed.conditions);
    if (!outcome.ok) throw new Error(outcome.detail);
    const { matches } = outcome;
    const whole = matches.slice(0, matches.count).map(({ height, index }) => `${height}/${index}`);
    expect(whole.length).toBe(matches.count);
    // Any page is a part of the whole.
    const skip = Math.floor(matches.count / 3);
    expect(matches.slice(skip, 2).map(({ height, index }) => `${height}/${index}`)).toEqual(whole.slice(skip, skip + 2));
    return whole;
  }

  /** What is marked for indexes, as CometBFT's own index would see it. */
  byHand(query: string): string[] {
    const parsed = parseQuery(query);
    if (!parsed.ok) throw new Error(parsed.error);
    return this.blocks.flatMap((block, i) =>
      block.flatMap((_, index) => (matchesQuery(parsed.conditions, this.composite(i + 1, index)) ? [`${i + 1}/${index}`] : [])),
    );
  }
}

describe('the index', () => {
  const name = fc.constantFrom('alice', 'bob', 'carol');
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ block: fc.array(fc.tuple(name, name, fc.nat({ max: 3 })), { maxLength: 4 }) }) },
    { weight: 3, arbitrary: fc.nat({ max: 40 }) },
    { weight: 1, arbitrary: fc.constant('death' as const) },
  );
  const condition = fc.oneof(
    fc.tuple(fc.constantFrom('transfer.from', 'transfer.to'), name).map(([tag, value]) => `${tag} = '${value}'`),
    fc.nat({ max: 4 }).map((amount) => `transfer.amount = ${amount}`),
    fc.tuple(fc.constantFrom('<', '<=', '>', '>=', '='), fc.nat({ max: 20 })).map(([operator, height]) => `tx.height ${operator} ${height}`),
    fc.nat({ max: 20 }).map((height) => `tx.height > ${height}.5`),
    fc.nat({ max: 20 }).map((height) => `tx.height <= ${height}.5`),
    fc.constantFrom("transfer.to CONTAINS 'o'", 'transfer EXISTS', 'transfer.amount >= 2', 'cancel EXISTS', "nobody = 'x'", 'tx.height EXISTS'),
  );
  const queries = fc.array(fc.array(condition, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 });

  test('finds what a search by hand finds, whatever was written, closed or cut off before', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), queries, async (history, asked) => {
        rmSync(join(folder, 'search.db'), { force: true });
        rmSync(join(folder, 'search.db-wal'), { force: true });
        const chain = new EventChain();
        chain.open();
        for (const what of history) {
          // So many steps of writing get their turn: a segment takes more than thirty.
          if (typeof what === 'number') for (let i = 0; i < what; i++) await chain.clock.tick();
          else if (typeof what === 'object') chain.add(...what.block.map(([from, to, amount]) => transfer(from, to, amount)));
          else {
            chain.index.close();
            chain.open();
          }
        }
        // Everything has to be found, but need not be written.
        while (chain.index.height < chain.blocks.length && (await chain.clock.tick()));
        expect(chain.index.failure).toBe('');
        expect(chain.index.height).toBe(chain.blocks.length);
        for (const conditions of asked) {
          const query = conditions.join(' AND ');
          expect([query, ...(await chain.search(query))]).toEqual([query, ...chain.byHand(query)]);
        }
        chain.index.close();
      }),
      { numRuns: 150 },
    );
  }, 120_000);

  test('intersects lists over the borders of segments', async () => {
    const chain = new EventChain();
    chain.open();
    for (let i = 0; i < 30; i++) chain.add(transfer('alice', 'bob', i));
    await chain.clock.drain();
    expect((await chain.search("transfer.from = 'alice' AND transfer.to = 'bob'")).length).toBe(30);
    chain.index.close();
  });

  test('does not find attributes that are not marked for it', async () => {
    const chain = new EventChain();
    chain.open();
    chain.add(transfer('alice', 'bob', 1));
    expect(await chain.search("transfer.note = 'hidden'")).toEqual([]);
    expect(await chain.search("transfer.from = 'alice'")).toEqual(['1/0']);
    chain.index.close();
  });

  test('ahead of the chain is made again', async () => {
    const chain = new EventChain();
    chain.open();
    for (let i = 0; i < 20; i++) chain.add(transfer('alice', 'bob', i));
    await chain.clock.drain();
    chain.index.close();
    chain.blocks.splice(0, Infinity, [transfer('bob', 'alice', 1)], [], [transfer('alice', 'bob', 1)]);
    chain.open();
    await chain.clock.drain();
    chain.add(transfer('bob', 'alice', 2));
    expect(await chain.search("transfer.from = 'alice'")).toEqual(['3/0']);
    expect(await chain.search("transfer.from = 'bob'")).toEqual(['1/0', '4/0']);
    chain.index.close();
  });

  test('in a file that is damaged or of another chain refuses to start, and says what to do', () => {
    const path = join(folder, 'search.db');
    writeFileSync(path, 'this is no database, but long enough to be looked at as one '.repeat(20));
    expect(() => openSqliteSearchStore(path, identity)).toThrow(/damaged.*Move search\.db away/);
    rmSync(path);
    openSqliteSearchStore(path, identity).close();
    expect(() => openSqliteSearchStore(path, { ...identity, genesisHash: 'CD' })).toThrow(/belongs to chain.*Move search\.db away/);
  });

  test('catches up in steps, and says how far it is', async () => {
    const chain = new EventChain();
    for (let i = 0; i < 700; i++) chain.blocks.push([transfer('alice', 'bob', i)]);
    chain.open({ segmentTransactions: 10_000, segmentBlocks: 10_000 });
    expect(chain.index.height).toBe(200);
    await chain.clock.drain();
    expect(chain.index.height).toBe(700);
    expect(await chain.search('tx.height = 1')).toEqual(['1/0']);
    chain.index.close();

    chain.open({ segmentTransactions: 10_000, segmentBlocks: 10_000 });
    chain.add(transfer('alice', 'bob', 700));
    expect(await chain.searcher.find([])).toEqual({
      ok: false,
      reason: 'catching_up',
      detail: 'the search index has reached height 200 of 701: ask again in a moment',
    });
    await chain.clock.drain();
    expect(await chain.search('tx.height > 699')).toEqual(['700/0', '701/0']);
    chain.index.close();
  });

  test('that fails says so and stops nothing', async () => {
    const chain = new EventChain();
    const full = () => {
      throw new Error('database or disk is full');
    };
    chain.open({}, (store) => ({ ...store, putPart: full }));
    for (let i = 0; i < 12; i++) {
      chain.add(transfer('alice', 'bob', i));
      await chain.clock.drain();
    }
    const outcome = await chain.searcher.find([]);
    expect(outcome).toEqual({ ok: false, reason: 'failed', detail: 'the search index failed: database or disk is full' });
    chain.index.close();
  });
});

describe('an index whose blocks have to be asked for', () => {
  /** What was asked for and is not answered yet, by height. */
  class AskedChain extends EventChain {
    readonly asked = new Map<number, { answer: () => void; fail: (error: Error) => void }>();

    ask(changes: Partial<SearchIndexParts> = {}): void {
      const events = (height: number) =>
        new Promise<LedgerEvent[][]>((resolve, reject) => {
          this.asked.set(height, { answer: () => resolve(this.blocks[height - 1]!), fail: reject });
        });
      this.open({ source: { height: () => this.blocks.length, events }, segmentTransactions: 100, segmentBlocks: 100, ...changes });
    }

    async settle(height: number, error?: Error): Promise<void> {
      const { answer, fail } = this.asked.get(height)!;
      this.asked.delete(height);
      if (error === undefined) answer();
      else fail(error);
      for (let i = 0; i < 5; i++) await Promise.resolve();
    }
  }

  async function asking(count: number): Promise<AskedChain> {
    const chain = new AskedChain();
    for (let i = 0; i < count; i++) chain.blocks.push([transfer('alice', 'bob', i)]);
    chain.ask();
    return chain;
  }

  test('asks for one after another, and finds them', async () => {
    const chain = await asking(3);
    for (let height = 1; height <= 3; height++) {
      expect([...chain.asked.keys()]).toEqual([height]);
      await chain.settle(height);
      await chain.clock.drain();
    }
    expect(chain.asked.size).toBe(0);
    expect(await chain.search("transfer.from = 'alice'")).toEqual(['1/0', '2/0', '3/0']);
    chain.index.close();
  });

  test('asks again after a failure, when some time has passed', async () => {
    const chain = await asking(2);
    await chain.settle(1, new Error('no node'));
    expect([chain.asked.size, chain.index.failure]).toEqual([0, '']);
    await chain.clock.tick();
    await chain.settle(1);
    await chain.clock.drain();
    expect(chain.index.height).toBe(1);
    await chain.settle(2);
    expect(chain.index.height).toBe(2);
    chain.index.close();
  });

  test('takes a block that comes by itself meanwhile once', async () => {
    const chain = await asking(1);
    await chain.settle(1);
    chain.blocks.push([transfer('bob', 'carol', 1)]);
    await chain.clock.drain();
    // A look at the chain has asked for it before the chain hands it over.
    chain.index.add(5, []);
    await chain.clock.drain();
    expect([...chain.asked.keys()]).toEqual([2]);
    chain.index.add(2, chain.blocks[1]!);
    await chain.settle(2);
    await chain.clock.drain();
    expect(chain.index.height).toBe(2);
    expect(await chain.search("transfer.from = 'bob'")).toEqual(['2/0']);
    expect(await chain.search('tx.height > 0')).toEqual(['1/0', '2/0']);
    chain.index.close();
  });

  test('fails for good when the block is lost, and asks no more', async () => {
    const chain = await asking(2);
    await chain.settle(1, new BlockLost('no node has the blocks below 9 any more'));
    await chain.clock.drain();
    expect(await chain.searcher.find([])).toEqual({ ok: false, reason: 'failed', detail: 'the search index failed: no node has the blocks below 9 any more' });
    expect(chain.asked.size).toBe(0);
    chain.index.close();
  });

  test('that is closed meanwhile takes nothing', async () => {
    const chain = await asking(2);
    chain.index.close();
    await chain.settle(1);
    await chain.clock.drain();
    expect([chain.index.height, chain.asked.size]).toEqual([0, 0]);
  });

  test('scans events that are promised as those that are there', async () => {
    const chain = await asking(0);
    for (let i = 0; i < 20; i++) chain.add(transfer('alice', i % 2 === 0 ? 'bob' : 'carol', i));
    const composite = chain.composite.bind(chain);
    chain.composite = ((height: number, index: number) => Promise.resolve(composite(height, index))) as never;
    const found = await chain.search("transfer.to CONTAINS 'bo' AND transfer.amount > 9");
    chain.composite = composite;
    expect(found).toEqual(chain.byHand("transfer.to CONTAINS 'bo' AND transfer.amount > 9"));
    expect(found).toHaveLength(5);
    chain.index.close();
  });
});

describe('what a page costs', () => {
  async function readsFor(transactions: number, query: string): Promise<{ directories: number; numbers: number; blocks: number; events: number }> {
    const chain = new EventChain();
    const reads = { directories: 0, numbers: 0, blocks: 0, events: 0 };
    const count = <Args extends unknown[], R>(what: keyof typeof reads, fn: (...args: Args) => R) => (...args: Args): R => {
      reads[what] += 1;
      return fn(...args);
    };
    for (let i = 0; i < transactions / 100; i++) {
      chain.blocks.push(Array.from({ length: 100 }, (_, j) => transfer('alice', `to ${(i * 100 + j) % 50}`, i)));
    }
    chain.open({ segmentTransactions: 2_000, segmentBlocks: 1_000_000 }, (store) => ({
      ...store,
      directory: count('directories', store.directory),
      numbers: count('numbers', store.numbers),
      blockAt: count('blocks', store.blockAt),
      blockFrom: count('blocks', store.blockFrom),
    }));
    await chain.clock.drain();
    const composite = chain.composite.bind(chain);
    chain.composite = count('events', composite);
    Object.assign(reads, { directories: 0, numbers: 0, blocks: 0, events: 0 });
    const parsed = parseQuery(query);
    if (!parsed.ok) throw new Error(parsed.error);
    const outcome = await chain.searcher.find(parsed.conditions);
    if (!outcome.ok) throw new Error(outcome.detail);
    expect(outcome.matches.count).toBe(chain.byHand(query).length);
    reads.events = 0;
    // The last page, as order_by desc asks for first.
    expect(outcome.matches.slice(Math.max(0, outcome.matches.count - 30), 30).length).toBe(Math.min(30, outcome.matches.count));
    chain.index.close();
    rmSync(join(folder, 'search.db'));
    return reads;
  }

  test.each([
    ["transfer.from = 'alice'", 1],
    ["transfer.to = 'to 7'", 1],
    ['tx.height > 3', 0],
    ["transfer.from = 'alice' AND tx.height > 3 AND tx.height < 8", 1],
  ])('%s reads as much of 40,000 transactions as of 4,000, but one directory a segment', async (query, directoriesPerSegment) => {
    const [few, many] = [await readsFor(4_000, query), await readsFor(40_000, query)];
    expect(many.numbers).toBeLessThanOrEqual(2);
    expect(many.blocks).toBeLessThanOrEqual(few.blocks + 30);
    expect(many.events).toBe(0);
    expect(many.directories).toBeLessThanOrEqual(20 * directoriesPerSegment);
  });
});

describe('a search that goes through candidates', () => {
  const slow = (chain: EventChain, msEach: number) => {
    const composite = chain.composite.bind(chain);
    chain.composite = (height, index) => {
      chain.clock.workedMs += msEach;
      return composite(height, index);
    };
  };
  const filter = [{ tag: 'transfer.to', operator: 'CONTAINS', value: { type: 'string', text: 'o' } }] as const;

  test('lets others in between, and is given up after its time', async () => {
    const chain = new EventChain();
    chain.open({ segmentTransactions: 100_000 });
    chain.add(...Array.from({ length: 64 * 50 }, (_, i) => transfer('alice', 'bob', i)));
    slow(chain, 2);
    let turns = 0;
    const { setTimer } = chain.clock;
    chain.clock.setTimer = (fn) => {
      turns += 1;
      return setTimer(fn);
    };
    const asked = chain.searcher.find(filter);
    await chain.clock.drain();
    expect(await asked).toMatchObject({ ok: false, reason: 'too_long', detail: expect.stringContaining(`longer than ${SEARCH_MS_MAX} ms`) });
    // It looks at the clock every 64 candidates, which take 128 ms here.
    expect(turns).toBe(Math.floor(SEARCH_MS_MAX / 128));
    chain.index.close();
  });

  test('is refused while too many others are', async () => {
    const chain = new EventChain();
    chain.open({ segmentTransactions: 100_000 });
    chain.add(...Array.from({ length: 640 }, (_, i) => transfer('alice', 'bob', i)));
    slow(chain, 1);
    const running = Array.from({ length: SCANS_MAX }, () => chain.searcher.find(filter));
    expect(await chain.searcher.find(filter)).toMatchObject({ ok: false, reason: 'busy' });
    // What the index alone answers is not refused.
    expect(await chain.searcher.find([])).toMatchObject({ ok: true });
    await chain.clock.drain();
    expect((await Promise.all(running)).map(({ ok }) => ok)).toEqual(running.map(() => true));
    const again = chain.searcher.find(filter);
    await chain.clock.drain();
    expect(await again).toMatchObject({ ok: true, matches: { count: 640 } });
    chain.index.close();
  });
});
