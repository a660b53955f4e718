/**
 * Writes chain.db from the log: every block with what it settles is one transaction, which names the entry of the log that is in it, and so is every
 * change of access or webhooks. At a start it brings chain.db to the end of the log, and from then on it follows.
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
import { type ChainConnection, writing } from '../store/embedded/connection.ts';
import { type AcceptedEntry, decodeEntries } from '../store/embedded/journal.ts';
import { TransferWriter } from '../store/embedded/transfer-writer.ts';
import type { TransferRow } from '../store/embedded/block-rows.ts';
import { StoreDamagedError } from '../store/errors.ts';
import { sqliteCode } from '../store/sqlite/library.ts';
import type { StoredTransfer } from '../store/index.ts';

/** Of the log that is read at one time. */
const READ_BYTES = 8 * 1024 * 1024;
/** A checkpoint that ends so has changed nothing that is read. */
const NO_ROOM = /^SQLITE_(FULL|BUSY|LOCKED|CANTOPEN)/;
/** A write-ahead log is brought into its file from so many pages on (4 MiB), */
const CHECKPOINT_PAGES_MIN = 1024;
/** and from so many on (16 MiB) readers leave it until it begins again at its start. */
const LONG_PAGES_MIN = 4096;

export interface ChainWriterOptions {
  /** A connection that writes chain.db. */
  sql: ChainConnection;
  log: LogEntries;
  /** A connection that writes log.db, for its checkpoints. */
  logSql: Database;
  chainId: string;
  /** Told how far chain.db is, and of long write-ahead logs. */
  commits: CommitCount;
  /** Measures the commit of each block. */
  blocks?: Stopwatch | undefined;
  /** Measures each checkpoint of chain.db. */
  checkpoints?: Stopwatch | undefined;
}

export class ChainWriter {
  readonly #options: ChainWriterOptions;
  readonly #store: ReturnType<typeof sqliteChainStore>;
  readonly #writeAccess: ReturnType<typeof accessWriter>;
  readonly #webhooks: ReturnType<typeof webhookWriter>;
  readonly #saveAccessSeq: Statement<[number]>;
  #transfers: TransferWriter;
  /** The last entry that was read. */
  #read: number;
  /** The last entry that chain.db has. */
  #held: LogPlace;
  /** The last change of access that chain.db has. */
  #accessSeq: number;
  /** Accepted since the last block, by seq. */
  readonly #accepted = new Map<number, AcceptedEntry>();
  /** Of those that a block left pending, by seq. */
  readonly #pending = new Map<number, SignedTransfer>();
  #height: number;
  /** The last block had no transaction. */
  #isIdle = false;

