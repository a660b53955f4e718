/**
 * Snapshots that are kept from one read to the next: what was committed or shown before a read began is in it all the same, and whoever
 * waits for readers to leave does not wait for long.
 */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { sqliteChainStore } from '../../server/engine/embedded/sqlite-chain-store.ts';
import { CommitCount, commitCountMemory } from '../../server/store/embedded/commit-count.ts';
import { type ChainConnection, countCommits, writing } from '../../server/store/embedded/connection.ts';
import { EventReader } from '../../server/store/embedded/event-reader.ts';
import { ChainReader } from '../../server/store/embedded/reader.ts';
import { SNAPSHOT_KEPT_MS_MAX, Snapshots } from '../../server/store/embedded/snapshots.ts';
import { FaultyDatabase } from '../gateway/support/faulty-database.ts';
import { accepted, cancelOf, chainHash, ChainRows, chainTransfer, type RowInput } from './support/chain-rows.ts';

/** A timer of Node.js may be late by much on a busy machine, but not by this. */
const TIMER_LATE_MS_MAX = 500;
const NO_EVENTS = { limit: 1, order: 'asc', scanMax: 10 } as const;

let rows: ChainRows;
let memory: SharedArrayBuffer;
const open: Snapshots[] = [];

/** A thread that reads: a connection of its own, with the count. */
class Thread {
  readonly sql: ChainConnection;
  readonly snapshots: Snapshots;
  readonly chain: ChainReader;
  readonly events: EventReader;

  constructor(sql: ChainConnection = rows.reader()) {
    this.sql = sql;
    this.snapshots = new Snapshots(sql, new CommitCount(memory));
    open.push(this.snapshots);
    this.chain = new ChainReader(sql, this.snapshots);
    this.events = new EventReader(sql, this.snapshots);
  }
}

beforeEach(() => {
  memory = commitCountMemory();
  rows = new ChainRows();
  countCommits(rows.sql, new CommitCount(memory));
});
afterEach(() => {
  for (const snapshots of open.splice(0)) snapshots.close();
  rows.remove();
});

/** How many transactions a connection begins during this. */
function begun(faults: FaultyDatabase, work: () => void): number {
  faults.ran = [];
  work();
  return faults.ran.filter((text) => text === 'BEGIN').length;
}

