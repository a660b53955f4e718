/** While chain.db is behind the log: what waits for it waits long enough, what was signed is known, and payments wait for none of it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { caughtUpTo, type WrittenChain } from '../../server/app/chain-index.ts';
import { sqliteChainStore } from '../../server/engine/embedded/index.ts';
import { rewriteFirst } from '../log/support/rewrite.ts';
import { BLOCK } from '../../server/store/embedded/chain-log.ts';
import { CommitCount, commitCountMemory } from '../../server/store/embedded/commit-count.ts';
import type { AccessWrite } from '../../server/store/index.ts';
import { realClock } from '../engine/support/real-clock.ts';
import { unwrittenChain } from '../gateway/support/unwritten-chain.ts';
import { type EmbeddedGateway, openEmbeddedGateway } from '../gateway/support/embedded-gateway.ts';
import { ALICE, inputOf } from '../gateway/support/fixture.ts';
import { devAddress, signedTransfer } from '../ledger/support.ts';

const WAIT_MS = 20_000;

const NOT_OURS =
  /^log\.db: entry \d+ is not one that this program writes \(.*\)\. Put a backup of the data folder back/;

const cleanups: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function opened(writeChain?: () => WrittenChain): Promise<EmbeddedGateway> {
  const folder = folderOf();
  const gateway = await openedIn(folder, writeChain);
  cleanups.push(() => gateway.stop());
  return gateway;
}

function folderOf(): string {
  const folder = mkdtempSync(join(tmpdir(), 'txledger-chain-behind-'));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const openedIn = (folder: string, writeChain?: () => WrittenChain): Promise<EmbeddedGateway> =>
  openEmbeddedGateway(folder, { clock: realClock, blockIntervalMs: 20, ...(writeChain && { writeChain }) });

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
  const { gateway, ledger, sql } = await opened(unwrittenChain);
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

test('access is changed while another process holds chain.db: nothing waits for it', async () => {
  const { ledger, sql } = await opened(unwrittenChain);
  const other = new Database(sql.name);
  other.exec('BEGIN IMMEDIATE');
  const bound = { address: devAddress(1), owner: 'acme', boundAtMs: 1 };
  const writes: AccessWrite[] = [['saveBinding', bound]];
  await ledger.core.changeAccess({ reads: {}, decide: () => ({ result: true, writes }) });
  expect(await ledger.core.mayActFor(devAddress(1), 'globex')).toBe(false);
  other.close();
});

const without = (name: string) => (entry: Record<string, unknown>) => ({ ...entry, [name]: undefined });

test.each<[what: string, change: (entry: Record<string, unknown>) => unknown, says: RegExp]>([
  [
    'another time',
    (entry) => ({ ...entry, timeNs: String(BigInt(entry['timeNs'] as string) + 1n) }),
    /entry \d+ is of block 1 at \d+ ns .*, and the header in it is of block 1 at \d+ ns/,
  ],
  [
    'another time of what it settles',
    (entry) => ({ ...entry, blockTimeMs: (entry['blockTimeMs'] as number) + 1 }),
    /the header in it is of block 1/,
  ],
  ['nothing', () => null, NOT_OURS],
  ['no accounts', without('accounts'), NOT_OURS],
  ['no id', without('id'), NOT_OURS],
  ['no time', without('timeNs'), NOT_OURS],
  ['no events', without('events'), NOT_OURS],
  ['no audit lines', without('audit'), NOT_OURS],
  ['no bytes around the transactions', without('around'), NOT_OURS],
  [
    'changes without their members',
    (entry) => ({ ...entry, changes: [[]] }),
    /a transfer with the unknown status undefined/,
  ],
])('an entry of a block with hashes that fit and with %s is refused with a sentence', async (_, change, says) => {
  const folder = folderOf();
  const { gateway, stop } = await openedIn(folder, unwrittenChain);
  await gateway.submit(inputOf(signedTransfer()), ALICE);
  expect(await gateway.waitUntilSettled(signedTransfer().hash, WAIT_MS)).toMatchObject({ status: 'committed' });
  await stop();
  rewriteFirst(join(folder, 'log.db'), (text) => JSON.stringify(change(JSON.parse(text))), {
    forged: true,
    kind: BLOCK,
  });
  const error = await openedIn(folder).catch((caught: unknown) => caught);
  expect((error as Error).message).toMatch(says);
  // A start ends with 2 then.
  expect((error as Error).name).toBe('StoreDamagedError');
});

test('a time beside a block that is not that of its header is refused', async () => {
  const folder = folderOf();
  const { gateway, sql, stop } = await openedIn(folder);
  await gateway.submit(inputOf(signedTransfer()), ALICE);
  expect(await gateway.waitUntilSettled(signedTransfer().hash, WAIT_MS)).toMatchObject({ status: 'committed' });
  sql.exec('UPDATE blocks SET time_ns = time_ns + 1 WHERE height = (SELECT max(height) FROM blocks) - 1');
  await stop();
  await expect(openedIn(folder)).rejects.toThrow(
    /chain\.db is damaged: block \d+: its row says another time \(\d+ ns\) than its header \(\d+ ns\)/,
  );
});

test.each([
  ['blocks', { blocks: 3, bytes: Infinity }],
  ['bytes', { blocks: Infinity, bytes: 1 }],
])('with too many %s that chain.db does not have, no further block is made until it has them', async (_, behindMax) => {
  const index = { ...unwrittenChain() };
  const gateway = await openEmbeddedGateway(folderOf(), {
    clock: realClock,
    blockIntervalMs: 20,
    idleBlockMs: 20,
    writeChain: () => index as WrittenChain,
    behindMax,
  });
  cleanups.push(() => gateway.stop());
  const { engine } = gateway.ledger;
  const held = async (): Promise<number> => {
    while ((await engine.status()).healthy) await new Promise((resolve) => setTimeout(resolve, 5));
    return engine.tip.height;
  };
  const first = await held();
  expect(first).toBe(behindMax.blocks === 3 ? 3 : 1);
  expect(await engine.status()).toMatchObject({
    clockHeld: false,
    detail: expect.stringMatching(/^chain\.db is too many blocks behind log\.db/),
  });
  // A payment is taken, and waits.
  expect(await gateway.gateway.submit(inputOf(signedTransfer()), ALICE)).toMatchObject({ ok: true });
  expect(engine.tip.height).toBe(first);
  Object.assign(index, { height: first });
  while (engine.tip.height === first) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(await held()).toBe(2 * first);
});