  constructor(options: ChainWriterOptions) {
    const { sql, log, checkpoints } = options;
    this.#options = options;
    this.#store = sqliteChainStore({
      sql,
      writing: (work) => writing(sql, work, options.blocks),
      onLog: (isLong) => options.commits.logIsLong('chain.db', isLong),
      ...(checkpoints && { checkpoints }),
    });
    this.#writeAccess = accessWriter(sql);
    this.#webhooks = webhookWriter(sql);
    this.#saveAccessSeq = sql.prepare('UPDATE chain SET access_seq = ?');
    this.#transfers = new TransferWriter(sql);
    this.#held = heldIn(sql, log.first());
    this.#read = this.#held.seq;
    this.#height = this.#store.height();
    this.#accessSeq = accessSeqIn(sql);
    options.commits.wrote(this.#height);
    options.commits.wroteAccess(this.#accessSeq);
  }

  /** The last block that chain.db has. */
  get height(): number {
    return this.#height;
  }

  get accessSeq(): number {
    return this.#accessSeq;
  }

  /**
   * Writes the next block, or the next change of access, that the log has. Throws as `Store.write` does, and nothing was written then: call it again.
   * @returns false where there is none.
   */
  next(): boolean {
    for (;;) {
      const entries = this.#options.log.follow(this.#read, READ_BYTES);
      if (entries === undefined)
        throw new StoreDamagedError(`log.db does not have what comes behind entry ${this.#read} any more`);
      if (entries.length === 0) return false;
      for (const entry of entries) {
        const kind = kindOf(entry);
        readable(entry, () => {
          if (kind === BLOCK) this.#write(decodeBlockEntry(textOf(entry)), entry);
          if (kind === GROUP) this.#take(entry);
          if (kind === ACCESS && entry.seq > this.#accessSeq) this.#change(entry);
        });
        this.#read = entry.seq;
        if (kind === BLOCK || kind === ACCESS) return true;
      }
    }
  }

  /** Rows of webhooks that no entry has. Throws as `next` does. */
  writeLocal(writes: readonly LocalWebhookWrite[]): void {
    const calls = this.#webhooks;
    writing(this.#options.sql, () => {
      for (const [name, ...values] of writes) (calls[name] as (...values: readonly unknown[]) => void)(...values);
    });
  }

  /** Behind what `next` wrote. `hasCaughtUp`: the log has no more. @returns the last entry that chain.db has on disk, whatever happens to the machine; undefined: no more than before. */
  maintain(hasCaughtUp: boolean): number | undefined {
    const { sql, logSql, commits } = this.#options;
    try {
      const isWorthwhile = this.#isIdle || pagesOf(sql, 'NOOP').waiting >= CHECKPOINT_PAGES_MIN;
      this.#store.maintain(hasCaughtUp && isWorthwhile);
      keepLogShort(logSql, commits);
    } catch (error) {
      // No room: what is in a write-ahead log stays there, and the next block tries again. The log says itself when it has no room for an entry.
      if (!NO_ROOM.test(sqliteCode(error) ?? '')) throw error;
      return undefined;
    }
    return pagesOf(sql, 'NOOP').waiting === 0 ? this.#held.seq : undefined;
  }

  #take(entry: LogEntry): void {
    for (const one of decodeEntries(textOf(entry)))
      if (one.kind === 'accepted') this.#accepted.set(one.transfer.seq, one);
  }

  #change(entry: LogEntry): void {
    const { sql, commits } = this.#options;
    const { seq } = entry;
    const writes = decodeAccess(textOf(entry));
    writing(sql, () => {
      this.#writeAccess(writes);
      this.#saveAccessSeq.run(seq);
    });
    this.#accessSeq = seq;
    commits.wroteAccess(seq);
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
    try {
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
    } catch (error) {
      // It remembers ids of rows that were not written.
      this.#transfers = new TransferWriter(this.#options.sql);
      throw error;
    }
    this.#accepted.clear();
    for (const { transfer } of added) if (transfer.status === 'pending') this.#keep(transfer);
    for (const { transfer } of entry.changes) if (transfer.status !== 'pending') this.#pending.delete(transfer.seq);
    this.#held = place;
    this.#height = height;
    this.#isIdle = entry.order.length === 0;
    this.#options.commits.wrote(height);
  }

  #keep({ seq, from, to, amount, nonce, reference, validUntil, signature }: StoredTransfer): void {
    if (this.#pending.size >= PENDING_KEPT_MAX) this.#pending.clear();
    this.#pending.set(seq, { from, to, amount, nonce, reference, validUntil, signature });
  }
}

/** What the entry says beside the block is what the block's header says: rows are written of the first, and the second was signed. */
function checkHeader({ around, block, blockTimeMs }: BlockEntry, seq: number): void {
  // The header is all that comes before the transactions.
  const { height, timeNs } = decodeBlock(around.before).header;
  if (height === block.height && timeNs === block.timeNs && nsToMs(timeNs) === blockTimeMs) return;
  throw new StoreDamagedError(
    `log.db: entry ${seq} is of block ${block.height} at ${block.timeNs} ns (${blockTimeMs} ms), and the header in it is of block ${height} at ${timeNs} ns. Put a backup of the data folder back (txledger restore)`,
  );
}

const TRANSFER = { tx: { kind: 'transfer' }, hash: '' } as const;

/** Only others than transfers have rows of their own, and these have their bytes in the entry. */
function writtenOf(one: BlockEntry['order'][number]): BlockToWrite['transactions'][number] {
  if (typeof one === 'number') return TRANSFER;
  const decoded = decodeTransaction(one);
  return decoded.ok ? { tx: decoded.tx, hash: txHash(one) } : TRANSFER;
}

/** Pending transfers that are remembered, 500 bytes each; the others are read from their rows. */
const PENDING_KEPT_MAX = 10_000;

/** Written out member by member, because this is done for each transfer. */
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

/** Behind a block: brings the write-ahead log of log.db into the file when it is long. */
export function keepLogShort(logSql: Database, commits: CommitCount): void {
  const { all, waiting } = pagesOf(logSql, 'NOOP');
  if (waiting >= CHECKPOINT_PAGES_MIN || all >= LONG_PAGES_MIN) pagesOf(logSql, 'PASSIVE');
  commits.logIsLong('log.db', all >= LONG_PAGES_MIN);
}

function pagesOf(sql: Database, mode: 'NOOP' | 'PASSIVE'): { all: number; waiting: number } {
  const [{ log, checkpointed }] = sql.pragma(`wal_checkpoint(${mode})`) as [{ log: number; checkpointed: number }];
  return { all: log, waiting: log - checkpointed };
}
