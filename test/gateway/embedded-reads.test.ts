/** The reads of the embedded engine answer what the core answers of the same transfers, and the gateway asks them instead of it. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { EmbeddedReads } from '../../server/gateway/embedded/reads.ts';
import type { GatewayCoreApi } from '../../server/gateway/core-api.ts';
import type { Gateway, ListQuery } from '../../server/gateway/index.ts';
import { createGatewayFront } from '../../server/gateway/index.ts';
import type { TransactionStatus } from '../../server/gateway/types.ts';
import { EventReader } from '../../server/store/embedded/event-reader.ts';
import { ChainReader } from '../../server/store/embedded/reader.ts';
import type { StoredTransfer } from '../../server/store/index.ts';
import { DEV_ACCOUNTS, DEV_BALANCE, devAddress, devSeed, operatorAddress, signedTransfer } from '../ledger/support.ts';
import { accepted, cancelOf, ChainRows } from '../store/support/chain-rows.ts';
import { ALICE, Fixture } from './support/fixture.ts';
import { signedAgain } from './support/second-signature.ts';

const STATUSES: readonly (TransactionStatus | undefined)[] = [
  undefined,
  'pending',
  'committed',
  'failed',
  'cancelled',
  'expired',
];

let fixture: Fixture;
let rows: ChainRows;
let reads: EmbeddedReads;

/** A core that answers nothing: whatever reaches it fails. */
const NO_CORE = new Proxy(
  {},
  { get: (_, name) => () => Promise.reject(new Error(`the core was asked to ${String(name)}`)) },
) as GatewayCoreApi;

const gatewayOf = (): Gateway =>
  createGatewayFront(NO_CORE, { chain: fixture.engine.genesis, clock: fixture.clock, reads });

beforeEach(async () => {
  fixture = await Fixture.open({ core: 'follows', limits: { pendingTtlMs: 60_000 } });
  rows = new ChainRows();
  const sql = rows.reader();
  reads = new EmbeddedReads({
    reader: new ChainReader(sql),
    events: new EventReader(sql),
    chainId: fixture.engine.genesis.chainId,
    logger: fixture.logger(),
  });
});
afterEach(async () => {
  rows.remove();
  await fixture.dispose();
});

async function stored(): Promise<StoredTransfer[]> {
  const { transfers } = await fixture.store.read((tx) => tx.listTransfers({ limit: 1000 }));
  return transfers.toReversed();
}

/** Writes what the core's store has into chain.db; the newest `inJournal` of the pending ones as entries of the journal. */
async function copy(inJournal: number): Promise<void> {
  const transfers = await stored();
  const accounts = await fixture.store.read((tx) => tx.accountsByAddress([...DEV_ADDRESSES, operatorAddress(3)]));
  for (const account of accounts.filter(({ onChain }) => onChain)) rows.account(account);
  const cut = transfers.length - inJournal;
  rows.block(transfers.slice(0, cut));
  for (const transfer of transfers.slice(cut)) {
    if (transfer.status !== 'pending')
      throw new Error(`seq ${transfer.seq} is ${transfer.status}, which the journal never holds`);
    rows.journal(accepted(transfer));
    if (transfer.cancelRequestedAtMs !== undefined) rows.journal(cancelOf(transfer.seq, transfer.cancelRequestedAtMs));
  }
}

const MINUTE_MS = 60_000;

/**
 * When one that is pending was broadcast first is in the memory of the gateway that did it, and in no row that could be copied. The blocks of
 * the copy are others, so the last one is another too.
 */
function asInRows(found: Awaited<ReturnType<Gateway['get']>>): typeof found {
  if (found === undefined || !('history' in found)) return found;
  const history = found.history.filter(({ event }) => found.status !== 'pending' || event !== 'broadcast');
  return { ...found, history, ledgerHeight: expect.any(Number) as unknown as number };
}

const DEV_ADDRESSES = Array.from({ length: DEV_ACCOUNTS }, (_, i) => devAddress(i));

/** Blocks that leave a transfer in every status, with every reason that one can have. */
async function settle(): Promise<void> {
  await fixture.accept({ from: 0, to: 1, nonce: 0 });
  await fixture.accept({ from: 1, to: 1, nonce: 0 });
  await fixture.block();
  const again = signedTransfer({ from: 0, to: 2, nonce: 1 });
  await fixture.submit(again);
  await fixture.accept({ from: 4, to: 0, nonce: 0, amount: 7n });
  await fixture.accept({ from: 8, to: 0, nonce: 1, amount: DEV_BALANCE });
  fixture.engine.forget();
  const elsewhere = [
    signedAgain(again, devSeed(0)),
    signedTransfer({ from: 4, to: 2, nonce: 0, amount: 9n }),
    signedTransfer({ from: 8, to: 2, nonce: 0, amount: 1n }),
  ];
  // The check state of a mempool would hold back what has too little money.
  fixture.engine.checks = false;
  await fixture.block({ outsiders: elsewhere.map(({ raw }) => raw) });
  await fixture.accept({ from: 7, to: 0, nonce: 3 });
  await fixture.gateway.cancel((await fixture.accept({ from: 0, to: 3, nonce: 2 })).txHash, ALICE, 0);
  await fixture.blocks(2);
  await fixture.clock.advance(2 * MINUTE_MS);
  await fixture.block({ afterMs: 2 * MINUTE_MS });
  await fixture.blocks(2);
}

