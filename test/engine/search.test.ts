/** The search index against a search by hand, on real files, over restarts and deaths at any step of writing a segment. */
import { describe, expect, jest, test } from '@jest/globals';
import * as fc from 'fast-check';
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteSearchStore } from '../../server/engine/search/sqlite-search-store.ts';
import { EventChain, SEARCH_IDENTITY, transfer, withSearchFolder } from './support/event-chain.ts';

const folder = withSearchFolder();

describe('the index', () => {
  const name = fc.constantFrom('alice', 'bob', 'carol');
  const step = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ block: fc.array(fc.tuple(name, name, fc.nat({ max: 3 })), { maxLength: 4 }) }),
    },
    { weight: 3, arbitrary: fc.nat({ max: 40 }) },
    { weight: 1, arbitrary: fc.constant('death' as const) },
  );
  const condition = fc.oneof(
    fc.tuple(fc.constantFrom('transfer.from', 'transfer.to'), name).map(([tag, value]) => `${tag} = '${value}'`),
    fc.nat({ max: 4 }).map((amount) => `transfer.amount = ${amount}`),
    fc
      .tuple(fc.constantFrom('<', '<=', '>', '>=', '='), fc.nat({ max: 20 }))
      .map(([operator, height]) => `tx.height ${operator} ${height}`),
    fc.nat({ max: 20 }).map((height) => `tx.height > ${height}.5`),
    fc.nat({ max: 20 }).map((height) => `tx.height <= ${height}.5`),
    fc.constantFrom(
      "transfer.to CONTAINS 'o'",
      'transfer EXISTS',
      'transfer.amount >= 2',
      'cancel EXISTS',
      "nobody = 'x'",
      'tx.height EXISTS',
    ),
  );
  const queries = fc.array(fc.array(condition, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 });

  test('finds what a search by hand finds, whatever was written, closed or cut off before', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), queries, async (history, asked) => {
        rmSync(join(folder(), 'search.db'), { force: true });
        rmSync(join(folder(), 'search.db-wal'), { force: true });
        const chain = new EventChain(folder());
        chain.open();
        for (const what of history) {
          // So many steps of writing get their turn: a segment takes more than thirty.
          if (typeof what === 'number') for (let i = 0; i < what; i++) await chain.clock.tick();
          else if (typeof what === 'object')
            chain.add(...what.block.map(([from, to, amount]) => transfer(from, to, amount)));
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
    const chain = new EventChain(folder());
    chain.open();
    for (let i = 0; i < 30; i++) chain.add(transfer('alice', 'bob', i));
    await chain.clock.drain();
    expect((await chain.search("transfer.from = 'alice' AND transfer.to = 'bob'")).length).toBe(30);
    chain.index.close();
  });

  test('does not find attributes that are not marked for it', async () => {
    const chain = new EventChain(folder());
    chain.open();
    chain.add(transfer('alice', 'bob', 1));
    expect(await chain.search("transfer.note = 'hidden'")).toEqual([]);
    expect(await chain.search("transfer.from = 'alice'")).toEqual(['1/0']);
    chain.index.close();
  });

  test('ahead of the chain is made again', async () => {
    const chain = new EventChain(folder());
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

  test.each([
    [
      'that is no database',
      (path: string) => writeFileSync(path, 'this is no database, but long enough to be looked at as one '.repeat(20)),
    ],
    ['that lost its end', (path: string) => truncateSync(path, 5000)],
    ['with a page of something else', (path: string) => writeFileSync(path, readFileSync(path).fill(0xa5, 4096))],
  ])('in a file %s is made again, and the log says so', async (_what, damage) => {
    const path = join(folder(), 'search.db');
    const store = openSqliteSearchStore(path, SEARCH_IDENTITY);
    store.setHeight(7);
    store.close();
    damage(path);
    const warnings: object[] = [];
    const again = openSqliteSearchStore(path, SEARCH_IDENTITY, {
      warn: (fields, message) => warnings.push({ ...fields, message }),
    });
    expect([again.height(), again.segments()]).toEqual([0, []]);
    again.close();
    expect(warnings).toEqual([
      expect.objectContaining({ file: path, message: 'the search index is damaged: making it again from the blocks' }),
    ]);
  });

  test('in a file of another chain refuses to start, and says what to do', () => {
    const path = join(folder(), 'search.db');
    openSqliteSearchStore(path, SEARCH_IDENTITY).close();
    expect(() => openSqliteSearchStore(path, { ...SEARCH_IDENTITY, genesisHash: 'CD' })).toThrow(
      /belongs to chain.*Move search\.db away/,
    );
  });

  test('catches up in steps, and says how far it is', async () => {
    const chain = new EventChain(folder());
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
    // At the pace of these 200 blocks in so long.
    const span = async (seconds: number): Promise<string> => {
      const pace = jest.spyOn(chain.clock, 'monotonicMs').mockReturnValue(chain.clock.monotonicMs() + seconds * 1000);
      const { detail } = (await chain.searcher.find([])) as { detail: string };
      pace.mockRestore();
      return detail.slice(detail.indexOf('ask again'));
    };
    expect([await span(1), await span(20), await span(600)]).toEqual([
      'ask again in a moment',
      'ask again in about 51 s',
      'ask again in about 26 min',
    ]);
    await chain.clock.drain();
    expect(await chain.search('tx.height > 699')).toEqual(['700/0', '701/0']);
    chain.index.close();
  });

  test('that fails says so and stops nothing', async () => {
    const chain = new EventChain(folder());
    const full = () => {
      throw new Error('database or disk is full');
    };
    chain.open({}, (store) => ({ ...store, putPart: full }));
    for (let i = 0; i < 12; i++) {
      chain.add(transfer('alice', 'bob', i));
      await chain.clock.drain();
    }
    const outcome = await chain.searcher.find([]);
    expect(outcome).toEqual({
      ok: false,
      reason: 'failed',
      detail: 'the search index failed: database or disk is full',
    });
    chain.index.close();
  });
});
