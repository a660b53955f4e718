/**
 * Checks that the rows of chain.db beside the chain itself (transfers, events, indexes, tokens, the audit trail, the journal) follow from
 * its blocks, and are complete. The blocks come one after the other; rows that follow from no block are checked afterwards.
 */
import {
  encodeTransaction,
  isExecuted,
  CODES,
  failureOf,
  type Cancel,
  type ChainContext,
  type Transaction,
  type Transfer,
  txHash,
  verifyTransaction,
} from '../../ledger/index.ts';
import { reasonCode, statusCode } from '../codes.ts';
import { checkAuditChain, hasAuditChain } from '../embedded/audit-chain.ts';
import { decodeEntries } from '../embedded/journal.ts';
import { HASH_PREFIX_BYTES, prefixOfText, segmentOf } from '../embedded/segments.ts';
import { StoreDamagedError } from '../errors.ts';
import type { SqliteConnection } from '../sqlite/library.ts';
import { checkAccess } from './access-rows.ts';
import { countOf } from './chain-facts.ts';

export interface RowsBlock {
  height: number;
  timeMs: number;
  transactions: readonly { tx: Transaction | undefined; hash: string; code: number }[];
}

interface TransferRow {
  seq: number;
  hash: Buffer;
  sender: string;
  receiver: string;
  fromId: number;
  toId: number;
  amount: string;
  nonce: number;
  status: number;
  reason: number | null;
  reasonHash: Buffer | null;
  executedAs: Buffer | null;
  cancelRequestedAtMs: number | null;
  expiryRequestedAtMs: number | null;
  height: number | null;
  position: number | null;
  blockTimeMs: number | null;
  reference: string | null;
  validUntil: number | null;
  submitterKnown: number;
}

const TRANSFER_SQL = `SELECT t.seq, t.hash, f.address AS sender, r.address AS receiver, t.from_id AS fromId, t.to_id AS toId, t.amount, t.nonce, t.status, t.reason,
  t.reason_hash AS reasonHash, t.executed_as AS executedAs, t.cancel_requested_at_ms AS cancelRequestedAtMs, t.expiry_requested_at_ms AS expiryRequestedAtMs,
  t.height, t.position, t.block_time_ms AS blockTimeMs, m.reference, m.valid_until AS validUntil,
  (t.submitter_id IS NULL OR EXISTS (SELECT 1 FROM submitters s WHERE s.id = t.submitter_id)) AS submitterKnown
  FROM transfers t LEFT JOIN accounts f ON f.id = t.from_id LEFT JOIN accounts r ON r.id = t.to_id LEFT JOIN payment_members m ON m.seq = t.seq`;

const differs = (what: string): StoreDamagedError => new StoreDamagedError(what);
const hex = (bytes: Buffer | null): string => bytes?.toString('hex').toUpperCase() ?? '';
const PENDING = statusCode('pending');

export class ChainRows {
  readonly #sql: SqliteConnection;
  readonly #chain: ChainContext;
  readonly #statements: ReturnType<typeof prepare>;
  /** Counts from the blocks so far. */
  readonly #seen = { events: 0, settled: 0, voids: 0, others: 0 };

  constructor(sql: SqliteConnection, chain: ChainContext) {
    this.#sql = sql;
    this.#chain = chain;
    this.#statements = prepare(sql);
  }

