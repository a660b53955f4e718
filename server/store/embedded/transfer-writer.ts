/**
 * Writes transfers into their tables of chain.db, with the block that settles them or leaves them pending. Belongs to the one thread that
 * writes blocks.
 */
import { ownText } from '../../ledger/index.ts';
import { reasonCode, statusCode } from '../codes.ts';
import { StoreDamagedError } from '../errors.ts';
import type { BlockEvents } from '../event-types.ts';
import type { ChainConnection } from './connection.ts';
import type { BlockWrite, SignedTransfer, TransferChange, TransferRow } from './block-rows.ts';
import { prefixOf, prefixOfText, segmentOf } from './segments.ts';

type PendingRow = [
  from: string,
  to: string,
  amount: string,
  nonce: number,
  signature: Buffer,
  reference: string | null,
  validUntil: number | null,
];

/** Ids of accounts that the writer remembers. */
const ACCOUNT_IDS_MAX = 200_000;

export class TransferWriter {
  readonly #statements: ReturnType<typeof statementsOn>;
  readonly #accountIds = new Map<string, number>();
  readonly #submitterIds = new Map<string, number>();

  constructor(sql: ChainConnection) {
    this.#statements = statementsOn(sql);
  }

  /** A row that is pending. Throws StoreDamagedError where there is none. */
  pending(seq: number): SignedTransfer {
    const row = this.#statements.pending.get(seq);
    if (row === undefined)
      throw new StoreDamagedError(`the log has a block with the transfer ${seq}, which is not pending in chain.db`);
    const [from, to, amount, nonce, signature, reference, validUntil] = row;
    return {
      from,
      to,
      amount: BigInt(amount),
      nonce,
      signature: signature.toString('hex'),
      reference: reference ?? undefined,
      validUntil: validUntil ?? undefined,
    };
  }