describe('a snapshot', () => {
  test('is one for all reads between two commits, by whichever reader of the connection', () => {
    const faults = new FaultyDatabase();
    const { chain, events } = new Thread(faults.on(rows.reader()));
    rows.journal(accepted(chainTransfer(1)));
    const readAll = (): void => {
      chain.list({ limit: 9 });
      chain.transferByHash(chainHash(1));
      events.list(NO_EVENTS);
      chain.account('alice');
      chain.refresh();
    };
    expect(begun(faults, readAll)).toBe(1);
    expect(begun(faults, readAll)).toBe(0);
    rows.journal(accepted(chainTransfer(2)));
    expect(begun(faults, readAll)).toBe(1);
  });

  test('is one for each read without a count, and ends with it', () => {
    const faults = new FaultyDatabase();
    const sql = faults.on(rows.reader());
    const chain = new ChainReader(sql);
    expect(begun(faults, () => void [1, 2].map(() => chain.list({ limit: 9 })))).toBe(2);
    expect(sql.inTransaction).toBe(false);
  });

  test('is not kept while a commit is under way, nor after a read that failed', () => {
    const { sql, chain, snapshots } = new Thread();
    new CommitCount(memory).during(() => void chain.list({ limit: 9 }));
    expect(sql.inTransaction).toBe(false);
    chain.list({ limit: 9 });
    expect(sql.inTransaction).toBe(true);
    expect(() =>
      snapshots.read(() => {
        throw new Error('half done');
      }),
    ).toThrow('half done');
    expect(sql.inTransaction).toBe(false);
    rows.journal(accepted(chainTransfer(1)));
    expect(chain.list({ limit: 9 }).transfers).toHaveLength(1);
  });

  test('is not kept when a commit fell into the read: the next one sees it', () => {
    const { chain, snapshots } = new Thread();
    const readBeside = (write: () => void): void =>
      snapshots.read(() => {
        chain.list({ limit: 9 });
        write();
      });
    // Before the first commit, and with a snapshot that an earlier read has left.
    for (const seq of [1, 2]) {
      readBeside(() => rows.journal(accepted(chainTransfer(seq))));
      expect(chain.transferByHash(chainHash(seq))?.status).toBe('pending');
    }
  });

  test('that is kept ends by itself, so that an idle service holds up no checkpoint', async () => {
    const { sql, chain } = new Thread();
    rows.rows(chainTransfer(1));
    chain.list({ limit: 9 });
    rows.rows(chainTransfer(2));
    const left = (): number => {
      const [{ log, checkpointed }] = rows.sql.pragma('wal_checkpoint(PASSIVE)') as [
        { log: number; checkpointed: number },
      ];
      return log - checkpointed;
    };
    expect(left()).toBeGreaterThan(0);
    await sleep(SNAPSHOT_KEPT_MS_MAX);
    for (let waitedMs = 0; sql.inTransaction && waitedMs < TIMER_LATE_MS_MAX; waitedMs += 1) await sleep(1);
    expect(left()).toBe(0);
  });

  test('that was kept does not hide what questions without a snapshot ask for', () => {
    const { chain } = new Thread();
    chain.list({ limit: 9 });
    rows.block([chainTransfer(1, { idempotencyKey: 'key-1' })]);
    rows.journal(accepted(chainTransfer(2)));
    expect(chain.pendingRows().map(({ transfer }) => transfer.seq)).toEqual([1]);
    chain.list({ limit: 9 });
    rows.block([chainTransfer(2, { idempotencyKey: 'key-2' })]);
    expect(chain.keyed('dev', 'key-2')?.seq).toBe(2);
    chain.list({ limit: 9 });
    rows.block([chainTransfer(3)]);
    expect(chain.slots('alice', 3).map(({ seq }) => seq)).toEqual([3]);
    chain.list({ limit: 9 });
    rows.journal(accepted(chainTransfer(4)));
    expect(chain.journal()).toHaveLength(1);
  });

  test('is not kept while the log is long, so that the log begins again however much is read', () => {
    const commits = new CommitCount(memory);
    const store = sqliteChainStore({
      sql: rows.sql,
      writing: (work) => writing(rows.sql, work),
      onLog: (isLong) => commits.logIsLong('chain.db', isLong),
    });
    rows.sql.exec('CREATE TABLE filler (bytes BLOB); INSERT INTO filler VALUES (NULL)');
    const fill = rows.sql.prepare('UPDATE filler SET bytes = randomblob(?)');
    const [MIB, WRITTEN_MIB, LOG_MIB_MAX] = [2 ** 20, 200, 80];
    const { chain } = new Thread();
    for (let written = 0; written < WRITTEN_MIB; written += 1) {
      writing(rows.sql, () => fill.run(MIB));
      chain.list({ limit: 9 });
      store.maintain(false);
    }
    expect(statSync(`${rows.path}-wal`).size).toBeLessThan(LOG_MIB_MAX * MIB);
  });
});