  /** Throws StoreDamagedError with the first difference. */
  checkBlock(block: RowsBlock): void {
    const { height, transactions } = block;
    const events = new Map(this.#statements.events.all(height));
    this.#seen.events += events.size;
    for (const [position, { tx, hash, code }] of transactions.entries()) {
      if (tx === undefined || !isExecuted(code)) continue;
      if (tx.kind !== 'transfer') this.#checkOther(height, position, hash);
      if (tx.kind === 'transfer') this.#checkTransfer(block, { tx, hash, code, position }, events);
      if (tx.kind === 'cancel') this.#checkCancel(block, { tx, hash, position }, events);
    }
    const [surplus] = events.keys();
    if (surplus !== undefined)
      throw differs(`block ${height}: the event ${height}-${surplus} is of nothing in the block`);
  }

  #checkTransfer(
    block: RowsBlock,
    { tx, hash, code, position }: { tx: Transfer; hash: string; code: number; position: number },
    events: Map<number, number | null>,
  ): void {
    const { height, transactions } = block;
    const row = this.#settledRow(block, events, position, `the transfer ${hash}`);
    const isItsOwn = hex(row.hash) === hash && row.executedAs === null;
    if (!isItsOwn && hex(row.executedAs) !== hash)
      throw differs(
        `block ${height}: the event ${height}-${position} is of transfer ${hex(row.hash)}, and the block executed ${hash} there`,
      );
    const status = statusCode(code === CODES.ok ? 'committed' : 'failed');
    if (row.status !== status || row.reason !== reasonCode(failureOf(code)))
      throw differs(
        `block ${height}: the transfer ${hash} has result code ${code}, and status ${row.status} with reason ${row.reason} in the database`,
      );
    if (row.position !== position)
      throw differs(
        `block ${height}: the transfer ${hash} is at place ${position}, and ${row.position} in the database`,
      );
    const fault = paymentFault(row, tx);
    if (fault !== undefined) throw differs(`block ${height}: the transfer ${hash} ${fault}`);
    const loserPlace = transactions.length + position;
    if (!events.has(loserPlace)) return;
    const loser = this.#settledRow(block, events, loserPlace, `what lost its nonce to ${hash}`);
    const lost =
      loser.status === statusCode('failed') &&
      loser.reason === reasonCode('superseded_by_payment') &&
      hex(loser.reasonHash) === hash &&
      loser.sender === tx.from &&
      loser.nonce === tx.nonce;
    if (!lost)
      throw differs(
        `block ${height}: the transfer ${hex(loser.hash)} lost its nonce to ${hash}, and the database says something else of it`,
      );
  }

