/** Rows of `transfers`, as values in the order of their columns: an object for each row would cost a list of 100 a fifth more. */
import { reasonOfCode, statusOfCode } from '../codes.ts';
import { StoreDamagedError } from '../errors.ts';
import type { TransactionRecord } from '../../gateway/types.ts';
import type { StoredTransfer } from '../types.ts';

/** A transfer as lists need it: the amount as the text that the row holds, and nothing that only a broadcast or an operator needs. */
export type ListedTransfer = Pick<
  StoredTransfer,
  | 'seq'
  | 'hash'
  | 'from'
  | 'to'
  | 'nonce'
  | 'reference'
  | 'validUntil'
  | 'status'
  | 'reason'
  | 'reasonHash'
  | 'executedAs'
  | 'firstSeenAtMs'
  | 'cancelRequestedAtMs'
  | 'expiryRequestedAtMs'
  | 'height'
  | 'blockTimeMs'
> & {
  amount: string;
  /** Its record, once it is settled and the record was made: the newest are read again and again (listed-rows.ts). */
  record?: TransactionRecord;
};

/**
 * Members that few transfers carry, from a table of their own. A join for them costs a row ten times as much, two look-ups by rowid next to
 * nothing.
 */
const member = (column: 'reference' | 'valid_until'): string =>
  `(SELECT m.${column} FROM payment_members m WHERE m.seq = t.seq)`;

/**
 * Columns of `transfers t`. SQLite writes hashes as text 3 times faster than they become buffers and text here. hex() of null is the empty
 * text.
 */
export const LISTED_COLUMNS = `t.seq, hex(t.hash), t.from_id, t.to_id, t.amount, t.nonce, t.status, t.reason, hex(t.reason_hash), hex(t.executed_as),
  t.first_seen_at_ms, t.cancel_requested_at_ms, t.expiry_requested_at_ms, t.height, t.block_time_ms, ${member('reference')}, ${member('valid_until')}`;

export type ListedRow = [
  seq: number,
  hash: string,
  fromId: number,
  toId: number,
  amount: string,
  nonce: number,
  status: number,
  reason: number | null,
  reasonHash: string,
  executedAs: string,
  firstSeenAtMs: number,
  cancelRequestedAtMs: number | null,
  expiryRequestedAtMs: number | null,
  height: number | null,
  blockTimeMs: number | null,
  reference: string | null,
  validUntil: number | null,
];

/**
 * Columns that only one transfer's own page, or the writer, needs. Names are looked up by number: with a join for each the row costs ten
 * times as much.
 */
export const DETAIL_COLUMNS = `${LISTED_COLUMNS}, t.broadcast_at_ms, t.submitter_id, t.cancel_submitter_id`;

export type DetailRow = [
  ...ListedRow,
  broadcastAtMs: number | null,
  submitterId: number | null,
  cancelSubmitterId: number | null,
];

/** Columns of a pending transfer only. */
export type PendingPart = [signature: string, seenBlockMs: number, seenUptimeMs: number];

const SETTLED: PendingPart = ['', 0, 0];

/** For rows that no request of the journal concerns. */
export const NO_CANCEL: CancelAtMs = () => undefined;

/** The names behind the numbers of a row. */
export interface Names {
  address(id: number): string;
  submitter(id: number): Submitter;
}

export interface Submitter {
  owner: string;
  /** Empty where it was not written down. */
  tokenId: string;
}

const AMOUNT_PATTERN = /^[1-9][0-9]{0,38}$/;

/**
 * Time at which the journal has a request to cancel the transfer with this seq. It counts while the transfer is pending and its row has
 * none.
 */
export type CancelAtMs = (seq: number) => number | undefined;

export function listedOfRow(row: ListedRow | DetailRow, names: Names, cancelAtMs: CancelAtMs): ListedTransfer {
  const [
    seq,
    hash,
    fromId,
    toId,
    amount,
    nonce,
    statusCode,
    reason,
    reasonHash,
    executedAs,
    firstSeenAtMs,
    cancelRequestedAtMs,
    expiryRequestedAtMs,
    height,
    blockTimeMs,
    reference,
    validUntil,
  ] = row;
  if (!AMOUNT_PATTERN.test(amount))
    throw new StoreDamagedError(
      `the transfer with seq ${seq} has the amount ${JSON.stringify(amount)}, which this program never wrote; restore the database from a backup`,
    );
  const status = statusOfCode(statusCode);
  return {
    seq,
    hash,
    from: names.address(fromId),
    to: names.address(toId),
    amount,
    nonce,
    reference: reference ?? undefined,
    validUntil: validUntil ?? undefined,
    status,
    reason: reasonOfCode(reason),
    reasonHash: reasonHash === '' ? undefined : reasonHash,
    executedAs: executedAs === '' ? undefined : executedAs,
    firstSeenAtMs,
    cancelRequestedAtMs: cancelRequestedAtMs ?? (status === 'pending' ? cancelAtMs(seq) : undefined),
    expiryRequestedAtMs: expiryRequestedAtMs ?? undefined,
    height: height ?? undefined,
    blockTimeMs: blockTimeMs ?? undefined,
  };
}

export function transferOfRow(
  row: DetailRow,
  names: Names,
  cancelAtMs: CancelAtMs,
  pending: PendingPart = SETTLED,
): StoredTransfer {
  const [, , fromId, toId, , , , , , , , , , , , , , broadcastAtMs, submitterId] = row;
  const [signature, seenBlockMs, seenUptimeMs] = pending;
  const listed = listedOfRow(row, names, cancelAtMs);
  return {
    ...listed,
    fromId,
    toId,
    amount: BigInt(listed.amount),
    signature,
    owner: submitterId === null ? undefined : names.submitter(submitterId).owner,
    seenBlockMs,
    seenUptimeMs,
    broadcastAtMs: broadcastAtMs ?? undefined,
  };
}
