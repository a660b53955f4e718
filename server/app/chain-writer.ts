/**
 * Writes chain.db from the log: a transaction holds one block or several, with the transfers that they settle, and the number of the last
 * log entry in it. At a start it brings chain.db to the end of the log, and from then on it follows.
 *
 * A block changes some 400 pages regardless of its content, and the next one changes most of them again. So blocks are committed together,
 * except those that a caller waits for.
 *
 * @module
 */
import type { Database, Statement } from 'better-sqlite3';
import type { Stopwatch } from '../engine/ports.ts';
import { decodeBlock, nsToMs, partsOf } from '../engine/encoding/index.ts';
import { type BlockToWrite, sqliteChainStore } from '../engine/embedded/index.ts';
import { decodeTransaction, txHash } from '../ledger/index.ts';
import type { LogEntry, LogPlace } from '../log/log.ts';
import { decodeAccess } from '../store/embedded/access-entry.ts';
import { accessWriter } from '../store/embedded/admin.ts';
import { type LocalWebhookWrite, webhookWriter } from '../store/embedded/webhooks.ts';
import { assembleBlock, type BlockEntry, decodeBlockEntry } from '../store/embedded/block-entry.ts';
import type { SignedTransfer, TransferChange } from '../store/embedded/block-rows.ts';
import {
  ACCESS,
  accessSeqIn,
  BLOCK,
  GROUP,
  heldIn,
  kindOf,
  type LogEntries,
  readable,
  textOf,
} from '../store/embedded/chain-log.ts';
import type { CommitCount } from '../store/embedded/commit-count.ts';
import { type ChainConnection, WriteBatch } from '../store/embedded/connection.ts';
import { type AcceptedEntry, decodeEntries } from '../store/embedded/journal.ts';
import { TransferWriter } from '../store/embedded/transfer-writer.ts';
import type { TransferRow } from '../store/embedded/block-rows.ts';
import { StoreDamagedError } from '../store/errors.ts';
import { sqliteCode } from '../store/sqlite/library.ts';
import type { StoredTransfer } from '../store/index.ts';

/** Bytes of the log that are read at one time. */
const READ_BYTES = 8 * 1024 * 1024;
/** A checkpoint that fails with these codes has changed nothing that readers see. */
const NO_ROOM = /^SQLITE_(FULL|BUSY|LOCKED|CANTOPEN)/;
/**
 * Size from which a write-ahead log is copied into its database file: a page that was written twice since the last checkpoint is copied
 * once, and an entry of log.db that was dropped meanwhile is never copied.
 */
const CHECKPOINT_BYTES_MIN = 8 * 1024 * 1024;
/** Size from which readers leave the write-ahead log, until it begins again at its start. */
const LONG_BYTES_MIN = 16 * 1024 * 1024;

/**
 * Longest time for which blocks are committed together. It bounds the work that a kill leaves to the next start, and how old chain.db is
 * for other processes.
 */
export const BATCH_MS_MAX = 250;
/**
 * Most transactions that are committed together: they change nearly every page of the newest index segments, and their changes fit into the
 * writer's cache.
 */
export const BATCH_TRANSACTIONS_MAX = 2000;

export interface ChainWriterOptions {
  /** A connection that writes chain.db. */
  sql: ChainConnection;
  log: LogEntries;
  /** A connection that writes log.db, for its checkpoints. */
  logSql: Database;
  chainId: string;
  /** Receives the progress of chain.db, and reports of long write-ahead logs. */
  commits: CommitCount;
  /** Measures each commit. */
  blocks?: Stopwatch | undefined;
  /** Measures each checkpoint of chain.db. */
  checkpoints?: Stopwatch | undefined;
  /**
   * Called when uncommitted blocks have to be committed: call `next` then. Without it everything is committed when the log has no more
   * entries.
   */
  onDue?: (() => void) | undefined;
  /** The clock of this machine when absent. */
  monotonicMs?: (() => number) | undefined;
}

/** The progress of chain.db. */
interface Reached {
  /** The last entry that it names. */
  place: LogPlace;
  height: number;
  /** The number of the last change of access. */
  accessSeq: number;
}

