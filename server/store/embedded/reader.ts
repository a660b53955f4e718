/**
 * Reads of chain.db: what was accepted, also since the last block, as of the moment of each call.
 *
 * Decisions of blocks that chain.db does not have yet are in the tail too, and every transfer and account shows them. Lists by status are
 * of the rows, so such a read waits until chain.db has what was shown (CommitCount). A transfer is in the journal until the next block, and
 * in rows from then on. The reader keeps the journal's entries as its tail and brings it up to date at the start of each snapshot: what was
 * acknowledged before a call began is in its answer. Seqs of the journal are higher than those of all rows, because a block moves
 * everything that the journal has.
 *
 * Each thread has a reader of its own, on a connection of its own. Every method throws StoreUnavailableError when SQLite does not answer.
 */
import type { TransactionStatus } from '../../gateway/types.ts';
import { EMPTY_ACCOUNT } from '../../ledger/index.ts';
import { statusCode } from '../codes.ts';
import { StoreDamagedError, StoreUnavailableError } from '../errors.ts';
import { statementFailure } from '../sqlite/failure.ts';
import type { StoredTransfer } from '../types.ts';
import type { RowSide } from './chain-lists.ts';
import { ChainLists } from './chain-lists.ts';
import { decodeBlockEffects } from './block-entry.ts';
import { BLOCK, GROUP, UPTIME } from './chain-log.ts';
import type { ChainConnection } from './connection.ts';
import type { JournalEntry } from './journal.ts';
import { decodeEntries } from './journal.ts';
import { ListedRows } from './listed-rows.ts';
import { StoredNames } from './names.ts';
import type { PendingPlace, Sender, SenderRows } from './senders.ts';
import { Senders } from './senders.ts';
import { Snapshots } from './snapshots.ts';
import type { TailEntry } from './tail.ts';
import { JournalTail } from './tail.ts';
import { ABOVE_ALL, type AddressSide, type ChainListQuery, entriesOf } from './tail-lists.ts';
import type { CancelAtMs, DetailRow, ListedTransfer, PendingPart } from './transfer-rows.ts';
import { DETAIL_COLUMNS, NO_CANCEL, transferOfRow } from './transfer-rows.ts';
import { prefixOf, segmentOf } from './segments.ts';

export type { ListedTransfer } from './transfer-rows.ts';

export interface ChainList {
  /** Newest first. May be shorter than the limit, or empty, although more follow. */
  transfers: ListedTransfer[];
  /** The last block that it takes into account. */
  height: number;
  /** Beginning of the next page; absent on the last. */
  nextBefore?: number;
}

/** The last block, or genesis. */
export interface ChainTip {
  height: number;
  blockTimeMs: number;
}

/** A row that is pending. */
export interface PendingRow {
  transfer: StoredTransfer;
  /** The token that submitted it. */
  tokenId: string | undefined;
}

type Heads = [
  held: number | null,
  firstTailId: number | null,
  lastTailId: number | null,
  height: number | null,
  lastSeq: number | null,
];
type AccountRow = [id: number, balance: string, nonce: number, voids: string, leaf: number | null];

const PENDING = statusCode('pending');

/** Number of times that a reader begins another snapshot because its own is too old. */
const SNAPSHOTS_MAX = 5;

class SnapshotTooOldError extends StoreUnavailableError {
  constructor() {
    super('the log no longer has what comes behind this snapshot of chain.db');
  }
}

export class ChainReader {
  readonly #snapshots: Snapshots;
  readonly #tail = new JournalTail();
  readonly #senders = new Senders(this.#tail, (address) => this.#senderRows(address));
  readonly #lists: ChainLists;
  readonly #rows: ListedRows;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #names: StoredNames;
  #inSnapshot = false;
  /** Number of the snapshot that tail, tip and senders are of. */
  #serial = 0;
  #height = -1;
  /** The last block that the rows of the snapshot have; `#height` may be of the tail. */
  #rowsHeight = 0;
  #blockTimeMs = 0;
  #lastSeq = 0;
  /** The last entry of the log that was read. */
  #lastId = 0;

  /** `snapshots`: those of the connection, where several readers share it. */
  constructor(sql: ChainConnection, snapshots = new Snapshots(sql)) {
    this.#snapshots = snapshots;
    this.#lists = new ChainLists(sql);
    this.#names = new StoredNames(sql);
    this.#rows = new ListedRows(sql, this.#names, this.#cancelAtMs);
    this.#statements = prepare(sql);
  }