/** Transfers that no block has seen: some run, some wait, one is to be cancelled, one receiver is new. */
async function accept(): Promise<number> {
  await fixture.accept({ from: 5, to: operatorAddress(3), nonce: 0 });
  await fixture.accept({ from: 5, to: 6, nonce: 1 });
  await fixture.accept({ from: 5, to: 5, nonce: 3 });
  await fixture.accept({ from: 6, to: 5, nonce: 0 });
  await fixture.gateway.cancel((await fixture.accept({ from: 6, to: 5, nonce: 1 })).txHash, ALICE, 0);
  await fixture.accept({ from: 6, to: 5, nonce: 2 });
  return 6;
}

test.each(['in the journal', 'in rows'])(
  'answer list, get and account as the core does, with the newest transfers %s',
  async (where) => {
    await settle();
    const newest = await accept();
    await copy(where === 'in the journal' ? newest : 0);
    const transfers = await stored();
    expect(new Set(transfers.map(({ status }) => status))).toEqual(
      new Set(['pending', 'committed', 'failed', 'cancelled', 'expired']),
    );
    expect(new Set(transfers.map(({ reason }) => reason))).toEqual(
      new Set([undefined, 'superseded_by_payment', 'insufficient_funds']),
    );
    expect(transfers.some(({ executedAs }) => executedAs !== undefined)).toBe(true);
    const gateway = gatewayOf();
    for (const { hash, executedAs } of transfers) {
      for (const either of [hash, hash.toLowerCase(), executedAs ?? hash])
        expect(await gateway.get(either)).toEqual(asInRows(await fixture.gateway.get(either)));
    }
    // The blocks of the copy are others.
    const copied = { height: expect.any(Number), blockTimeMs: expect.any(Number) };
    const addresses = [...DEV_ADDRESSES, operatorAddress(3)];
    for (const address of addresses)
      expect(await gateway.account(address)).toEqual({ ...(await fixture.gateway.account(address)), ...copied });
    const many = await fixture.gateway.accounts(addresses);
    if (!many.ok) throw new Error(many.detail);
    expect(await gateway.accounts(addresses)).toEqual({
      ...many,
      ...copied,
      accounts: many.accounts.map((account) => ({ ...account, ...copied })),
    });
    const named = [undefined, devAddress(0), devAddress(5), operatorAddress(3)];
    for (const status of STATUSES) {
      for (const from of named) {
        for (const to of named) {
          for (const account of [undefined, devAddress(0), devAddress(6)]) {
            const filters = {
              ...(status && { status }),
              ...(from && { from }),
              ...(to && { to }),
              ...(account && { account }),
            };
            for (const query of [{ limit: 3, ...filters }, ...(from ? [{ limit: 1, nonce: 1, ...filters }] : [])])
              expect(await pages(gateway, query)).toEqual(await pages(fixture.gateway, query));
          }
        }
      }
    }
  },
);

test('look a settled transfer up once, and one that may still change each time', async () => {
  await settle();
  await copy(await accept());
  const asked: string[] = [];
  class WatchedReader extends ChainReader {
    override transferByHash(hash: string): StoredTransfer | undefined {
      asked.push(hash);
      return super.transferByHash(hash);
    }
  }
  const sql = rows.reader();
  const watched = new EmbeddedReads({
    reader: new WatchedReader(sql),
    events: new EventReader(sql),
    chainId: fixture.engine.genesis.chainId,
    logger: fixture.logger(),
  });
  for (const { hash, status } of await stored()) {
    const first = watched.get(hash);
    expect(watched.get(hash)).toEqual(first);
    expect({ status, times: asked.filter((each) => each === hash).length }).toEqual({
      status,
      times: status === 'pending' ? 2 : 1,
    });
  }
});

/** Without the last block: those of the copy are others. */
async function pages(gateway: Gateway, query: ListQuery): Promise<unknown[]> {
  const all: unknown[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await gateway.list({ ...query, ...(cursor && { cursor }) });
    if (!page.ok) return [...all, page];
    const { height: _ofTheCopy, ...rest } = page;
    all.push(rest);
    cursor = page.nextCursor;
    if (cursor === undefined) return all;
  }
}

describe('arguments', () => {
  test('are judged before: hashes, addresses, cursors and limits that are none reach no database', async () => {
    const gateway = gatewayOf();
    rows.sql.exec('DROP TABLE by_hash');
    expect(await gateway.get('no hash')).toBeUndefined();
    for (const query of [
      { limit: 0 },
      { limit: 1001 },
      { limit: 1, cursor: 'AAAA' },
      { limit: 1, from: 'no address' },
      { limit: 1, nonce: 1 },
    ]) {
      expect(await gateway.list(query)).toEqual(await fixture.gateway.list(query));
      expect(await gateway.list(query)).toMatchObject({ ok: false });
    }
    expect(await gateway.account('no address')).toEqual(await fixture.gateway.account('no address'));
  });
});

describe('a database that does not answer', () => {
  test('is a refusal with a time to come back, for each of the three, and a line in the log', async () => {
    const gateway = gatewayOf();
    rows.damage('journal');
    for (const answer of [
      await gateway.get('AB'.repeat(32)),
      await gateway.list({ limit: 1 }),
      await gateway.account(devAddress(0)),
    ]) {
      expect(answer).toMatchObject({ ok: false, code: 'store_unavailable', retryAfterS: 5 });
    }
    expect(
      fixture.logged.filter(({ level, message }) => level === 'error' && message === 'the store did not answer'),
    ).toHaveLength(3);
  });
});
