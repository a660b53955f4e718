/** Blocks that no one waits for are committed to chain.db together: which are, what ends that, and what others see of it meanwhile. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type Database from 'better-sqlite3';
import { caughtUpTo, openForCheckpoints } from '../../server/app/chain-index.ts';
import { BATCH_MS_MAX, BATCH_TRANSACTIONS_MAX, ChainWriter } from '../../server/app/chain-writer.ts';
import { statementReads } from '../../server/app/threads/statement-reads.ts';
import { ThreadReads } from '../../server/app/threads/thread-reads.ts';
import { openEventLog } from '../../server/app/webhooks/events.ts';
import { openLogReader } from '../../server/log/sqlite-log.ts';
import { decodeBlockEntry } from '../../server/store/embedded/block-entry.ts';
import { BLOCK, kindOf, type LogEntries, logBeside, textOf } from '../../server/store/embedded/chain-log.ts';
import { CommitCount, commitCountMemory } from '../../server/store/embedded/commit-count.ts';
import {
  type ChainConnection,
  countCommits,
  openChainDatabase,
  openChainReader,
} from '../../server/store/embedded/connection.ts';
import { StoreUnavailableError } from '../../server/store/errors.ts';
import { realClock } from '../engine/support/real-clock.ts';
import { VirtualClock } from '../engine/support/virtual-clock.ts';
import { openEmbeddedGateway } from '../gateway/support/embedded-gateway.ts';
import { ALICE, inputOf } from '../gateway/support/fixture.ts';
import { unwrittenChain } from '../gateway/support/unwritten-chain.ts';
import { devAddress, signedTransfer, TEST_CHAIN_ID, testGenesis } from '../ledger/support.ts';

const BLOCK_MS = 20;
const SMALL_BLOCKS = 8;
const SENDERS = 6;
const TRANSFERS_OF_SENDER = 400;

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** A folder whose log has blocks that chain.db has not: first some of one transfer or two, then full ones. */
let prepared: string;
/** By height, from 1 on: the entry of each block, and its transactions. */
let blocks: { seq: number; transactions: number }[];
/** What a case is of. */
let folder: string;
const writers: Writer[] = [];

beforeAll(async () => {
  prepared = mkdtempSync(join(tmpdir(), 'txledger-commits-'));
  const clock = new VirtualClock(Date.parse(testGenesis().genesisTime) + 60_000);
  const { gateway, ledger, stop } = await openEmbeddedGateway(prepared, {
    clock,
    blockIntervalMs: BLOCK_MS,
    writeChain: unwrittenChain,
  });
  const settled = async (): Promise<void> => {
    while ((await ledger.core.metrics()).pending > 0) await clock.advance(BLOCK_MS);
  };
  let nonce = 0;
  for (let block = 0; block < SMALL_BLOCKS; block += 1) {
    // Each transfer is an entry of its own before that of the block, so that blocks have odd and even numbers in the log.
    for (let count = 1 + (block % 2); count > 0; count -= 1, nonce += 1)
      await gateway.submit(inputOf(signedTransfer({ nonce })), ALICE);
    await settled();
  }
  const many = Array.from({ length: SENDERS * TRANSFERS_OF_SENDER }, (_, index) =>
    signedTransfer({ from: 1 + (index % SENDERS), nonce: Math.floor(index / SENDERS), to: 9 }),
  );
  await Promise.all(many.map((one) => gateway.submit(inputOf(one), ALICE)));
  await settled();
  await stop();
  const { log, close } = openLogReader(logBeside(join(prepared, 'chain.db')));
  blocks = (log.follow(0, Number.MAX_SAFE_INTEGER) ?? [])
    .filter((entry) => kindOf(entry) === BLOCK)
    .map((entry) => ({ seq: entry.seq, transactions: decodeBlockEntry(textOf(entry)).order.length }));
  close();
});
afterAll(() => rmSync(prepared, { recursive: true, force: true }));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'txledger-commits-'));
  cpSync(prepared, folder, { recursive: true });
});
afterEach(() => {
  const ended = writers.splice(0);
  for (const writer of ended) writer.kill();
  rmSync(folder, { recursive: true, force: true });
  for (const { leftWaiting, misnamed } of ended) expect({ leftWaiting, misnamed }).toEqual(NO_FAULTS);
});

