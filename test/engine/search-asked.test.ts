/** A search index whose blocks come over a network: it asks for them, waits, and outlives what the answers may be. */
import { describe, expect, test } from '@jest/globals';
import { BlockLost, type SearchIndexParts } from '../../server/engine/search/search-index.ts';
import type { LedgerEvent } from '../../server/ledger/index.ts';
import { EventChain, transfer, withSearchFolder } from './support/event-chain.ts';

const folder = withSearchFolder();

describe('an index whose blocks have to be asked for', () => {
  /** What was asked for and is not answered yet, by height. */
  class AskedChain extends EventChain {
    readonly asked = new Map<number, { answer: () => void; fail: (error: Error) => void }>();

    ask(changes: Partial<SearchIndexParts> = {}): void {
      const events = (height: number) =>
        new Promise<LedgerEvent[][]>((resolve, reject) => {
          this.asked.set(height, { answer: () => resolve(this.blocks[height - 1]!), fail: reject });
        });
      this.open({
        source: { height: () => this.blocks.length, events },
        segmentTransactions: 100,
        segmentBlocks: 100,
        ...changes,
      });
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
    const chain = new AskedChain(folder());
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
    expect(await chain.searcher.find([])).toEqual({
      ok: false,
      reason: 'failed',
      detail: 'the search index failed: no node has the blocks below 9 any more',
    });
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
