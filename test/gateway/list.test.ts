/** Lists: newest first, complete, without repeats, whatever arrives meanwhile. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ListQuery, TransactionRecord } from '../../server/gateway/index.ts';
import { decodeCursor, encodeCursor } from '../../server/gateway/list/cursor.ts';
import { sidesOf } from '../../server/gateway/list/sides.ts';
import { devAddress, operatorAddress, signedTransfer } from '../ledger/support.ts';
import { ALICE, Fixture } from './support/fixture.ts';
import { onFollower } from './support/fixture-store.ts';
import { ShardNumbers } from '../../server/store/shards.ts';

let fixture: Fixture;

async function pages(query: Omit<ListQuery, 'cursor'>, between?: () => Promise<void>): Promise<TransactionRecord[]> {
  const all: TransactionRecord[] = [];
  for (let cursor: string | undefined, i = 0; i < 1000; i++) {
    const page = await fixture.gateway.list({ ...query, ...(cursor === undefined ? {} : { cursor }) });
    if (!page.ok) throw new Error(page.detail);
    expect(page.transactions.length).toBeLessThanOrEqual(query.limit);
    all.push(...page.transactions);
    if (page.nextCursor === undefined) return all;
    cursor = page.nextCursor;
    await between?.();
  }
  throw new Error('the pages do not end');
}

describe('pages', () => {
  /** A chain with every status in it, told in the order in which it was first seen. */
  const seen: string[] = [];
  const expected = new Map<string, TransactionRecord>();

  beforeEach(async () => {
    fixture = await Fixture.open();
    seen.length = 0;
    expected.clear();
    const nonces = new Map<number, number>();
    for (let i = 0; i < 60; i++) {
      const from = (i * 7) % 4;
      const nonce = nonces.get(from) ?? 0;
      nonces.set(from, nonce + 1);
      const to = (i * 3 + 1) % 5;
      const reference = i % 3 === 0 ? {} : { reference: `R${i % 5}` };
      const transfer = signedTransfer({ from, to, nonce, amount: BigInt(i + 1), ...reference });
      if (i % 10 === 3) await fixture.block({ outsiders: [transfer.raw] });
      else await fixture.submit(transfer);
      seen.push(transfer.hash);
      if (i % 12 === 5) await fixture.gateway.cancel(transfer.hash, ALICE, 0);
      if (i % 15 === 14) await fixture.blocks(2);
    }
    for (const hash of seen) {
      const record = await fixture.detail(hash);
      if (record !== undefined) expected.set(hash, record);
    }
    // An outsider's transfer behind a cancelled one was not executable, so it is in no block and nobody here saw it.
    seen.splice(0, seen.length, ...seen.filter((hash) => expected.has(hash)));
  });
  afterEach(() => fixture.dispose());

  const newestFirst = (matches: (record: TransactionRecord) => boolean): string[] =>
    [...seen].reverse().filter((hash) => matches(expected.get(hash)!));

  test('of every size join to the full list, newest first', async () => {
    const statuses = new Set([...expected.values()].map(({ status }) => status));
    expect([...statuses].sort()).toEqual(['cancelled', 'committed', 'pending']);
    expect([...expected.values()].some(({ from, to }) => from === to)).toBe(true);
    for (const limit of [1, 7, 60, 1000]) {
      expect((await pages({ limit })).map(({ txHash }) => txHash)).toEqual(newestFirst(() => true));
    }
  });

  test('of every combination of filters hold what matches and nothing else', async () => {
    const addresses = [undefined, devAddress(0), devAddress(1), devAddress(4), operatorAddress(3)];
    for (const status of [undefined, 'pending', 'committed', 'cancelled', 'expired'] as const) {
      for (const from of addresses) {
        for (const to of addresses) {
          for (const account of [undefined, devAddress(0), devAddress(1)]) {
            const query = {
              ...(status && { status }),
              ...(from && { from }),
              ...(to && { to }),
              ...(account && { account }),
            };
            const matches = (record: TransactionRecord): boolean =>
              (status === undefined || record.status === status) &&
              (from === undefined || record.from === from) &&
              (to === undefined || record.to === to) &&
              (account === undefined || record.from === account || record.to === account);
            expect({ query, hashes: (await pages({ limit: 9, ...query })).map(({ txHash }) => txHash) }).toEqual({
              query,
              hashes: newestFirst(matches),
            });
          }
        }
      }
    }
  }, 60_000);

  test('of a reference hold exactly what has it, alone and with every other filter', async () => {
    expect((await pages({ limit: 9, reference: 'R1' })).length).toBeGreaterThan(5);
    for (const reference of ['R1', 'R4', 'R', 'none']) {
      for (const status of [undefined, 'pending', 'committed', 'cancelled'] as const) {
        for (const from of [undefined, devAddress(0), operatorAddress(3)]) {
          for (const to of [undefined, devAddress(1)]) {
            for (const account of [undefined, devAddress(1)]) {
              const query = {
                reference,
                ...(status && { status }),
                ...(from && { from }),
                ...(to && { to }),
                ...(account && { account }),
              };
              const matches = (record: TransactionRecord): boolean =>
                record.reference === reference &&
                (status === undefined || record.status === status) &&
                (from === undefined || record.from === from) &&
                (to === undefined || record.to === to) &&
                (account === undefined || record.from === account || record.to === account);
              expect({ query, hashes: (await pages({ limit: 2, ...query })).map(({ txHash }) => txHash) }).toEqual({
                query,
                hashes: newestFirst(matches),
              });
            }
          }
        }
      }
    }
    const slot = { from: devAddress(1), nonce: 1 };
    const [first] = await pages({ limit: 9, ...slot });
    expect(await pages({ limit: 9, ...slot, reference: first?.reference ?? '' })).toEqual([first]);
    expect(await pages({ limit: 9, ...slot, reference: 'none' })).toEqual([]);
  }, 60_000);

  test('refuse the cursor of another reference', async () => {
    const page = await fixture.gateway.list({ limit: 1, reference: 'R1' });
    const cursor = page.ok ? (page.nextCursor ?? '') : '';
    expect(await fixture.gateway.list({ limit: 1, reference: 'R2', cursor })).toMatchObject({
      ok: false,
      errors: [{ pointer: '#/query/cursor' }],
    });
  });

  test('have no row twice and miss none while transfers arrive and blocks settle', async () => {
    const before = (await pages({ limit: 1000 })).map(({ txHash }) => txHash);
    let nonce = 0;
    const joined = await pages({ limit: 7 }, async () => {
      await fixture.accept({ from: 9, nonce: nonce++ });
      await fixture.block();
    });
    expect(joined.map(({ txHash }) => txHash)).toEqual(before);
  });

  test('never tell nonce or signature', async () => {
    for (const record of await pages({ limit: 100 }))
      expect(Object.keys(record)).not.toEqual(expect.arrayContaining(['nonce', 'signature']));
    expect(JSON.stringify(await pages({ limit: 100 }))).not.toMatch(/"(nonce|signature)"/);
  });

  test('refuse an altered cursor, one of another list, and a limit out of range', async () => {
    const first = await fixture.gateway.list({ limit: 5, status: 'committed' });
    const cursor = first.ok ? (first.nextCursor ?? '') : '';
    expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
    const refused = { ok: false, code: 'invalid_request', errors: [{ pointer: '#/query/cursor' }] };
    for (let i = 0; i < cursor.length; i++) {
      const altered = cursor.slice(0, i) + (cursor[i] === 'A' ? 'B' : 'A') + cursor.slice(i + 1);
      expect(await fixture.gateway.list({ limit: 5, status: 'committed', cursor: altered })).toMatchObject(refused);
    }
    for (const other of [{}, { status: 'pending' as const }, { status: 'committed' as const, from: devAddress(0) }]) {
      expect(await fixture.gateway.list({ limit: 5, ...other, cursor })).toMatchObject(refused);
    }
    for (const bad of ['', 'A', `${cursor}A`, `${cursor}==`, 'A'.repeat(100_000), 'ü']) {
      expect(await fixture.gateway.list({ limit: 5, status: 'committed', cursor: bad })).toMatchObject(refused);
    }
    for (const limit of [0, -1, 1.5, 1001])
      expect(await fixture.gateway.list({ limit })).toMatchObject({
        ok: false,
        errors: [{ pointer: '#/query/limit' }],
      });
  });

  test('refuse a filter that is no address of this chain', async () => {
    expect(await fixture.gateway.list({ limit: 5, account: devAddress(0, 'txl') })).toMatchObject({
      ok: false,
      code: 'invalid_address',
      errors: [{ pointer: '#/query/account' }],
    });
  });
});