/** Of every writer, in every case. */
const NO_FAULTS = { leftWaiting: [], misnamed: [] };

/** A writer of chain.db as its thread has it, over a log that ends where the test says. */
class Writer {
  readonly file = join(folder, 'chain.db');
  readonly memory = commitCountMemory();
  readonly commits = new CommitCount(this.memory);
  readonly sql: ChainConnection = openChainDatabase({ path: this.file });
  readonly writer: ChainWriter;
  nowMs = 0;
  /** Of commits that were made. */
  committed: number[] = [];
  /** Blocks that a caller waited for and that a call because of it did not commit. */
  readonly leftWaiting: number[] = [];
  /** Commits that name another entry than that of their last block. */
  readonly misnamed: { height: number; named: unknown; expected: unknown }[] = [];
  readonly #close: (() => void)[] = [];
  #seq = 0;
  #isDead = false;
  #onDue: (() => void)[] = [];
  /** The log cannot be read. */
  fault: Error | undefined;

  constructor() {
    writers.push(this);
    countCommits(this.sql, this.commits);
    const { log, close } = openLogReader(logBeside(this.file));
    const logSql = openForCheckpoints(this.file);
    this.#close.push(
      close,
      () => logSql.close(),
      () => this.sql.close(),
    );
    const entries: LogEntries = {
      first: () => log.first(),
      follow: (seq, bytesMax) => {
        if (this.fault !== undefined) throw this.fault;
        return log.follow(seq, bytesMax)?.filter((entry) => entry.seq <= this.#seq);
      },
    };
    this.writer = new ChainWriter({
      sql: this.sql,
      log: entries,
      logSql,
      chainId: TEST_CHAIN_ID,
      commits: this.commits,
      monotonicMs: () => this.nowMs,
      onDue: () => {
        this.write();
        this.#commitForWaiting();
        for (const resolve of this.#onDue.splice(0)) resolve();
      },
    });
    const namedSeq = this.sql.prepare<[], number>('SELECT entry_seq FROM chain').pluck();
    const wrote = this.commits.wrote.bind(this.commits);
    this.commits.wrote = (height) => {
      this.committed.push(height);
      const [named, expected] = [namedSeq.get(), blocks[height - 1]?.seq];
      if (named !== expected) this.misnamed.push({ height, named, expected });
      wrote(height);
    };
  }

  /** A writer that ignores who waits would be called again and again, and the case would never end: it fails by `leftWaiting` instead. */
  #commitForWaiting(): void {
    const { height } = this.writer;
    if (this.#isDead || height >= this.commits.logHeight || !this.commits.isWantedBeyond(height)) return;
    this.leftWaiting.push(this.commits.logHeight);
    this.writer.end();
  }

  /** As the thread does it for each message. */
  write(): void {
    if (this.#isDead) return;
    while (this.writer.next()) this.writer.maintain(false);
    this.writer.maintain(true);
  }

  /** The log has these blocks, and the thread has heard of each. */
  logTo(height: number): void {
    for (let next = this.commits.logHeight + 1; next <= height; next += 1) {
      this.#seq = blocks[next - 1]?.seq ?? 0;
      this.commits.logged(next);
      this.write();
    }
  }

  /** Resolves when the writer was called because of a wait, or of its time. */
  wasDue(): Promise<void> {
    return new Promise((resolve) => this.#onDue.push(resolve));
  }

  /** What the thread has not committed is lost. */
  kill(): void {
    if (this.#isDead) return;
    this.#isDead = true;
    for (const close of this.#close) close();
  }
}

/** Of the blocks up to this one. */
const settledUpTo = (height: number): number =>
  blocks.slice(0, height).reduce((sum, { transactions }) => sum + transactions, 0);

/** As another thread sees it. */
function heightSeen(sql: Database.Database): number {
  return sql.prepare<[], number>('SELECT coalesce(max(height), 0) FROM blocks').pluck().get() ?? 0;
}

test('blocks are odd and even entries of the log', () => {
  expect(new Set(blocks.slice(0, SMALL_BLOCKS).map(({ seq }) => seq % 2))).toEqual(new Set([0, 1]));
});

test('blocks that no one waits for are one commit', () => {
  const chain = new Writer();
  const reader = openChainReader(chain.file);
  chain.logTo(5);
  expect([chain.committed, chain.writer.height, heightSeen(reader)]).toEqual([[], 0, 0]);
  chain.nowMs += BATCH_MS_MAX;
  chain.logTo(6);
  expect([chain.committed, chain.writer.height, heightSeen(reader)]).toEqual([[6], 6, 6]);
  reader.close();
});

describe('what waits for a block gets it at once, though no time passes:', () => {
  const queryOf = (chain: Writer): ThreadReads =>
    new ThreadReads({ chain: { file: chain.file, commits: chain.memory }, chainId: TEST_CHAIN_ID, logger: silent });

  test.each<[who: string, ask: (chain: Writer) => Promise<unknown>]>([
    ['the ledger thread', (chain) => caughtUpTo(new CommitCount(chain.memory), () => 3)],
    [
      'a read of events',
      async (chain) => {
        const reads = queryOf(chain);
        const page = await reads.events({ limit: 10, order: 'asc' });
        reads.close();
        expect(page).toMatchObject({ ok: true, height: 3 });
      },
    ],
    [
      'a list by status',
      async (chain) => {
        const reads = queryOf(chain);
        const page = await reads.list({ limit: 10, status: 'committed' });
        reads.close();
        expect(page).toMatchObject({ ok: true, height: 3 });
      },
    ],
    [
      'the webhooks thread',
      async (chain) => {
        const { source, close } = await openEventLog({
          location: { kind: 'chain', path: chain.file },
          commits: chain.memory,
          chainId: TEST_CHAIN_ID,
          clock: realClock,
          logger: silent,
        });
        const { events } = await source.after({ height: 0, index: 0 }, 10);
        await close();
        expect(events).toHaveLength(settledUpTo(3));
      },
    ],
    [
      'a statement',
      async (chain) => {
        const reads = queryOf(chain);
        const statements = statementReads({
          file: join(folder, 'statements.db'),
          want: reads.want,
          chainId: TEST_CHAIN_ID,
          height: () => reads.height(),
          clock: realClock,
          logger: silent,
        });
        void statements.accountAt(devAddress(0), 3);
        await chain.commits.loggedBeyond(0, 0);
        await caughtUp(chain, 3);
        statements.close();
        reads.close();
      },
    ],
  ])('%s', async (_, ask) => {
    const chain = new Writer();
    chain.logTo(3);
    expect(chain.writer.height).toBe(0);
    await ask(chain);
    expect(chain.leftWaiting).toEqual([]);
    expect(chain.committed).toEqual([3]);
    // One who waits already gets the next block when it comes.
    const wait = new CommitCount(chain.memory).beyond(3, 10_000);
    chain.logTo(4);
    await wait;
    expect(chain.committed).toEqual([3, 4]);
    chain.logTo(6);
    expect(chain.committed).toEqual([3, 4]);
  });

  /** Without waiting for it as one who wants it. */
  async function caughtUp(chain: Writer, height: number): Promise<void> {
    while (chain.writer.height < height) await chain.wasDue();
  }
});

test('a batch is committed when its time is over, also when nothing more comes', async () => {
  const chain = new Writer();
  chain.nowMs = 1000;
  chain.logTo(1);
  chain.nowMs += BATCH_MS_MAX - 1;
  chain.logTo(2);
  expect(chain.committed).toEqual([]);
  chain.nowMs += 1;
  // The wait of the thread is of this machine's time, and what it finds then is of the other clock.
  await chain.wasDue();
  expect(chain.committed).toEqual([2]);
  chain.logTo(3);
  chain.nowMs += BATCH_MS_MAX - 1;
  chain.logTo(4);
  expect(chain.committed).toEqual([2]);
});

test('a batch is committed when it has many transfers', () => {
  const chain = new Writer();
  const full = blocks.findIndex((_, index) => settledUpTo(index + 1) >= BATCH_TRANSACTIONS_MAX) + 1;
  expect(full).toBeGreaterThan(SMALL_BLOCKS + 1);
  chain.logTo(full - 1);
  expect(chain.committed).toEqual([]);
  chain.logTo(full);
  expect(chain.committed).toEqual([full]);
});

test('the end commits what is open, and nothing is called behind it', async () => {
  const chain = new Writer();
  chain.logTo(4);
  let isCalled = false;
  void chain.wasDue().then(() => (isCalled = true));
  chain.writer.end();
  expect(chain.committed).toEqual([4]);
  await new CommitCount(chain.memory).beyond(4, 2 * BATCH_MS_MAX);
  expect(isCalled).toBe(false);
});

test('what a kill leaves names an entry, and the next writer goes on behind it', async () => {
  const first = new Writer();
  first.logTo(2);
  first.nowMs += BATCH_MS_MAX;
  first.logTo(3);
  first.logTo(SMALL_BLOCKS);
  first.kill();
  const second = new Writer();
  expect(second.writer.height).toBe(3);
  second.kill();
  const { sql, ledger, stop } = await openEmbeddedGateway(folder, { clock: realClock, blockIntervalMs: 10_000 });
  expect(ledger.engine.tip.height).toBeGreaterThanOrEqual(blocks.length);
  expect(sql.prepare('SELECT count(*) FROM events').pluck().get()).toBe(settledUpTo(blocks.length));
  await stop();
});

test('a read on another connection sees blocks whole, and all of a batch or nothing', () => {
  const chain = new Writer();
  const reader = openChainReader(chain.file);
  const seen = reader
    .prepare(
      `SELECT (SELECT coalesce(max(height), 0) FROM blocks), (SELECT entry_seq FROM chain), (SELECT count(*) FROM events),
              (SELECT count(*) FROM transfers), (SELECT count(*) FROM by_slot)`,
    )
    .raw();
  const before = seen.get();
  const heights: unknown[] = [];
  for (let height = 1; height <= SMALL_BLOCKS; height += 1) {
    chain.logTo(height);
    const [block = 0, ...rest] = seen.get() as number[];
    heights.push(block);
    const settled = settledUpTo(block);
    if (block === 0) expect([block, ...rest]).toEqual(before);
    else expect(rest).toEqual([blocks[block - 1]?.seq, settled, settled, settled]);
    chain.nowMs += BATCH_MS_MAX / 2;
  }
  expect(heights).toEqual([0, 0, 3, 3, 3, 6, 6, 6]);
  reader.close();
});

test('a batch that fails is taken back whole, and its blocks are written one by one', () => {
  const chain = new Writer();
  chain.logTo(2);
  chain.fault = new StoreUnavailableError('no');
  expect(() => chain.logTo(3)).toThrow(StoreUnavailableError);
  expect(chain.sql.inTransaction).toBe(false);
  expect(chain.committed).toEqual([]);
  chain.fault = undefined;
  chain.logTo(4);
  expect(chain.committed).toEqual([1, 2]);
  chain.nowMs += BATCH_MS_MAX;
  chain.logTo(5);
  expect(chain.committed).toEqual([1, 2, 5]);
});