  /** The id of an account that transfers name; undefined for an address that none does. */
  #accountId(address: string): number | undefined {
    const known = this.#accountIds.get(address);
    if (known !== undefined) return known;
    const found = this.#statements.accountId.get(address) as number | undefined;
    if (found !== undefined) this.#remember(address, found);
    return found;
  }

  /** Inside the block's transaction, after the accounts that it changed were written. */
  writeBlock({ added, changed, events, uptimeMs, place }: BlockWrite): void {
    for (const row of changed) this.#change(row);
    for (const row of added) this.#add(row);
    this.#index(added);
    this.#log(events);
    this.#statements.putProgress.run(uptimeMs, place.seq, place.hash);
  }

  #add({ transfer, position, tokenId, cancelOwner, cancelTokenId, idempotencyKey }: TransferRow): void {
    const { seq, owner, nonce, status } = transfer;
    const fromId = this.#idOf(transfer.from);
    transfer.fromId = fromId;
    transfer.toId = this.#idOf(transfer.to);
    this.#statements.add.run(
      seq,
      bytesOf(transfer.hash),
      fromId,
      transfer.toId,
      transfer.amount.toString(),
      nonce,
      owner === undefined ? null : this.#submitterId(owner, tokenId),
      statusCode(status),
      reasonCode(transfer.reason),
      optionalBytes(transfer.reasonHash),
      optionalBytes(transfer.executedAs),
      transfer.firstSeenAtMs,
      transfer.broadcastAtMs ?? null,
      transfer.cancelRequestedAtMs ?? null,
      cancelOwner === undefined ? null : this.#submitterId(cancelOwner, cancelTokenId),
      transfer.expiryRequestedAtMs ?? null,
      transfer.height ?? null,
      position ?? null,
      transfer.blockTimeMs ?? null,
    );
    const { reference, validUntil } = transfer;
    if (reference !== undefined || validUntil !== undefined)
      this.#statements.addMembers.run(seq, reference ?? null, validUntil ?? null);
    if (status === 'pending')
      this.#statements.addPending.run(
        seq,
        fromId,
        nonce,
        bytesOf(transfer.signature),
        transfer.seenBlockMs,
        transfer.seenUptimeMs,
      );
    if (owner !== undefined && idempotencyKey !== undefined) this.#statements.addKey.run(owner, idempotencyKey, seq);
  }

  /** In the order of the indexes, so that neighbours share one access of their page. */
  #index(added: readonly TransferRow[]): void {
    const { addHash, addSlot, addSender, addReceiver, addReference } = this.#statements;
    const byHash = added.flatMap(({ transfer: { hash, executedAs, seq } }) => [
      { prefix: prefixOf(hash), seq },
      ...(executedAs === undefined ? [] : [{ prefix: prefixOf(executedAs), seq }]),
    ]);
    for (const { prefix, seq } of byHash.sort((a, b) => a.prefix - b.prefix)) addHash.run(segmentOf(seq), prefix, seq);
    const bySender = added.map(({ transfer }) => transfer).sort((a, b) => a.fromId - b.fromId);
    for (const { fromId, nonce, seq } of bySender) {
      addSlot.run(segmentOf(seq), fromId, nonce, seq);
      addSender.run(segmentOf(seq), fromId, seq);
    }
    for (const { toId, seq } of bySender.sort((a, b) => a.toId - b.toId)) addReceiver.run(segmentOf(seq), toId, seq);
    const byReference = added.flatMap(({ transfer: { reference, seq } }) =>
      reference === undefined ? [] : [{ prefix: prefixOfText(reference), seq }],
    );
    for (const { prefix, seq } of byReference.sort((a, b) => a.prefix - b.prefix))
      addReference.run(segmentOf(seq), prefix, seq);
  }

  /** In their order, so that each is appended. */
  #log({ height, blockTimeMs, rows }: BlockEvents): void {
    const { addEvent, addVoid } = this.#statements;
    for (const { index, seq, voided } of rows.toSorted((a, b) => a.index - b.index)) {
      addEvent.run(height, index, seq ?? null);
      if (voided !== undefined)
        addVoid.run(height, index, bytesOf(voided.hash), this.#idOf(voided.from), voided.nonce, blockTimeMs);
    }
  }

  #change({ transfer, position, cancelOwner, cancelTokenId }: TransferChange): void {
    const { seq, status, executedAs } = transfer;
    const { changes } = this.#statements.change.run(
      statusCode(status),
      reasonCode(transfer.reason),
      optionalBytes(transfer.reasonHash),
      optionalBytes(executedAs),
      transfer.broadcastAtMs ?? null,
      transfer.cancelRequestedAtMs ?? null,
      cancelOwner === undefined ? null : this.#submitterId(cancelOwner, cancelTokenId),
      transfer.expiryRequestedAtMs ?? null,
      transfer.height ?? null,
      position ?? null,
      transfer.blockTimeMs ?? null,
      seq,
    );
    if (changes !== 1)
      throw new StoreDamagedError(`the transfer with seq ${seq} is not pending in the database, and the log has it so`);
    if (status !== 'pending') this.#statements.removePending.run(seq);
    if (executedAs !== undefined) this.#statements.addHash.run(segmentOf(seq), prefixOf(executedAs), seq);
  }

  /** Id of an address that a transfer names; one without an account on the chain gets a row that records that. */
  #idOf(address: string): number {
    const known = this.#accountId(address);
    if (known !== undefined) return known;
    const id = Number(this.#statements.addAddress.run(address).lastInsertRowid);
    this.#remember(address, id);
    return id;
  }

  #remember(address: string, id: number): void {
    if (this.#accountIds.size >= ACCOUNT_IDS_MAX) this.#accountIds.clear();
    this.#accountIds.set(ownText(address), id);
  }

  #submitterId(owner: string, tokenId = ''): number {
    const key = `${owner}\n${tokenId}`;
    const known = this.#submitterIds.get(key);
    if (known !== undefined) return known;
    const found =
      (this.#statements.submitterId.get(owner, tokenId) as number | undefined) ??
      Number(this.#statements.addSubmitter.run(owner, tokenId).lastInsertRowid);
    this.#submitterIds.set(key, found);
    return found;
  }
}