describe('a filter by both sides', () => {
  afterEach(() => fixture.dispose());

  onFollower.test(
    "looks at a bounded stretch of the sender's transfers and still misses none",
    'the bounds of chain.db are in test/store/chain-reader.test.ts',
    async () => {
      fixture = await Fixture.open();
      // Straight into the store: accepting five thousand transfers would test something else.
      await fixture.accept({ from: 0, to: 2, nonce: 0 });
      await fixture.accept({ from: 0, to: 1, nonce: 1 });
      await fixture.block();
      const template = (await fixture.store.read((tx) => tx.listTransfers({ limit: 1 }))).transfers[0]!;
      await fixture.store.write(async (tx) => {
        const numbers = new ShardNumbers(await tx.shards());
        const rows = Array.from({ length: 5000 }, (_, i) => ({
          ...template,
          seq: numbers.takeSeq(devAddress(0)),
          hash: i.toString(16).toUpperCase().padStart(64, '0'),
          nonce: 10 + i,
          ownerId: undefined,
        }));
        await tx.insertTransfers(rows);
        await tx.saveShards(numbers.changed());
      });
      const found = await pages({ limit: 10, from: devAddress(0), to: devAddress(2) });
      expect(found.map(({ txHash }) => txHash)).toEqual([signedTransfer({ from: 0, to: 2, nonce: 0 }).hash]);
      expect(await pages({ limit: 1000, from: devAddress(0), to: devAddress(1) })).toHaveLength(5001);
    },
  );
});

describe('cursors and sides', () => {
  test('a cursor reads back as the seq it was made from, for its own list only', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.string(),
        fc.option(fc.constantFrom('pending', 'committed'), { nil: undefined }),
        (seq, from, status) => {
          const filters = { from, ...(status === undefined ? {} : { status: status as 'pending' }) };
          const cursor = encodeCursor('chain-1', filters, seq);
          expect(decodeCursor('chain-1', filters, cursor)).toBe(seq);
          expect(decodeCursor('chain-2', filters, cursor)).toBeUndefined();
          expect(decodeCursor('chain-1', { ...filters, from: `${from}x` }, cursor)).toBeUndefined();
        },
      ),
    );
  });

  test('sides that no transfer can match are none', () => {
    const idOf = (address: string) => ({ a: 1, b: 2 })[address];
    expect(sidesOf({}, idOf)).toBeUndefined();
    expect(sidesOf({ account: 'a' }, idOf)).toEqual([{ fromId: 1 }, { toId: 1 }]);
    expect(sidesOf({ account: 'a', from: 'b' }, idOf)).toEqual([{ fromId: 2, toId: 1 }]);
    expect(sidesOf({ account: 'c', from: 'a', to: 'b' }, idOf)).toEqual([]);
    expect(sidesOf({ from: 'unknown' }, idOf)).toEqual([]);
  });
});