export class ChainWriter {
  readonly #options: ChainWriterOptions;
  readonly #monotonicMs: () => number;
  readonly #batch: WriteBatch;
  readonly #store: ReturnType<typeof sqliteChainStore>;
  readonly #writeAccess: ReturnType<typeof accessWriter>;
  readonly #webhooks: ReturnType<typeof webhookWriter>;
  readonly #saveAccessSeq: Statement<[number]>;
  #transfers: TransferWriter;
  /** The last entry that was read. */
  #read: number;
  /** The entry that was applied last, or failed. */
  #tried = 0;
  #committed: Reached;
  /** The progress including the open batch. */
  #applied: Reached;
  /** Number of transactions in the open batch. */
  #transactions = 0;
  #dueMs = 0;
  /** The open batch has something that readers wait for without announcing it (`isWantedBeyond`). */
  #isUrgent = false;
  /** Up to this entry each block is committed by itself, because a batch with it failed: so the blocks before it are written. */
  #aloneUpTo = 0;
  #isWatching = false;
  #hasEnded = false;
  /** Accepted since the last block, by seq. */
  readonly #accepted = new Map<number, AcceptedEntry>();
  /** Transfers that a block left pending, by seq. */
  readonly #pending = new Map<number, SignedTransfer>();
  /** The last block had no transaction. */
  #isIdle = false;

