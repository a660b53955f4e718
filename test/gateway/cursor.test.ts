/** Cursors that no one was given: whatever the text, the list answers a page or names the parameter, on every database. */
import { hash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ListFilters } from '../../server/gateway/list/cursor.ts';
import { listTransfers } from '../../server/gateway/list/list-transfers.ts';
import type { Store } from '../../server/store/index.ts';
import { devAddress } from '../ledger/support.ts';
import { CLUSTER_TIMEOUT_MS } from '../support/postgres.ts';
import { onEachDatabase, type Database } from '../store/support/stores.ts';

const CHAIN_ID = 'txledger-test-1';
const REFUSED = { ok: false, code: 'invalid_request', errors: [{ pointer: '#/query/cursor' }] };

/** A cursor with a right checksum, which takes no secret to make. */
function forged(seq: bigint, { status, from, to, account }: ListFilters = {}, version = 1): string {
  const bytes = Buffer.alloc(17);
  bytes[0] = version;
  bytes.writeBigUInt64BE(BigInt.asUintN(64, seq), 1);
  const list = JSON.stringify([CHAIN_ID, status ?? '', from ?? '', to ?? '', account ?? '']);
  hash('sha256', `${bytes.toString('hex', 0, 9)}${list}`, 'buffer').copy(bytes, 9, 0, 8);
  return bytes.toString('base64url');
}

onEachDatabase('a cursor', (fresh) => {
  let database: Database;
  let store: Store;
  beforeAll(async () => {
    database = await fresh();
    store = await database.open();
  }, CLUSTER_TIMEOUT_MS);
  afterAll(async () => {
    await store.close();
    await database.remove();
  });

  const list = (cursor: string, filters: ListFilters = {}) =>
    listTransfers(store, CHAIN_ID, { limit: 10, cursor, ...filters });

  test.each([-1n, 2n ** 53n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n])(
    'forged for place %s is refused, with its pointer',
    async (seq) => {
      for (const filters of [{}, { status: 'pending' }, { from: devAddress(0) }] as ListFilters[]) {
        expect(await list(forged(seq, filters), filters)).toMatchObject(REFUSED);
      }
    },
  );

  test('forged for a place that there could be answers the page that begins there', async () => {
    for (const seq of [0n, 1n, 12n, 2n ** 53n - 1n])
      expect(await list(forged(seq))).toEqual({ ok: true, transfers: [] });
  });

  test('of another version, of other filters, with bytes behind it, or not written as it was given is refused', async () => {
    const good = forged(12n);
    const last = Buffer.from(good, 'base64url');
    const otherBits = `${good.slice(0, -1)}${String.fromCharCode(good.charCodeAt(good.length - 1) + 1)}`;
    expect(Buffer.from(otherBits, 'base64url')).toEqual(last);
    for (const text of [
      forged(12n, {}, 2),
      forged(12n, { status: 'failed' }),
      Buffer.concat([last, Buffer.of(0)]).toString('base64url'),
      `${good}=`,
      otherBits,
      good.repeat(100),
    ]) {
      expect(await list(text)).toMatchObject(REFUSED);
    }
  });

  test('of whatever text or bytes is answered, and throws nothing', async () => {
    const sides = fc.record(
      {
        status: fc.constantFrom('pending', 'committed', 'failed'),
        account: fc.constantFrom(devAddress(0), devAddress(1)),
      },
      { requiredKeys: [] },
    );
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.base64String(),
      fc.uint8Array({ minLength: 17, maxLength: 17 }).map((bytes) => Buffer.from(bytes).toString('base64url')),
      fc
        .tuple(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.nat(3))
        .map(([seq, version]) => forged(seq, {}, version)),
    );
    await fc.assert(
      fc.asyncProperty(texts, sides, fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), async (text, filters, seq) => {
        for (const cursor of [text, forged(seq, filters as ListFilters)]) {
          const page = await list(cursor, filters as ListFilters);
          if (!page.ok) expect(page).toMatchObject(REFUSED);
        }
      }),
      { numRuns: 200 },
    );
  });
});
