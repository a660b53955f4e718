/** Records of the gateway as resources of the contract. Members that do not apply are absent, never null. */
import type { StatusReason } from '../../gateway/status-types.ts';
import type { HistoryEntry, TransactionDetail, TransactionRecord } from '../../gateway/types.ts';

import { timestamp } from '../timestamp.ts';
import { resource, resourceOfAny } from '../typed/exact.ts';
import type { Schemas } from '../typed/types.ts';

/** The members of all five kinds of a transaction. */
type AnyTransaction = Pick<
  Schemas['Transaction'],
  'from' | 'to' | 'amount' | 'reference' | 'validUntil' | 'txHash' | 'firstSeenAt'
> &
  Partial<Pick<Schemas['FailedTransaction'], 'height' | 'blockTime' | 'executedAs'>> & {
    status: Schemas['TransactionStatus'];
    reason?: StatusReason;
  };

/** A resource in the contract's schema Transaction. */
export const transactionResource = (record: TransactionRecord) =>
  // The gateway decides which members go with a status (records.ts).
  resourceOfAny('Transaction', anyTransaction(record));

/**
 * `transactionResource` as JSON, in one pass: making the object and serialising it takes twice as long. If answers are compared with the
 * contract, the two are compared with each other.
 */
export function transactionText(record: TransactionRecord): string {
  // Kept with the record: entries of a weak map are work for the garbage collector, even if a record is never read again.
  return record.status === 'pending' ? closedText(record) : (record.json ??= closedText(record));
}

/** `transactionDetailResource` as JSON. */
export function transactionDetailText(record: TransactionDetail): string {
  return record.status === 'pending' ? detailText(record) : (record.pageJson ??= detailText(record));
}

const closedText = (record: TransactionRecord): string => `${openText(record)}}`;

const detailText = (record: TransactionDetail): string =>
  `${openText(record)},"nonce":${record.nonce},"history":${JSON.stringify(record.history.map(historyEntry))}}`;

/** Without its closing brace. Hashes, addresses, amounts and times need no escapes in JSON. */
function openText(record: TransactionRecord): string {
  let text = `{"from":"${record.from}","to":"${record.to}","amount":"${record.amount}","txHash":"${record.txHash}","status":"${record.status}","firstSeenAt":"${timestamp(record.firstSeenAtMs)}"`;
  if (record.reference !== undefined) text += `,"reference":${JSON.stringify(record.reference)}`;
  if (record.validUntil !== undefined) text += `,"validUntil":${record.validUntil}`;
  if (record.reason !== undefined) text += `,"reason":${JSON.stringify(record.reason)}`;
  if (record.height !== undefined) text += `,"height":${record.height}`;
  if (record.blockTimeMs !== undefined) text += `,"blockTime":"${timestamp(record.blockTimeMs)}"`;
  if (record.executedAs !== undefined) text += `,"executedAs":"${record.executedAs}"`;
  return text;
}

function anyTransaction(record: TransactionRecord): AnyTransaction {
  const made: AnyTransaction = {
    from: record.from,
    to: record.to,
    amount: record.amount,
    txHash: record.txHash,
    status: record.status,
    firstSeenAt: timestamp(record.firstSeenAtMs),
  };
  if (record.reference !== undefined) made.reference = record.reference;
  if (record.validUntil !== undefined) made.validUntil = record.validUntil;
  if (record.reason !== undefined) made.reason = record.reason;
  if (record.height !== undefined) made.height = record.height;
  if (record.blockTimeMs !== undefined) made.blockTime = timestamp(record.blockTimeMs);
  if (record.executedAs !== undefined) made.executedAs = record.executedAs;
  return made;
}

/** A resource in the contract's schema TransactionDetail. */
export function transactionDetailResource(record: TransactionDetail) {
  return resourceOfAny('TransactionDetail', {
    ...anyTransaction(record),
    nonce: record.nonce,
    history: record.history.map(historyEntry),
  });
}

function historyEntry({ atMs, blockTimeMs, ...entry }: HistoryEntry) {
  return resource('HistoryEntry', {
    at: timestamp(atMs),
    ...(blockTimeMs !== undefined && { blockTime: timestamp(blockTimeMs) }),
    ...entry,
  });
}

/**
 * Absolute with a public URL, which ends in a slash. Otherwise relative to the URL of `POST /transactions` (RFC 9110 section 10.2.2), so
 * that it is right behind a proxy that adds a prefix.
 */
export function transactionLocation(txHash: string, publicUrl: string | undefined): string {
  return `${publicUrl ?? './'}transactions/${txHash}`;
}
