/** While chain.db is behind the log: nothing is answered from before a block that was shown, and what was signed is known beside the log. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { caughtUpTo, type WrittenChain } from '../../server/app/chain-index.ts';
import { sqliteChainStore } from '../../server/engine/embedded/index.ts';
import { EmbeddedReads } from '../../server/gateway/embedded/reads.ts';
import { CommitCount, commitCountMemory } from '../../server/store/embedded/commit-count.ts';
import { EventReader } from '../../server/store/embedded/event-reader.ts';
import { ChainReader } from '../../server/store/embedded/reader.ts';
import { Snapshots } from '../../server/store/embedded/snapshots.ts';
import { realClock } from '../engine/support/real-clock.ts';
import { type EmbeddedGateway, openEmbeddedGateway } from '../gateway/support/embedded-gateway.ts';
import { ALICE, inputOf } from '../gateway/support/fixture.ts';
import { devAddress, signedTransfer } from '../ledger/support.ts';
import { accepted, ChainRows, chainTransfer } from '../store/support/chain-rows.ts';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const WAIT_MS = 20_000;
/** Whoever waits for a payment notices. */
const LOCK_WAIT_MS = 1000;

const cleanups: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function opened(writeChain?: () => WrittenChain): Promise<EmbeddedGateway> {
  const folder = mkdtempSync(join(tmpdir(), 'txledger-chain-behind-'));
  const gateway = await openEmbeddedGateway(folder, {
    clock: realClock,
    blockIntervalMs: 20,
    ...(writeChain && { writeChain }),
  });
  cleanups.push(
    () => rmSync(folder, { recursive: true, force: true }),
    () => gateway.stop(),
  );
  return gateway;
}

/** As a thread that stands still writes it. */
const neverWritten = (): WrittenChain => ({
  height: 0,
  wake: () => undefined,
  caughtUp: async () => undefined,
  close: async () => undefined,
});

test('no read has what comes behind a block of the log, before chain.db has the block', () => {
  const rows = new ChainRows();
  cleanups.push(() => rows.remove());
  rows.journal(accepted(chainTransfer(1)));
  rows.block([chainTransfer(1)]);
  const sql = rows.reader();
  const snapshots = new Snapshots(sql);
  const reads = new EmbeddedReads({
    reader: new ChainReader(sql, snapshots),
    events: new EventReader(sql, snapshots),
    chainId: 'txledger-test-1',
    logger: silent,
  });
  const events = { order: 'asc', limit: 10 } as const;
  const asked = [
    () => reads.list({ limit: 10 }),
    () => reads.account(devAddress(0)),
    () => reads.events(events),
    () => reads.events({ ...events, type: 'transaction.committed', status: 'failed' }),
  ];
  rows.journal(accepted(chainTransfer(2)));
  const before = asked.map((ask) => ask());
  expect(before[0]).toMatchObject({ transactions: [{ status: 'pending' }, {}] });
  rows.log.appendBlock('{}');
  rows.journal(accepted(chainTransfer(3)));
  expect(asked.map((ask) => ask())).toEqual(before);
  rows.block([chainTransfer(2), chainTransfer(3)]);
  rows.journal(accepted(chainTransfer(4)));
  expect(reads.list({ limit: 10 })).toMatchObject({ transactions: { length: 4 } });
});

test('whoever waits for chain.db waits for the blocks of meanwhile too', async () => {
  const commits = new CommitCount(commitCountMemory());
  let height = 1;
  let isThere = false;
  const wait = caughtUpTo(commits, () => height).then(() => (isThere = true));
  height = 2;
  commits.wrote(1);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(isThere).toBe(false);
  commits.wrote(2);
  await wait;
});

test('what was signed last is told of the log, also while chain.db does not have the block', async () => {
  const { gateway, ledger, sql } = await opened(neverWritten);
  const transfer = signedTransfer();
  await gateway.submit(inputOf(transfer), ALICE);
  expect(await gateway.waitUntilSettled(transfer.hash, WAIT_MS)).toMatchObject({ status: 'committed' });
  expect(sqliteChainStore({ sql, writing: (work) => work() }).lastSigned()).toBeUndefined();
  expect(ledger.lastSigned()?.height).toBe(ledger.engine.tip.height);
});

test('a checkpoint without room for it ends nothing', async () => {
  const { gateway, sql } = await opened();
  const pragma = sql.pragma.bind(sql);
  sql.pragma = (source, options) => {
    if (source.startsWith('wal_checkpoint')) throw Object.assign(new Error('full'), { code: 'SQLITE_FULL' });
    return pragma(source, options);
  };
  for (const nonce of [0, 1]) {
    const transfer = signedTransfer({ nonce });
    await gateway.submit(inputOf(transfer), ALICE);
    expect(await gateway.waitUntilSettled(transfer.hash, WAIT_MS)).toMatchObject({ status: 'committed' });
  }
});

test('a token is not waited for while another process holds chain.db, because payments would wait with it', async () => {
  const { gateway, ledger, sql } = await opened(neverWritten);
  const other = new Database(sql.name);
  other.exec('BEGIN IMMEDIATE');
  const transfer = signedTransfer();
  // Both are asked for at once, and one thread answers both.
  const marked = ledger.core.tokensUsed([{ id: 'a', atMs: 1 }]);
  expect(await gateway.submit(inputOf(transfer), ALICE)).toMatchObject({ ok: true });
  await marked;
  expect(sql.pragma('busy_timeout', { simple: true })).toBeLessThan(LOCK_WAIT_MS);
  other.close();
});
