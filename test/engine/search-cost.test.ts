/** What a search may cost: what a page reads, how long candidates are gone through, and how many may do so at once. */
import { describe, expect, test } from '@jest/globals';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { SCANS_MAX, SEARCH_MS_MAX } from '../../server/engine/search/searcher.ts';
import { parseQuery } from '../../server/engine/port.ts';
import { EventChain, transfer, withSearchFolder } from './support/event-chain.ts';

const folder = withSearchFolder();

describe('what a page costs', () => {
  async function readsFor(transactions: number, query: string): Promise<{ directories: number; numbers: number; blocks: number; events: number }> {
    const chain = new EventChain(folder());
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
    rmSync(join(folder(), 'search.db'));
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
    expect(await asked).toMatchObject({ ok: false, reason: 'too_long', detail: expect.stringContaining(`longer than ${SEARCH_MS_MAX} ms`) });
    // It looks at the clock every 64 candidates, which take 128 ms here.
    expect(turns).toBe(Math.floor(SEARCH_MS_MAX / 128));
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
