/** What a search may cost: what a page reads, how long candidates are gone through, and how many may do so at once. */
import { describe, expect, test } from '@jest/globals';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { SCAN_CANDIDATES_MAX, SCANS_MAX, SEARCH_MS_MAX } from '../../server/engine/search/searcher.ts';
import { parseQuery } from '../../server/engine/port.ts';
import { EventChain, transfer, withSearchFolder } from './support/event-chain.ts';

const folder = withSearchFolder();

describe('what a page costs', () => {
  async function readsFor(
    transactions: number,
    query: string,
  ): Promise<{ directories: number; numbers: number; blocks: number; events: number }> {
    const chain = new EventChain(folder());
    const reads = { directories: 0, numbers: 0, blocks: 0, events: 0 };
    const count =
      <Args extends unknown[], R>(what: keyof typeof reads, fn: (...args: Args) => R) =>
      (...args: Args): R => {
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
    expect(outcome.matches.slice(Math.max(0, outcome.matches.count - 30), 30).length).toBe(
      Math.min(30, outcome.matches.count),
    );
    chain.index.close();
    rmSync(join(folder(), 'search.db'));
    return reads;
  }

  test.each([
    ["transfer.from = 'alice'", 1],
    ["transfer.to = 'to 7'", 1],
    ['tx.height > 3', 0],
    ["transfer.from = 'alice' AND tx.height > 3 AND tx.height < 8", 1],
  ])(
    '%s reads as much of 40,000 transactions as of 4,000, but one directory a segment',
    async (query, directoriesPerSegment) => {
      const [few, many] = [await readsFor(4_000, query), await readsFor(40_000, query)];
      expect(many.numbers).toBeLessThanOrEqual(2);
      expect(many.blocks).toBeLessThanOrEqual(few.blocks + 30);
      expect(many.events).toBe(0);
      expect(many.directories).toBeLessThanOrEqual(20 * directoriesPerSegment);
    },
  );
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
    const chain = new EventChain(folder());
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
    expect(await asked).toMatchObject({
      ok: false,
      reason: 'too_long',
      detail: expect.stringContaining(`longer than ${SEARCH_MS_MAX} ms`),
    });
    // It looks at the clock every 64 candidates, which take 128 ms here.
    expect(turns).toBe(Math.floor(SEARCH_MS_MAX / 128));
    chain.index.close();
  });

  test('is refused at once when it would look at too many, and says how to narrow it', async () => {
    const chain = new EventChain(folder());
    chain.open({ segmentTransactions: 100_000 });
    chain.add(...Array.from({ length: SCAN_CANDIDATES_MAX + 1 }, (_, i) => transfer('alice', 'bob', i)));
    let looked = 0;
    const composite = chain.composite.bind(chain);
    chain.composite = (height, index) => {
      looked += 1;
      return composite(height, index);
    };
    for (const operator of ['CONTAINS', 'EXISTS'] as const) {
      const condition = { ...filter[0], operator };
      const detail = `the search would look at ${SCAN_CANDIDATES_MAX + 1} transactions one by one, and at most ${SCAN_CANDIDATES_MAX} are looked at: narrow it by tx.height or by an attribute with =`;
      expect(await chain.searcher.find([condition])).toEqual({ ok: false, reason: 'too_long', detail });
    }
    expect(looked).toBe(0);
    // What the index alone answers is not bounded, and neither is what a term narrows.
    expect(await chain.searcher.find([])).toMatchObject({ ok: true, matches: { count: SCAN_CANDIDATES_MAX + 1 } });
    const narrowed = chain.searcher.find([
      filter[0],
      { tag: 'transfer.amount', operator: '=', value: { type: 'number', text: '7' } },
    ]);
    await chain.clock.drain();
    expect(await narrowed).toMatchObject({ ok: true });
    expect(looked).toBeLessThan(10);
    chain.index.close();
  });

  test('is refused while too many others are', async () => {
    const chain = new EventChain(folder());
    chain.open({ segmentTransactions: 100_000 });
    chain.add(...Array.from({ length: 320 }, (_, i) => transfer('alice', 'bob', i)));
    slow(chain, 1);
    const running = Array.from({ length: SCANS_MAX }, () => chain.searcher.find(filter));
    expect(await chain.searcher.find(filter)).toMatchObject({ ok: false, reason: 'busy' });
    // What the index alone answers is not refused.
    expect(await chain.searcher.find([])).toMatchObject({ ok: true });
    await chain.clock.drain();
    expect((await Promise.all(running)).map(({ ok }) => ok)).toEqual(running.map(() => true));
    const again = chain.searcher.find(filter);
    await chain.clock.drain();
    expect(await again).toMatchObject({ ok: true, matches: { count: 320 } });
    chain.index.close();
  });
});