function statementsOn(sql: ChainConnection) {
  return {
    putProgress: sql.prepare('UPDATE chain SET uptime_ms = max(uptime_ms, ?), entry_seq = ?, entry_hash = ?'),
    pending: sql
      .prepare<[number], PendingRow>(
        `SELECT f.address, r.address, t.amount, t.nonce, p.signature, m.reference, m.valid_until FROM pending p JOIN transfers t ON t.seq = p.seq
         JOIN accounts f ON f.id = t.from_id JOIN accounts r ON r.id = t.to_id LEFT JOIN payment_members m ON m.seq = t.seq WHERE p.seq = ?`,
      )
      .raw(),
    accountId: sql.prepare('SELECT id FROM accounts WHERE address = ?').pluck(),
    addAddress: sql.prepare("INSERT INTO accounts (address, leaf, balance, nonce, voids) VALUES (?, NULL, '0', 0, '')"),
    submitterId: sql.prepare('SELECT id FROM submitters WHERE owner = ? AND token_id = ?').pluck(),
    addSubmitter: sql.prepare('INSERT INTO submitters (owner, token_id) VALUES (?, ?)'),
    add: sql.prepare(
      `INSERT INTO transfers (seq, hash, from_id, to_id, amount, nonce, submitter_id, status, reason, reason_hash, executed_as, first_seen_at_ms,
         broadcast_at_ms, cancel_requested_at_ms, cancel_submitter_id, expiry_requested_at_ms, height, position, block_time_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    // Conditional: a terminal status is never left.
    change: sql.prepare(
      `UPDATE transfers SET status = ?, reason = ?, reason_hash = ?, executed_as = ?, broadcast_at_ms = ?, cancel_requested_at_ms = ?,
         cancel_submitter_id = coalesce(?, cancel_submitter_id), expiry_requested_at_ms = ?, height = ?, position = ?, block_time_ms = ? WHERE seq = ? AND +status = 0`,
    ),
    addPending: sql.prepare(
      'INSERT INTO pending (seq, from_id, nonce, signature, seen_block_ms, seen_uptime_ms) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    addMembers: sql.prepare('INSERT INTO payment_members (seq, reference, valid_until) VALUES (?, ?, ?)'),
    addReference: sql.prepare('INSERT INTO by_reference (segment, prefix, seq) VALUES (?, ?, ?)'),
    removePending: sql.prepare('DELETE FROM pending WHERE seq = ?'),
    addKey: sql.prepare('INSERT INTO idempotency_keys (owner, idempotency_key, seq) VALUES (?, ?, ?)'),
    addHash: sql.prepare('INSERT INTO by_hash (segment, prefix, seq) VALUES (?, ?, ?)'),
    addSlot: sql.prepare('INSERT INTO by_slot (segment, from_id, nonce, seq) VALUES (?, ?, ?, ?)'),
    addSender: sql.prepare('INSERT INTO by_sender (segment, account_id, seq) VALUES (?, ?, ?)'),
    addEvent: sql.prepare('INSERT INTO events (height, idx, seq) VALUES (?, ?, ?)'),
    addVoid: sql.prepare(
      'INSERT INTO unknown_voids (height, idx, hash, from_id, nonce, block_time_ms) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    addReceiver: sql.prepare('INSERT INTO by_receiver (segment, account_id, seq) VALUES (?, ?, ?)'),
  };
}

const bytesOf = (hex: string): Buffer => Buffer.from(hex, 'hex');

const optionalBytes = (hex: string | undefined): Buffer | null => (hex === undefined ? null : bytesOf(hex));