  #checkCancel(
    block: RowsBlock,
    { tx, hash, position }: { tx: Cancel; hash: string; position: number },
    events: Map<number, number | null>,
  ): void {
    const { height, timeMs } = block;
    if (events.get(position) === null) {
      events.delete(position);
      const voided = this.#statements.voided.get(height, position) as
        | { hash: Buffer; sender: string; nonce: number; timeMs: number }
        | undefined;
      if (
        voided === undefined ||
        hex(voided.hash) !== tx.txHash ||
        voided.sender !== tx.from ||
        voided.nonce !== tx.nonce ||
        voided.timeMs !== timeMs
      ) {
        throw differs(`block ${height}: the nonce that ${hash} voided is not the one in the database`);
      }
      this.#seen.voids += 1;
      return;
    }
    const row = this.#settledRow(block, events, position, `the cancel ${hash}`);
    const [status, reason] = labelOfVoid(row, tx);
    const label = row.status === statusCode(status) && (reason === undefined || row.reason === reasonCode(reason));
    if (!label || hex(row.reasonHash) !== hash || row.sender !== tx.from || row.nonce !== tx.nonce) {
      throw differs(
        `block ${height}: the transfer ${hex(row.hash)} was made void by ${hash}, and the database says something else of it (status ${row.status})`,
      );
    }
  }

  /** The transfer of an event, settled by this block. Takes the event from those that are left. */
  #settledRow(
    { height, timeMs }: RowsBlock,
    events: Map<number, number | null>,
    place: number,
    what: string,
  ): TransferRow {
    const seq = events.get(place);
    if (seq === undefined || seq === null)
      throw differs(`block ${height}: the event ${height}-${place} of ${what} is missing`);
    events.delete(place);
    const row = this.#statements.transfer.get(seq);
    if (row === undefined)
      throw differs(
        `block ${height}: the event ${height}-${place} names the transfer with seq ${seq}, which is not there`,
      );
    if (row.height !== height || row.blockTimeMs !== timeMs)
      throw differs(
        `block ${height}: the transfer ${hex(row.hash)} was settled by it, and the database says block ${row.height} at ${row.blockTimeMs}`,
      );
    this.#seen.settled += 1;
    return row;
  }

  #checkOther(height: number, position: number, hash: string): void {
    const place = this.#statements.other.get(Buffer.from(hash, 'hex'));
    if (place?.height !== height || place.position !== position)
      throw differs(`block ${height}: the transaction ${hash} is not found by its hash at place ${position}`);
    this.#seen.others += 1;
  }

  /**
   * Checks what does not follow from single blocks: that there are no more rows, and that everything else is complete. `nonceOf` is the
   * chain's; `tail` has the log's entries after the rows, group by group.
   */
  finish(nonceOf: (address: string) => number | undefined, tail: readonly string[]): void {
    const { events, settled, voids, others } = this.#seen;
    this.#expectCount('SELECT count(*) FROM events', events, 'events');
    this.#expectCount('SELECT count(*) FROM unknown_voids', voids, 'voided nonces without a transfer');
    this.#expectCount('SELECT count(*) FROM other_transactions', others, 'cancels and governance transactions');
    this.#expectCount(`SELECT count(*) FROM transfers WHERE status <> ${PENDING}`, settled, 'settled transfers');
    this.#checkTransfers(nonceOf);
    this.#checkTail(tail);
    const orphan = this.#sql
      .prepare(
        "SELECT address FROM accounts WHERE leaf IS NULL AND (balance <> '0' OR nonce <> 0 OR voids <> '') LIMIT 1",
      )
      .pluck()
      .get();
    if (orphan !== undefined)
      throw differs(`the account ${String(orphan)} is not on the chain, and has a balance or a nonce in the database`);
    const key = this.#sql
      .prepare(
        'SELECT idempotency_key FROM idempotency_keys k WHERE NOT EXISTS (SELECT 1 FROM transfers t WHERE t.seq = k.seq) LIMIT 1',
      )
      .pluck()
      .get();
    if (key !== undefined) throw differs(`the Idempotency-Key ${String(key)} belongs to a transfer that is not there`);
    // First, because a changed line of the audit trail may have been changed to match the comparisons that follow.
    if (hasAuditChain(this.#sql)) checkAuditChain(this.#sql);
    checkAccess(this.#sql, this.#chain);
  }

  #checkTransfers(nonceOf: (address: string) => number | undefined): void {
    const found = { hashes: 0, rows: 0, references: 0, members: 0, pending: 0 };
    const { byHash, bySlot, bySender, byReceiver, byReference } = this.#statements;
    for (const row of this.#sql.prepare(`${TRANSFER_SQL} ORDER BY t.seq`).iterate() as Iterable<TransferRow>) {
      const { seq, hash, executedAs, fromId, toId, nonce, reference } = row;
      const segment = segmentOf(seq);
      const name = `the transfer ${hex(hash)}`;
      if (row.sender === null || row.receiver === null || row.submitterKnown !== 1)
        throw differs(`${name} names an account or a submitter that is not there`);
      const isIndexed =
        byHash.get(segment, prefixOf(hash), seq) !== undefined &&
        (executedAs === null || this.#statements.byAnyHash.get(prefixOf(executedAs), seq) !== undefined) &&
        bySlot.get(segment, fromId, nonce, seq) !== undefined &&
        bySender.get(segment, fromId, seq) !== undefined &&
        byReceiver.get(segment, toId, seq) !== undefined &&
        (reference === null || byReference.get(segment, prefixOfText(reference), seq) !== undefined);
      if (!isIndexed)
        throw differs(
          `${name} is not found by its hash, its sender, its receiver or its reference: an entry of an index is missing`,
        );
      found.rows += 1;
      found.hashes += executedAs === null ? 1 : 2;
      if (reference !== null) found.references += 1;
      if (reference !== null || row.validUntil !== null) found.members += 1;
      if (row.status === PENDING) this.#checkPending(row, nonceOf);
      if (row.status === PENDING) found.pending += 1;
    }
    for (const table of ['by_slot', 'by_sender', 'by_receiver'])
      this.#expectCount(`SELECT count(*) FROM ${table}`, found.rows, `entries of ${table}`);
    this.#expectCount('SELECT count(*) FROM by_hash', found.hashes, 'entries of by_hash');
    this.#expectCount('SELECT count(*) FROM by_reference', found.references, 'entries of by_reference');
    this.#expectCount('SELECT count(*) FROM payment_members', found.members, 'rows of payment_members');
    this.#expectCount('SELECT count(*) FROM pending', found.pending, 'pending transfers');
  }

  #checkPending(row: TransferRow, nonceOf: (address: string) => number | undefined): void {
    const name = `the pending transfer ${hex(row.hash)}`;
    const pending = this.#statements.pending.get(row.seq);
    if (pending === undefined || pending.fromId !== row.fromId || pending.nonce !== row.nonce)
      throw differs(`${name} has no row among those that are pending`);
    const { sender: from, receiver: to, amount, nonce } = row;
    this.#checkSigned(
      name,
      {
        from,
        to,
        amount: BigInt(amount),
        nonce,
        ...(row.reference !== null && { reference: row.reference }),
        ...(row.validUntil !== null && { validUntil: row.validUntil }),
        signature: pending.signature.toString('hex'),
      },
      hex(row.hash),
    );
    const next = nonceOf(from);
    if (next === undefined || nonce < next)
      throw differs(`${name} has nonce ${nonce}, and the chain expects ${next ?? 'nothing'} from ${from}`);
  }

  /** A transfer that is not settled yet is proved by its sender's signature only. */
  #checkSigned(name: string, fields: Omit<Transfer, 'kind' | 'chainId'>, hash: string): void {
    const tx: Transfer = { kind: 'transfer', chainId: this.#chain.chainId, ...fields };
    const raw = encodeTransaction(tx);
    if (txHash(raw) !== hash) throw differs(`${name} is not what its hash says`);
    const verdict = verifyTransaction(this.#chain, raw);
    if (!verdict.ok) throw differs(`${name} is not what its sender signed: ${verdict.refusal.log}`);
  }

  #checkTail(groups: readonly string[]): void {
    let lastSeq = countOf(this.#sql, 'SELECT coalesce(max(seq), 0) FROM transfers');
    for (const entries of groups) {
      for (const entry of decodeEntries(entries)) {
        if (entry.kind === 'cancel') continue;
        const { seq, hash, from, to, amount, nonce, reference, validUntil, signature } = entry.transfer;
        const name = `the accepted transfer ${hash}`;
        if (seq <= lastSeq) throw differs(`${name} has seq ${seq}, and ${lastSeq} comes before it`);
        lastSeq = seq;
        this.#checkSigned(
          name,
          {
            from,
            to,
            amount,
            nonce,
            ...(reference !== undefined && { reference }),
            ...(validUntil !== undefined && { validUntil }),
            signature: signature.toLowerCase(),
          },
          hash,
        );
      }
    }
  }

  #expectCount(query: string, expected: number, what: string): void {
    const found = countOf(this.#sql, query);
    if (found !== expected)
      throw differs(`there are ${found} ${what} in the database, and ${expected} by the blocks and transfers`);
  }
}