  /** Runs several calls on one snapshot. */
  snapshot<T>(work: () => T): T {
    if (this.#inSnapshot) return work();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return guarded(() => this.#snapshots.read((serial) => this.#in(serial, work)));
      } catch (error) {
        // Two blocks were written since it began, and the entries that they hold are dropped from the log.
        if (!(error instanceof SnapshotTooOldError) || attempt === SNAPSHOTS_MAX) throw error;
      }
    }
  }

  #in<T>(serial: number, work: () => T): T {
    this.#inSnapshot = true;
    try {
      if (serial !== this.#serial) this.#takeUp();
      this.#serial = serial;
      return work();
    } finally {
      this.#inSnapshot = false;
    }
  }

  /** Reads what was accepted since the last read, so that the next one has less to do. Call it on a timer. */
  refresh(): void {
    if (!this.#snapshots.isCurrent(this.#serial)) this.snapshot(() => undefined);
  }

  /** The last block of the last snapshot, which a later snapshot has too; -1 before the first. */
  get height(): number {
    return this.#height;
  }

  /** By its own hash or by the hash it was executed as; 64 upper-case hex digits. */
  transferByHash(hash: string): StoredTransfer | undefined {
    return this.snapshot(() => {
      const entry = this.#tail.byHash(hash);
      if (entry !== undefined) return this.#transferOfEntry(entry);
      const executed = this.#tail.executedAs(hash);
      const row = executed === undefined ? this.#rowByHash(hash, this.#lastSeq) : this.#rowOrEntry(executed);
      return row && this.#decided(row);
    });
  }

  /** Pages joined are the full list. The cost of one call does not depend on depth or history: it may answer a short page. */
  list(query: ChainListQuery): ChainList {
    return this.snapshot(() => {
      const { limit, status } = query;
      // A list by status shows nothing that a block of the tail decided.
      const height = status === undefined ? this.#height : this.#rowsHeight;
      const decided = (transfer: ListedTransfer): ListedTransfer =>
        status === undefined ? this.#decided(transfer) : transfer;
      const transfers = entriesOf(this.#tail, query, limit + 1).map((entry) => decided(this.#listedOfEntry(entry)));
      if (transfers.length <= limit) {
        const { found, reached } = this.#rowMatches(query, limit + 1 - transfers.length);
        transfers.push(...found.map(decided));
        if (transfers.length <= limit)
          return reached === 0 ? { transfers, height } : { transfers, height, nextBefore: reached };
      }
      const page = transfers.slice(0, limit);
      return { transfers: page, height, nextBefore: page.at(-1)?.seq ?? 0 };
    });
  }

  /**
   * The account, and the funds and nonces that its pending transfers hold; the zero account for an address without one. It is valid until
   * the next call.
   */
  account(address: string): Sender {
    return this.snapshot(() => this.#senders.of(address));
  }

  tip(): ChainTip {
    return this.snapshot(() => ({ height: this.#height, blockTimeMs: this.#blockTimeMs }));
  }

  /**
   * End of the sender's pending transfers that can execute one after the other: the lowest nonce that is neither void nor held by one
   * without a requested cancel.
   */
  gapOf(address: string): number {
    return this.snapshot(() => this.#senders.of(address).gap);
  }

  /** Pending rows, by seq. Transfers in the journal are not among them, nor do its requested cancels show: `journal()` has both. */
  pendingRows(): PendingRow[] {
    return this.#rowsNow(() =>
      this.#statements.pending.all().map((seq) => {
        const row = this.#statements.detail.get(seq);
        if (row === undefined)
          throw new StoreDamagedError(`seq ${seq} is pending and has no transfer; restore the database from a backup`);
        const [submitterId] = row.slice(-2) as [number | null, number | null];
        return { transfer: this.#transferOfRow(row, NO_CANCEL), tokenId: this.#tokenOf(submitterId) };
      }),
    );
  }

  /** The entries of the journal, oldest first. */
  journal(): JournalEntry[] {
    return this.#rowsNow(() => this.#statements.journal.all().flatMap((entries) => decodeEntries(entries)));
  }

  /** The last seq of the rows, and the uptime of the service as recorded last. */
  progress(): { lastSeq: number; uptimeMs: number } {
    return this.#rowsNow(() => ({
      lastSeq: this.#statements.lastSeq.get() ?? 0,
      uptimeMs: this.#statements.uptime.get() ?? 0,
    }));
  }

  /** Rows at this (sender, nonce), of any status, newest first. Rows only: the ledger thread has the rest in memory. */
  slots(from: string, nonce: number): StoredTransfer[] {
    return this.#rowsNow(() => {
      const fromId = this.#statements.accountId.get(from);
      if (fromId === undefined) return [];
      return this.#slotSeqs(fromId, nonce).flatMap((seq) => this.#detail(seq, NO_CANCEL) ?? []);
    });
  }

  /** The row with this hash, or that was executed as it. Rows only. */
  settledByHash(hash: string): StoredTransfer | undefined {
    return this.#rowsNow(() => this.#rowByHash(hash, this.#statements.lastSeq.get() ?? 0));
  }

  /** The row that this owner's Idempotency-Key belongs to. Rows only. */
  keyed(owner: string, key: string): StoredTransfer | undefined {
    return this.#rowsNow(() => {
      const seq = this.#statements.keyed.get(owner, key);
      return seq === undefined ? undefined : this.#detail(seq, NO_CANCEL);
    });
  }

  /** Reads the rows that are committed now: a snapshot that is kept would be older. */
  #rowsNow<T>(work: () => T): T {
    this.#snapshots.end();
    return guarded(work);
  }

  #takeUp(): void {
    const [held, firstId, lastId, height, lastSeq] = this.#statements.heads.get() ?? [null, null, null, null, null];
    if (firstId !== null && firstId !== (held ?? 0) + 1) throw new SnapshotTooOldError();
    this.#tail.forgetBefore(firstId ?? undefined);
    if (lastId !== null && lastId > this.#lastId) {
      this.#takeTail();
    }
    this.#takeTip(height ?? 0);
    this.#rowsHeight = height ?? 0;
    this.#lastSeq = lastSeq ?? 0;
    this.#senders.refresh(this.#height);
  }

  #takeTail(): void {
    const after = this.#lastId;
    // When it fails, the next read begins with the whole tail, as the tail itself does.
    this.#lastId = 0;
    let lastId = after;
    for (const [id, kind, entries] of this.#statements.tail.all(after)) {
      if (kind === GROUP) this.#tail.add(id, entries);
      else if (kind === BLOCK) this.#tail.decide(id, decodeBlockEffects(entries));
      lastId = id;
    }
    this.#lastId = lastId;
  }

  /** One statement a block, not one a read. */
  #takeTip(height: number): void {
    const { lastBlock } = this.#tail;
    if (lastBlock !== undefined) {
      this.#height = lastBlock.height;
      this.#blockTimeMs = lastBlock.blockTimeMs;
      return;
    }
    if (height === this.#height) return;
    const timeMs = (height === 0 ? this.#statements.genesisTime.get() : this.#statements.blockTime.get(height)) ?? 0;
    this.#height = height;
    this.#blockTimeMs = timeMs;
  }

  #rowByHash(hash: string, lastSeq: number): StoredTransfer | undefined {
    const prefix = prefixOf(hash);
    for (let segment = segmentOf(lastSeq); segment >= 0; segment--) {
      for (const seq of this.#statements.byPrefix.all(segment, prefix)) {
        const transfer = this.#detail(seq, this.#cancelAtMs);
        if (transfer?.hash === hash || transfer?.executedAs === hash) return transfer;
      }
    }
    return undefined;
  }

  #slotSeqs(fromId: number, nonce: number): number[] {
    const seqs: number[] = [];
    const lastSeq = this.#inSnapshot ? this.#lastSeq : (this.#statements.lastSeq.get() ?? 0);
    for (let segment = segmentOf(lastSeq); segment >= 0; segment--)
      seqs.push(...this.#statements.bySlot.all(segment, fromId, nonce));
    return seqs;
  }

  #rowOrEntry(seq: number): StoredTransfer | undefined {
    const entry = this.#tail.bySeq(seq);
    return entry === undefined ? this.#detail(seq, this.#cancelAtMs) : this.#transferOfEntry(entry);
  }

  /** The transfer as a block decided it that chain.db does not have yet. */
  #decided<Shown extends ListedTransfer | StoredTransfer>(transfer: Shown): Shown {
    const decision = this.#tail.decisionOf(transfer.seq);
    if (decision === undefined) return transfer;
    return {
      ...transfer,
      ...decision,
      cancelRequestedAtMs: decision.cancelRequestedAtMs ?? transfer.cancelRequestedAtMs,
    };
  }

  #detail(seq: number, cancelAtMs: CancelAtMs): StoredTransfer | undefined {
    const row = this.#statements.detail.get(seq);
    return row && this.#transferOfRow(row, cancelAtMs);
  }

  #transferOfRow(row: DetailRow, cancelAtMs: CancelAtMs): StoredTransfer {
    const [seq, , , , , , status] = row;
    const pending = status === PENDING ? this.#statements.pendingPart.get(seq) : undefined;
    return transferOfRow(row, this.#names, cancelAtMs, pending);
  }

  #tokenOf(submitterId: number | null): string | undefined {
    const tokenId = submitterId === null ? '' : this.#names.submitter(submitterId).tokenId;
    return tokenId === '' ? undefined : tokenId;
  }

  #rowMatches(
    { before = ABOVE_ALL, status, sides, nonce, reference }: ChainListQuery,
    wanted: number,
  ): { found: ListedTransfer[]; reached: number } {
    const rowSides = sides?.flatMap((side) => this.#rowSide(side));
    const below = Math.min(before, this.#lastSeq + 1);
    if (rowSides?.length === 0) return { found: [], reached: 0 };
    if (nonce !== undefined)
      return {
        found: this.#slotMatches({ before, status, side: rowSides?.[0], nonce, reference }).slice(0, wanted),
        reached: 0,
      };
    if (sides === undefined && reference === undefined) {
      const isHead = status === undefined && below > this.#lastSeq;
      const found = isHead ? this.#rows.newest(this.#lastSeq, wanted) : this.#rows.below(below, wanted, status);
      return { found, reached: 0 };
    }
    const { seqs, reached } = this.#lists.find({ below, wanted, status, sides: rowSides, reference });
    return { found: this.#rows.of(seqs), reached };
  }

  #slotMatches(query: {
    before: number;
    status: TransactionStatus | undefined;
    side: RowSide | undefined;
    nonce: number;
    reference: string | undefined;
  }): ListedTransfer[] {
    const { before, status, side, nonce, reference } = query;
    if (side?.fromId === undefined) throw new RangeError('a list by nonce names one sender');
    const seqs = this.#slotSeqs(side.fromId, nonce).filter((seq) => seq < before);
    const to = side.toId === undefined ? undefined : this.#names.address(side.toId);
    return this.#rows
      .of(seqs)
      .filter(
        (transfer) =>
          (to === undefined || transfer.to === to) &&
          (status === undefined || transfer.status === status) &&
          (reference === undefined || transfer.reference === reference),
      );
  }

  readonly #cancelAtMs = (seq: number): number | undefined => this.#tail.cancelRequestedAtMs(seq);

  /** [] where an address has no number, so that no row names it. */
  #rowSide({ from, to }: AddressSide): RowSide[] {
    const fromId = from === undefined ? undefined : this.#statements.accountId.get(from);
    const toId = to === undefined ? undefined : this.#statements.accountId.get(to);
    if ((from !== undefined && fromId === undefined) || (to !== undefined && toId === undefined)) return [];
    return [{ fromId, toId }];
  }

  #senderRows(address: string): SenderRows {
    const row: AccountRow | undefined = this.#statements.account.get(address);
    if (row === undefined) return { account: this.#tail.account(address, undefined) ?? EMPTY_ACCOUNT, pending: [] };
    const [id, balance, nonce, voids, leaf] = row;
    const account = this.#tail.account(address, leaf ?? undefined) ?? {
      balance: BigInt(balance),
      nonce,
      voids: voids === '' ? 0n : BigInt(`0x${voids}`),
    };
    const pending = this.#statements.pendingOf.all(id).map(([seq, place, amount, cancelled]): PendingPlace => ({
      seq,
      nonce: place,
      amount: BigInt(amount),
      cancelled: cancelled === 1,
    }));
    return { account, pending };
  }

  #transferOfEntry(entry: TailEntry): StoredTransfer {
    const { transfer } = entry.decoded;
    return this.#decided({
      ...transfer,
      ...ACCEPTED_NOW,
      fromId: this.#statements.accountId.get(transfer.from) ?? 0,
      toId: this.#statements.accountId.get(transfer.to) ?? 0,
      cancelRequestedAtMs: this.#tail.cancelRequestedAtMs(entry.seq),
    });
  }

  #listedOfEntry(entry: TailEntry): ListedTransfer {
    const { seq, hash, from, to, amount, nonce, reference, validUntil, firstSeenAtMs } = entry.decoded.transfer;
    return {
      seq,
      hash,
      from,
      to,
      amount: amount.toString(),
      nonce,
      reference,
      validUntil,
      firstSeenAtMs,
      ...ACCEPTED_NOW,
      cancelRequestedAtMs: this.#tail.cancelRequestedAtMs(seq),
    };
  }
}

