/** What is asked of a service while chain.db does not have yet what the log has: nothing goes back, and nothing is paid twice. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { caughtUpTo, chainAtOnce, type WrittenChain } from '../../server/app/chain-index.ts';
import { ThreadReads } from '../../server/app/threads/thread-reads.ts';
import { CommitCount, commitCountMemory } from '../../server/store/embedded/commit-count.ts';
import { type ChainConnection, countCommits } from '../../server/store/embedded/connection.ts';
import { DEV_BALANCE, devAddress, signedTransfer, testGenesis } from '../ledger/support.ts';
import { VirtualClock } from '../engine/support/virtual-clock.ts';
import { inputOf } from './support/fixture.ts';
import { openEmbeddedGateway, type EmbeddedGateway } from './support/embedded-gateway.ts';

const BLOCK_MS = 1000;
const genesis = testGenesis();
const ALICE = { owner: 'alice', tokenId: 'token', scopes: [] };
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

let folder: string;
let clock: VirtualClock;
let memory: SharedArrayBuffer;
let commits: CommitCount;
let chain: WrittenChain;
let isHeld: boolean;
let sql: ChainConnection;
let running: EmbeddedGateway;
let reads: ThreadReads;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'txledger-behind-'));
  clock = new VirtualClock(Date.parse(genesis.genesisTime) + 60_000);
  memory = commitCountMemory();
  commits = new CommitCount(memory);
  isHeld = false;
  const file = join(folder, 'chain.db');
  running = await openEmbeddedGateway(folder, {
    clock,
    blockIntervalMs: BLOCK_MS,
    commits,
    onOpen: (opened) => {
      sql = opened;
      countCommits(sql, commits);
    },
    writeChain: ({ log, height }) => {
      chain = chainAtOnce({ sql, file, log, chainId: genesis.chainId, commits });
      return {
        get height() {
          return chain.height;
        },
        wake: () => (isHeld ? undefined : chain.wake()),
        caughtUp: () => caughtUpTo(commits, height),
        close: () => chain.close(),
      };
    },
  });
  await clock.advance(0);
  reads = new ThreadReads({ chain: { file, commits: memory }, chainId: genesis.chainId, logger: silent });
});

afterEach(async () => {
  go();
  reads.close();
  await running.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** chain.db is written from now on, and what waits too. */
function go(): void {
  isHeld = false;
  chain.wake();
}

const submit = (tx: Parameters<typeof signedTransfer>[0], key?: string) =>
  running.gateway.submit(inputOf(signedTransfer(tx)), ALICE, key);

/** Two payments in a block that chain.db does not have. */
async function paidBehind(): Promise<string> {
  isHeld = true;
  expect(await submit({ from: 0, to: 9, nonce: 0, amount: 5n }, 'key-1')).toMatchObject({ ok: true, replayed: false });
  await submit({ from: 1, to: 9, nonce: 0, amount: 1n });
  await clock.advance(BLOCK_MS);
  expect(running.ledger.engine.tip.height).toBeGreaterThan(chain.height);
  return signedTransfer({ from: 0, to: 9, nonce: 0, amount: 5n }).hash;
}

test('a payment of a block that chain.db does not have is found, by its bytes, its key, its place and its hash', async () => {
  const hash = await paidBehind();
  expect(await running.ledger.core.metrics()).toMatchObject({ index_behind_transfers: 2 });
  for (const atEnd of [false, true]) {
    if (atEnd) go();
    expect(await submit({ from: 0, to: 9, nonce: 0, amount: 5n }, 'key-1')).toMatchObject({
      ok: true,
      replayed: true,
      transaction: { txHash: hash, status: 'committed' },
    });
    expect(await submit({ from: 0, to: 9, nonce: 1, amount: 5n }, 'key-1')).toMatchObject({
      ok: false,
      code: 'idempotency_key_reused',
    });
    expect(await submit({ from: 0, to: 8, nonce: 0, amount: 6n })).toMatchObject({ ok: false, code: 'nonce_conflict' });
    expect(await running.gateway.cancel(hash, ALICE, 0)).toMatchObject({ ok: false, code: 'already_settled' });
    expect(await running.gateway.waitUntilSettled(hash, 0)).toMatchObject({ txHash: hash, status: 'committed' });
  }
  expect(await running.ledger.core.metrics()).toMatchObject({ index_behind_transfers: 0 });
});

test('a block that chain.db does not have is read from memory, and its transactions are found', async () => {
  const hash = await paidBehind();
  const { height } = running.ledger.engine.tip;
  const asked = async () => [
    await running.ledger.engine.rpc('block', { height }),
    await running.ledger.engine.rpc('commit', { height }),
    await running.ledger.engine.rpc('block_results', { height }),
    await running.ledger.engine.rpc('tx', { hash: Buffer.from(hash, 'hex') }),
  ];
  const before = await asked();
  expect(before.map(({ ok }) => ok)).toEqual([true, true, true, true]);
  go();
  expect(await asked()).toEqual(before);
});

test('a read waits for the block that was shown, and what it answers never goes back', async () => {
  const before = await reads.account(devAddress(0));
  const hash = await paidBehind();
  const answers = [
    reads.get(hash),
    reads.account(devAddress(0)),
    reads.list({ limit: 5 }),
    reads.events({ limit: 5, order: 'desc' }),
  ];
  // What came behind the block is not shown without it either.
  await submit({ from: 0, to: 9, nonce: 1, amount: 7n });
  const later = reads.account(devAddress(0));
  let isAnswered = false;
  void Promise.race([...answers, later].map((answer) => Promise.resolve(answer))).then(() => (isAnswered = true));
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  expect(isAnswered).toBe(false);
  go();
  const [got, account, list, events] = await Promise.all(answers);
  expect(before).toMatchObject({ balance: DEV_BALANCE.toString(), nonce: 0 });
  expect(got).toMatchObject({ txHash: hash, status: 'committed' });
  expect(account).toMatchObject({ balance: (DEV_BALANCE - 5n).toString(), nonce: 1 });
  expect(list).toMatchObject({
    transactions: [{ status: 'pending' }, { status: 'committed' }, { status: 'committed' }],
  });
  expect(events).toMatchObject({ events: [{ height: running.ledger.engine.tip.height }, {}] });
  expect(await later).toMatchObject({ nonce: 1, nextNonce: 2, available: (DEV_BALANCE - 12n).toString() });
});

test('a read that waits for too long is told so, and payments go on', async () => {
  const hash = await paidBehind();
  const impatient = new ThreadReads({
    chain: { file: join(folder, 'chain.db'), commits: memory },
    chainId: genesis.chainId,
    logger: silent,
    waitMsMax: 1,
  });
  expect(await impatient.get(hash)).toMatchObject({ ok: false, code: 'store_unavailable' });
  impatient.close();
  expect(await submit({ from: 2, to: 9, nonce: 0 })).toMatchObject({ ok: true });
});
