/** Rows as the contract shows them: the record with its reason, and the history that the row implies. */
import type { StoredTransfer } from '../store/index.ts';
import type { HistoryEntry, Sentence, StatusReason, TransactionRecord } from './types.ts';

/** Fields of a transfer that a record shows. A row's amount may stay the text that it is. */
export type RecordSource = Pick<
  StoredTransfer,
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
> & { amount: bigint | string };

type GapOfSource<Source> = (transfer: Source) => number | undefined;

/** Without `gapOf` the nonce gaps of the sender are missing: then a pending transfer may have no reason. */
export function recordOf<Source extends RecordSource>(
  transfer: Source,
  gapOf: GapOfSource<Source> | undefined,
): TransactionRecord {
  const record: TransactionRecord = {
    txHash: transfer.hash,
    from: transfer.from,
    to: transfer.to,
    amount: transfer.amount.toString(),
    status: transfer.status,
    firstSeenAtMs: transfer.firstSeenAtMs,
  };
  // One by one, because a page of 100 comes through here: spreading an object for each costs three times as much.
  if (transfer.reference !== undefined) record.reference = transfer.reference;
  if (transfer.validUntil !== undefined) record.validUntil = transfer.validUntil;
  const reason = reasonOf(transfer, gapOf);
  if (reason !== undefined) record.reason = reason;
  if (transfer.height !== undefined) record.height = transfer.height;
  if (transfer.blockTimeMs !== undefined) record.blockTimeMs = transfer.blockTimeMs;
  if (transfer.executedAs !== undefined) record.executedAs = transfer.executedAs;
  return record;
}

function reasonOf<Source extends RecordSource>(
  transfer: Source,
  gapOf: GapOfSource<Source> | undefined,
): StatusReason | undefined {
  if (transfer.status === 'pending') return pendingReason(transfer, gapOf);
  if (transfer.status !== 'failed') return undefined;
  if (transfer.reason === 'insufficient_funds') {
    return {
      code: 'insufficient_funds',
      detail: 'The sender had too little money when the block executed the transfer. Its nonce is used.',
    };
  }
  if (transfer.reason === 'below_opening_minimum') {
    return {
      code: 'below_opening_minimum',
      detail:
        'The receiver had no account when the block executed the transfer, and the amount was too small to open one. Its nonce is used.',
    };
  }
  const taker = transfer.reasonHash === undefined ? {} : { txHash: transfer.reasonHash };
  const detail: Sentence =
    transfer.reason === 'superseded_by_payment'
      ? `Another payment, broadcast elsewhere, used nonce ${transfer.nonce}.`
      : `A cancel that was meant for another transfer voided nonce ${transfer.nonce}.`;
  return { code: 'nonce_superseded', detail, ...taker };
}

function pendingReason<Source extends RecordSource>(
  transfer: Source,
  gapOf: GapOfSource<Source> | undefined,
): StatusReason | undefined {
  if (transfer.cancelRequestedAtMs !== undefined) {
    return {
      code: 'cancel_requested',
      detail: 'A cancel was requested. A block decides whether it or the transfer comes first.',
    };
  }
  if (transfer.expiryRequestedAtMs !== undefined) {
    if (transfer.reason === 'validity_passed') {
      return {
        code: 'validity_passed',
        detail:
          'A block is later than its validUntil, so it never executes. The service voids its nonce, which a block has to hold.',
      };
    }
    return {
      code: 'cancel_requested',
      detail:
        'Its time to live is over, so the service cancels it. A block decides whether the cancel or the transfer comes first.',
    };
  }
  if (gapOf === undefined) return undefined;
  const gap = gapOf(transfer);
  if (gap !== undefined && gap < transfer.nonce) {
    return {
      code: 'waiting_for_nonce',
      detail: `It waits for a transfer with nonce ${gap}, or for the cancel of that nonce.`,
    };
  }
  return { code: 'broadcast', detail: 'It is broadcast to the chain again and again until a block decides.' };
}

/**
 * History of a transfer, oldest first. Every event happens at most once to a transfer, so the row itself is its history and nothing else
 * has to be written with each change.
 *
 * No time in it is before the one above. A block's time is the moment at which the block before it was signed, so that of the block that
 * decided can be before this service accepted the transfer; and a clock can be set back. Then the entry has the time of the one above, and
 * the block's own time beside it.
 */
export function historyOf(transfer: StoredTransfer): HistoryEntry[] {
  const first: HistoryEntry = {
    atMs: transfer.firstSeenAtMs,
    event: transfer.owner === undefined ? 'seen_on_chain' : 'accepted',
  };
  const own = [
    ...entryAt(transfer.broadcastAtMs, { event: 'broadcast' }),
    ...entryAt(transfer.expiryRequestedAtMs, expiryEntry(transfer)),
    ...entryAt(transfer.cancelRequestedAtMs, { event: 'cancel_requested' }),
  ].sort((a, b) => a.atMs - b.atMs);
  let latestMs = first.atMs;
  return [first, ...own, ...settledEntry(transfer)].map((entry) => {
    latestMs = Math.max(latestMs, entry.atMs);
    return entry.atMs === latestMs ? entry : { ...entry, atMs: latestMs };
  });
}

const entryAt = (atMs: number | undefined, entry: Omit<HistoryEntry, 'atMs'>): HistoryEntry[] =>
  atMs === undefined ? [] : [{ atMs, ...entry }];

function expiryEntry({ reason, validUntil }: StoredTransfer): Omit<HistoryEntry, 'atMs'> {
  if (reason === 'validity_passed')
    return { event: 'expiry_requested', reason, detail: 'A block is later than its validUntil.' };
  // Where another payment or cancel took the nonce first, the row has that reason instead.
  if (validUntil !== undefined && reason !== undefined)
    return { event: 'expiry_requested', detail: 'Its validity or its time to live was over.' };
  return { event: 'expiry_requested', reason: 'time_to_live', detail: 'Its time to live was over.' };
}

function settledEntry(transfer: StoredTransfer): HistoryEntry[] {
  const { status, blockTimeMs, height } = transfer;
  if (status === 'pending' || blockTimeMs === undefined || height === undefined) return [];
  const other = transfer.reasonHash ?? transfer.executedAs;
  const about = other === undefined ? {} : { txHash: other };
  return [{ atMs: blockTimeMs, blockTimeMs, event: status, height, ...about, ...detailOf(transfer) }];
}

function detailOf(transfer: StoredTransfer): { detail?: Sentence } {
  if (transfer.executedAs !== undefined)
    return { detail: 'It was executed under another valid signature of the same payment.' };
  switch (transfer.reason) {
    case undefined:
    case 'validity_passed':
      return {};
    case 'insufficient_funds':
      return { detail: 'The sender had too little money.' };
    case 'below_opening_minimum':
      return { detail: 'The receiver had no account, and the amount was too small to open one.' };
    case 'superseded_by_payment':
      return { detail: 'Another payment used the nonce.' };
    case 'superseded_by_void':
      return { detail: 'A cancel that was meant for another transfer voided the nonce.' };
  }
}