function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw statementFailure(error);
  }
}

/** Values of a transfer before its first block. */
const ACCEPTED_NOW = {
  status: 'pending',
  reason: undefined,
  reasonHash: undefined,
  executedAs: undefined,
  broadcastAtMs: undefined,
  expiryRequestedAtMs: undefined,
  height: undefined,
  blockTimeMs: undefined,
} as const;

function prepare(sql: ChainConnection) {
  return {
    heads: sql
      .prepare<[], Heads>(
        'SELECT (SELECT entry_seq FROM chain), (SELECT min(id) FROM tail), (SELECT max(id) FROM tail), (SELECT max(height) FROM blocks), (SELECT max(seq) FROM transfers)',
      )
      .raw(),
    blockTime: sql.prepare<[number], number>('SELECT time_ns / 1000000 FROM blocks WHERE height = ?').pluck(),
    genesisTime: sql.prepare<[], number>('SELECT genesis_time_ms FROM chain').pluck(),
    tail: sql
      .prepare<[number], [id: number, kind: number, entries: string]>(
        `SELECT id, kind, entries FROM tail WHERE id > ? ORDER BY id`,
      )
      .raw(),
    journal: sql.prepare<[], string>('SELECT entries FROM journal ORDER BY id').pluck(),
    uptime: sql
      .prepare<[], number>(
        `SELECT max(uptime_ms, coalesce((SELECT max(CAST(entries AS INTEGER)) FROM tail WHERE kind = ${UPTIME}), 0)) FROM chain`,
      )
      .pluck(),
    byPrefix: sql.prepare<[number, number], number>('SELECT seq FROM by_hash WHERE segment = ? AND prefix = ?').pluck(),
    bySlot: sql
      .prepare<[number, number, number], number>(
        'SELECT seq FROM by_slot WHERE segment = ? AND from_id = ? AND nonce = ? ORDER BY seq DESC',
      )
      .pluck(),
    lastSeq: sql.prepare<[], number>('SELECT max(seq) FROM transfers').pluck(),
    detail: sql.prepare<[number], DetailRow>(`SELECT ${DETAIL_COLUMNS} FROM transfers t WHERE t.seq = ?`).raw(),
    pending: sql.prepare<[], number>('SELECT seq FROM pending ORDER BY seq').pluck(),
    pendingPart: sql
      .prepare<[number], PendingPart>(
        'SELECT lower(hex(signature)), seen_block_ms, seen_uptime_ms FROM pending WHERE seq = ?',
      )
      .raw(),
    pendingOf: sql
      .prepare<[number], [seq: number, nonce: number, amount: string, cancelled: number]>(
        `SELECT p.seq, p.nonce, t.amount, t.cancel_requested_at_ms IS NOT NULL OR t.expiry_requested_at_ms IS NOT NULL
         FROM pending p CROSS JOIN transfers t ON t.seq = p.seq WHERE p.from_id = ?`,
      )
      .raw(),
    keyed: sql
      .prepare<[string, string], number>('SELECT seq FROM idempotency_keys WHERE owner = ? AND idempotency_key = ?')
      .pluck(),
    account: sql
      .prepare<[string], AccountRow>('SELECT id, balance, nonce, voids, leaf FROM accounts WHERE address = ?')
      .raw(),
    accountId: sql.prepare<[string], number>('SELECT id FROM accounts WHERE address = ?').pluck(),
  };
}
