/** While chain.db is behind the log: what waits for it waits long enough, what was signed is known, and payments wait for none of it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { caughtUpTo, type WrittenChain } from '../../server/app/chain-index.ts';
import { sqliteChainStore } from '../../server/engine/embedded/index.ts';
import { CommitCount, commitCountMemory } from '../../server/store/embedded/commit-count.ts';
import { realClock } from '../engine/support/real-clock.ts';
import { type EmbeddedGateway, openEmbeddedGateway } from '../gateway/support/embedded-gateway.ts';
import { ALICE, inputOf } from '../gateway/support/fixture.ts';
import { signedTransfer } from '../ledger/support.ts';

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

test('a wait for chain.db covers the blocks that came meanwhile', async () => {
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