  constructor(options: ChainWriterOptions) {
    const { sql, log, checkpoints, commits, monotonicMs = () => performance.now() } = options;
    this.#options = options;
    this.#monotonicMs = monotonicMs;
    this.#batch = new WriteBatch(sql, options.blocks);
    this.#store = sqliteChainStore({
      sql,
      writing: (work) => this.#batch.write(work),
      onLog: (isLong) => commits.logIsLong('chain.db', isLong),
      ...(checkpoints && { checkpoints }),
    });
    this.#writeAccess = accessWriter(sql);
    this.#webhooks = webhookWriter(sql);
    this.#saveAccessSeq = sql.prepare('UPDATE chain SET access_seq = ?');
    this.#transfers = new TransferWriter(sql);
    this.#committed = { place: heldIn(sql, log.first()), height: this.#store.height(), accessSeq: accessSeqIn(sql) };
    this.#applied = this.#committed;
    this.#read = this.#committed.place.seq;
    commits.wrote(this.height);
    commits.wroteAccess(this.accessSeq);
  }

  /** The last block that chain.db has. */
  get height(): number {
    return this.#committed.height;
  }

  /** The last change of access that chain.db has. */
  get accessSeq(): number {
    return this.#committed.accessSeq;
  }

  /**
   * Applies the next block, or the next change of access, of the log, and commits when the batch is due. Throws as `Store.write` does; then
   * everything uncommitted was rolled back: call it again.
   * @returns false if the log has no more entries.
   */
  next(): boolean {
    return this.#wholly(() => {
      const hasApplied = this.#applyNext();
      const { onDue } = this.#options;
      if (this.#isDue() || (!hasApplied && onDue === undefined)) this.#commit();
      if (this.#batch.isOpen && !hasApplied && onDue !== undefined) this.#watch(onDue);
      return hasApplied;
    });
  }

  /** Commits the open batch. `onDue` is not called afterwards. Throws as `next` does. */
  end(): void {
    this.#hasEnded = true;
    this.#wholly(() => this.#commit());
  }

  /** Writes rows of webhooks that no log entry has. Throws as `next` does. */
  writeLocal(writes: readonly LocalWebhookWrite[]): void {
    const calls = this.#webhooks;
    this.#wholly(() => {
      this.#batch.write(() => {
        for (const [name, ...values] of writes) (calls[name] as (...values: readonly unknown[]) => void)(...values);
      });
      this.#commit();
    });
  }

  /**
   * Does maintenance after `next` wrote. `hasCaughtUp`: the log has no more entries. @returns the last entry that chain.db has on disk,
   * safe from a crash of the machine; undefined if that has not changed.
   */
  maintain(hasCaughtUp: boolean): number | undefined {
    const { sql, logSql, commits } = this.#options;
    // SQLite makes no checkpoint within a transaction.
    const isOpen = this.#batch.isOpen;
    try {
      if (!isOpen) {
        const isWorthwhile = this.#isIdle || logBytesOf(sql, 'NOOP').waiting >= CHECKPOINT_BYTES_MIN;
        this.#store.maintain(hasCaughtUp && isWorthwhile);
      }
      keepLogShort(logSql, commits);
    } catch (error) {
      // No room: the content of a write-ahead log stays there, and the next block tries again. The log itself reports when it has no room
      // for an entry.
      if (!NO_ROOM.test(sqliteCode(error) ?? '')) throw error;
      return undefined;
    }
    return !isOpen && logBytesOf(sql, 'NOOP').waiting === 0 ? this.#committed.place.seq : undefined;
  }

  #applyNext(): boolean {
    for (;;) {
      const entries = this.#options.log.follow(this.#read, READ_BYTES);
      if (entries === undefined)
        throw new StoreDamagedError(`log.db does not have what comes behind entry ${this.#read} any more`);
      if (entries.length === 0) return false;
      for (const entry of entries) {
        const kind = kindOf(entry);
        this.#tried = entry.seq;
        readable(entry, () => {
          if (kind === BLOCK) this.#write(decodeBlockEntry(textOf(entry)), entry);
          if (kind === GROUP) this.#take(entry);
          if (kind === ACCESS && entry.seq > this.accessSeq) this.#change(entry);
        });
        this.#read = entry.seq;
        if (kind === BLOCK || kind === ACCESS) return true;
      }
    }
  }

  #isDue(): boolean {
    return (
      this.#batch.isOpen &&
      (this.#isUrgent ||
        this.#options.commits.isWantedBeyond(this.height) ||
        this.#transactions >= BATCH_TRANSACTIONS_MAX ||
        this.#tried <= this.#aloneUpTo ||
        this.#monotonicMs() >= this.#dueMs)
    );
  }

  /** Opens a batch before a write. */
  #begin(): void {
    if (this.#batch.isOpen) return;
    this.#transactions = 0;
    this.#isUrgent = false;
    this.#dueMs = this.#monotonicMs() + BATCH_MS_MAX;
  }

  /** Calls `onDue` when a caller waits, or when the time of the open batch is over. */
  #watch(onDue: () => void): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    const leftMs = Math.max(0, this.#dueMs - this.#monotonicMs());
    void this.#options.commits.wantedBeyond(this.height, leftMs).then(() => {
      this.#isWatching = false;
      if (!this.#hasEnded) onDue();
    });
  }

  #commit(): void {
    const { commits } = this.#options;
    this.#batch.commit();
    const { height, accessSeq } = this.#committed;
    this.#committed = this.#applied;
    if (this.height !== height) commits.wrote(this.height);
    if (this.accessSeq !== accessSeq) commits.wroteAccess(this.accessSeq);
  }

  /** After a failure every entry that is not committed is read again. */
  #wholly<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      this.#batch.rollback();
      this.#applied = this.#committed;
      this.#aloneUpTo = this.#tried;
      this.#read = this.#committed.place.seq;
      this.#accepted.clear();
      this.#pending.clear();
      // The old writer remembers ids of rows that were not written.
      this.#transfers = new TransferWriter(this.#options.sql);
      throw error;
    }
  }

  #take(entry: LogEntry): void {
    for (const one of decodeEntries(textOf(entry)))
      if (one.kind === 'accepted') this.#accepted.set(one.transfer.seq, one);
  }

  #change(entry: LogEntry): void {
    const { seq } = entry;
    const writes = decodeAccess(textOf(entry));
    this.#begin();
    this.#batch.write(() => {
      this.#writeAccess(writes);
      this.#saveAccessSeq.run(seq);
    });
    this.#applied = { ...this.#applied, accessSeq: seq };
    // Each answer about access waits for the changes before it.
    this.#isUrgent = true;
  }

  #write(entry: BlockEntry, { seq, hash }: LogEntry): void {
    const { height } = entry.block;
    const accepted = this.#accepted;
    const signed = (at: number): SignedTransfer =>
      accepted.get(at)?.transfer ?? this.#pending.get(at) ?? this.#transfers.pending(at);
    const bytes = assembleBlock(entry, this.#options.chainId, signed);
    if (Buffer.compare(partsOf(bytes).hash, entry.block.id.parts.hash) !== 0)
      throw new StoreDamagedError(`log.db: what entry ${seq} says of block ${height} is not the block that was signed`);
    checkHeader(entry, seq);
    const changes = new Map(entry.changes.map((change) => [change.transfer.seq, change]));
    const added = [...accepted.values()].map((one) => rowOf(one, changes.get(one.transfer.seq)));
    const update = {
      ...entry,
      block: { ...entry.block, bytes },
      transactions: entry.order.map(writtenOf),
    };
    const place = { seq, hash };
    this.#begin();
    this.#store.append(update, () => {
      this.#transfers.writeBlock({
        added: [...added, ...entry.seen],
        changed: entry.changes.filter(({ transfer }) => !accepted.has(transfer.seq)),
        events: { height, blockTimeMs: entry.blockTimeMs, rows: entry.events },
        uptimeMs: entry.uptimeMs,
        place,
      });
      this.#writeAccess([['appendAudit', entry.audit]]);
    });
    this.#accepted.clear();
    for (const { transfer } of added) if (transfer.status === 'pending') this.#keep(transfer);
    for (const { transfer } of entry.changes) if (transfer.status !== 'pending') this.#pending.delete(transfer.seq);
    this.#applied = { ...this.#applied, place, height };
    this.#transactions += entry.order.length;
    // Readers of the audit trail wait for changes of access alone, so an audit entry of a block is committed at once.
    this.#isUrgent ||= entry.audit.length > 0;
    this.#isIdle = entry.order.length === 0;
  }

  #keep({ seq, from, to, amount, nonce, reference, validUntil, signature }: StoredTransfer): void {
    if (this.#pending.size >= PENDING_KEPT_MAX) this.#pending.clear();
    this.#pending.set(seq, { from, to, amount, nonce, reference, validUntil, signature });
  }
}