const prefixOf = (hash: Buffer): number => hash.readUIntBE(0, HASH_PREFIX_BYTES);

function paymentFault(row: TransferRow, tx: Transfer): string | undefined {
  const pairs: readonly (readonly [member: string, stored: unknown, signed: unknown])[] = [
    ['sender', row.sender, tx.from],
    ['receiver', row.receiver, tx.to],
    ['amount', row.amount, `${tx.amount}`],
    ['nonce', row.nonce, tx.nonce],
    ['reference', row.reference ?? undefined, tx.reference],
    ['validUntil', row.validUntil ?? undefined, tx.validUntil],
  ];
  const wrong = pairs.find(([, stored, signed]) => stored !== signed);
  return wrong && `has the ${wrong[0]} ${String(wrong[2])} in the block, and ${String(wrong[1])} in the database`;
}

/** As the block applier names a void (gateway/follow/block-effects.ts). */
function labelOfVoid(
  row: TransferRow,
  tx: Cancel,
): [status: 'cancelled' | 'expired' | 'failed', reason?: 'superseded_by_void'] {
  if (row.cancelRequestedAtMs !== null) return ['cancelled'];
  if (row.expiryRequestedAtMs !== null) return ['expired'];
  return tx.txHash === hex(row.hash) ? ['cancelled'] : ['failed', 'superseded_by_void'];
}

function prepare(sql: SqliteConnection) {
  const has = <Values extends unknown[]>(table: string, ...columns: string[]) =>
    sql
      .prepare<Values, number>(`SELECT 1 FROM ${table} WHERE ${columns.map((column) => `${column} = ?`).join(' AND ')}`)
      .pluck();
  return {
    events: sql
      .prepare<[number], [number, number | null]>('SELECT idx, seq FROM events WHERE height = ? ORDER BY idx')
      .raw(),
    transfer: sql.prepare<[number], TransferRow>(`${TRANSFER_SQL} WHERE t.seq = ?`),
    voided: sql.prepare<[number, number]>(
      'SELECT v.hash, a.address AS sender, v.nonce, v.block_time_ms AS timeMs FROM unknown_voids v LEFT JOIN accounts a ON a.id = v.from_id WHERE v.height = ? AND v.idx = ?',
    ),
    other: sql.prepare<[Buffer], { height: number; position: number }>(
      'SELECT height, position FROM other_transactions WHERE hash = ?',
    ),
    pending: sql.prepare<[number], { fromId: number; nonce: number; signature: Buffer }>(
      'SELECT from_id AS fromId, nonce, signature FROM pending WHERE seq = ?',
    ),
    byHash: has<[number, number, number]>('by_hash', 'segment', 'prefix', 'seq'),
    byAnyHash: has<[number, number]>('by_hash', 'prefix', 'seq'),
    bySlot: has<[number, number, number, number]>('by_slot', 'segment', 'from_id', 'nonce', 'seq'),
    bySender: has<[number, number, number]>('by_sender', 'segment', 'account_id', 'seq'),
    byReceiver: has<[number, number, number]>('by_receiver', 'segment', 'account_id', 'seq'),
    byReference: has<[number, number, number]>('by_reference', 'segment', 'prefix', 'seq'),
  };
}
