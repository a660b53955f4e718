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

/** Of settled records, which may come again as the same object; a page of 100 is a quarter cheaper then. What is kept goes with its record. */
const resources = new WeakMap<TransactionRecord, unknown>();
/** The same as JSON: writing ten transfers takes as long as finding them. */
const texts = new WeakMap<TransactionRecord, unknown>();

/** Not to be changed: of a settled record it is the same object each time. */
export const transactionResource = (record: TransactionRecord) => keptIn(resources, record, resourceOf);

/** As `transactionResource`. */
export const transactionDetailResource = (record: TransactionDetail) => keptIn(resources, record, detailResourceOf);

/** The resource of the record as JSON. */
export const textOf = (record: TransactionRecord, resource: unknown): string =>
  keptIn(texts, record, () => JSON.stringify(resource));

function keptIn<Rec extends TransactionRecord, Made>(
  kept: WeakMap<TransactionRecord, unknown>,
  record: Rec,
  make: (record: Rec) => Made,
): Made {
  if (record.status === 'pending') return make(record);
  const known = kept.get(record) as Made | undefined;
  if (known !== undefined) return known;
  const made = make(record);
  kept.set(record, made);
  return made;
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

// Which members go with a status is the gateway's to keep (records.ts).
const resourceOf = (record: TransactionRecord) => resourceOfAny('Transaction', anyTransaction(record));

function detailResourceOf(record: TransactionDetail) {
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
 * Absolute where the public URL is known; it ends in a slash. Otherwise relative to the URL of `POST /transactions` (RFC 9110 section
 * 10.2.2), so that it holds behind a proxy that adds a prefix.
 */
export function transactionLocation(txHash: string, publicUrl: string | undefined): string {
  return `${publicUrl ?? './'}transactions/${txHash}`;
}