/** Checks that the entry and the header of its block agree: rows are written from the entry, but the header was signed. */
function checkHeader({ around, block, blockTimeMs }: BlockEntry, seq: number): void {
  // The header is all that comes before the transactions.
  const { height, timeNs } = decodeBlock(around.before).header;
  if (height === block.height && timeNs === block.timeNs && nsToMs(timeNs) === blockTimeMs) return;
  throw new StoreDamagedError(
    `log.db: entry ${seq} is of block ${block.height} at ${block.timeNs} ns (${blockTimeMs} ms), and the header in it is of block ${height} at ${timeNs} ns. Put a backup of the data folder back (txledger restore)`,
  );
}

const TRANSFER = { tx: { kind: 'transfer' }, hash: '' } as const;

/** Transactions other than transfers have rows of their own; their bytes are in the entry. */
function writtenOf(one: BlockEntry['order'][number]): BlockToWrite['transactions'][number] {
  if (typeof one === 'number') return TRANSFER;
  const decoded = decodeTransaction(one);
  return decoded.ok ? { tx: decoded.tx, hash: txHash(one) } : TRANSFER;
}

/** Pending transfers that are remembered, 500 bytes each; the others are read from their rows. */
const PENDING_KEPT_MAX = 10_000;

/** Members are written out one by one, because this runs for each transfer. */
function rowOf({ transfer, tokenId, idempotencyKey }: AcceptedEntry, change: TransferChange | undefined): TransferRow {
  const after = change?.transfer;
  return {
    transfer: {
      seq: transfer.seq,
      hash: transfer.hash,
      fromId: 0,
      toId: 0,
      from: transfer.from,
      to: transfer.to,
      amount: transfer.amount,
      nonce: transfer.nonce,
      reference: transfer.reference,
      validUntil: transfer.validUntil,
      signature: transfer.signature,
      owner: transfer.owner,
      status: after?.status ?? 'pending',
      reason: after?.reason,
      reasonHash: after?.reasonHash,
      executedAs: after?.executedAs,
      firstSeenAtMs: transfer.firstSeenAtMs,
      seenBlockMs: transfer.seenBlockMs,
      seenUptimeMs: transfer.seenUptimeMs,
      broadcastAtMs: after?.broadcastAtMs,
      cancelRequestedAtMs: after?.cancelRequestedAtMs,
      expiryRequestedAtMs: after?.expiryRequestedAtMs,
      height: after?.height,
      blockTimeMs: after?.blockTimeMs,
    },
    position: change?.position,
    tokenId,
    cancelOwner: change?.cancelOwner,
    cancelTokenId: change?.cancelTokenId,
    idempotencyKey,
  };
}

/** Called after a block: copies the write-ahead log of log.db into the file when it is long. */
export function keepLogShort(logSql: Database, commits: CommitCount): void {
  const { all, waiting } = logBytesOf(logSql, 'NOOP');
  if (waiting >= CHECKPOINT_BYTES_MIN || all >= LONG_BYTES_MIN) logBytesOf(logSql, 'PASSIVE');
  commits.logIsLong('log.db', all >= LONG_BYTES_MIN);
}

/** Bytes of the write-ahead log of a connection's file: all, and those not yet copied into the file. */
function logBytesOf(sql: Database, mode: 'NOOP' | 'PASSIVE'): { all: number; waiting: number } {
  const [{ log, checkpointed }] = sql.pragma(`wal_checkpoint(${mode})`) as [{ log: number; checkpointed: number }];
  const pageBytes = Number(sql.pragma('page_size', { simple: true }));
  return { all: log * pageBytes, waiting: (log - checkpointed) * pageBytes };
}