describe('every read', () => {
  const THREADS = 3;
  const NONCES = 1_000;

  /** Accepts, cancels and settles, and knows what each read has to find. */
  class Writer {
    readonly #journal: RowInput[] = [];
    readonly #cancelled = new Set<number>();
    #seq = 0;
    height = 0;
    /** Of each transfer, by seq. */
    readonly shown = new Map<number, string>();

    accept(): void {
      const transfer = chainTransfer(++this.#seq, { nonce: this.#seq % NONCES });
      rows.journal(accepted(transfer));
      this.#journal.push(transfer);
      this.shown.set(transfer.seq, 'pending');
    }

    cancel(): void {
      const found = this.#journal.find(({ seq }) => !this.#cancelled.has(seq));
      if (found === undefined) return;
      rows.journal(cancelOf(found.seq));
      this.#cancelled.add(found.seq);
      this.shown.set(found.seq, 'pending, to be cancelled');
    }

    block(): void {
      const moved = this.#journal
        .splice(0)
        .map((transfer): RowInput => ({ ...transfer, status: 'committed', height: this.height + 1, blockTimeMs: 4 }));
      rows.block(moved);
      this.height += 1;
      for (const { seq } of moved) this.shown.set(seq, 'committed');
    }
  }

  const shownBy = ({ chain }: Thread): Map<number, string> =>
    new Map(
      chain
        .list({ limit: 100 })
        .transfers.map(({ seq, status, cancelRequestedAtMs }) => [
          seq,
          status === 'pending' && cancelRequestedAtMs !== undefined ? 'pending, to be cancelled' : status,
        ]),
    );

  function expectAll(thread: Thread, writer: Writer, how: number): void {
    const pending = [...writer.shown.values()].filter((shown) => shown !== 'committed').length;
    if (how === 0) expect(new Map([...shownBy(thread)].toReversed())).toEqual(writer.shown);
    if (how === 1) expect(thread.chain.tip().height).toBe(writer.height);
    if (how === 2) expect(thread.events.list(NO_EVENTS).height).toBe(writer.height);
    if (how === 3)
      expect(thread.chain.account('alice').pendingOut).toBe(2n ** 128n * BigInt(pending) - BigInt(pending));
    if (how === 4)
      for (const [seq, shown] of writer.shown)
        expect(shown).toContain(thread.chain.transferByHash(chainHash(seq))?.status);
  }

  const step = fc.oneof(
    fc.constantFrom('accept', 'accept', 'cancel', 'block'),
    fc.record({ thread: fc.nat(THREADS - 1), how: fc.nat(4) }),
    fc.record({ thread: fc.nat(THREADS - 1), how: fc.nat(4) }),
    fc.record({ thread: fc.nat(THREADS - 1), how: fc.nat(4) }),
  );

  test('has all that was acknowledged before it began, whichever thread reads, and in whatever order they do', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        rows.remove();
        rows = new ChainRows();
        countCommits(rows.sql, new CommitCount(memory));
        rows.account({ address: 'alice' });
        rows.account({ address: 'bob' });
        const writer = new Writer();
        const threads = Array.from({ length: THREADS }, () => new Thread());
        for (const each of steps) {
          if (typeof each === 'string') writer[each]();
          else expectAll(threads[each.thread] as Thread, writer, each.how);
        }
        for (const thread of threads) for (let how = 0; how < 5; how += 1) expectAll(thread, writer, how);
        for (const { snapshots } of threads) snapshots.close();
      }),
      { numRuns: 60 },
    );
  });

  test('has what another thread has shown already, in the moment between a commit and its end', () => {
    /** Looks at the moments of a commit that the writer's own thread never sees. */
    class Watched extends CommitCount {
      override during<T>(commit: () => T): T {
        return super.during(() => {
          for (const thread of threads) before.push(shownBy(thread).size);
          const done = commit();
          for (const thread of threads) after.push(shownBy(thread).size);
          return done;
        });
      }
    }
    const threads = Array.from({ length: THREADS }, () => new Thread());
    const [before, after]: [number[], number[]] = [[], []];
    countCommits(rows.sql, new Watched(memory));
    // Each has a snapshot of before; the last one ends it, and is the first to see more.
    for (const thread of threads) expect(shownBy(thread).size).toBe(0);
    threads.at(-1)?.snapshots.end();
    threads.reverse();
    rows.journal(accepted(chainTransfer(1)));
    expect([before, after]).toEqual([
      [0, 0, 0],
      [1, 1, 1],
    ]);
  });
});
