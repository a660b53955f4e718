/** Statuses of a transfer, and their descriptions for clients. */
import type { Sentence } from '../platform/sentence.ts';

export type { Clause, Sentence } from '../platform/sentence.ts';

/** `pending`, or one of the four terminal states. A terminal state is a fact on the chain and never changes. */
export type TransactionStatus = 'pending' | 'committed' | 'failed' | 'cancelled' | 'expired';

export type PendingReasonCode = 'waiting_for_nonce' | 'broadcast' | 'cancel_requested' | 'validity_passed';
export type FailureReasonCode = 'insufficient_funds' | 'nonce_superseded' | 'below_opening_minimum';
/** Reasons for which this service expires a transfer. */
export type ExpiryReasonCode = 'validity_passed' | 'time_to_live';

export interface StatusReason {
  code: PendingReasonCode | FailureReasonCode;
  detail: Sentence;
  /** The payment or the cancel that took the nonce, where there is one. */
  txHash?: string;
}

/** Reasons for which a block let a transfer fail. */
export interface FailureReason extends StatusReason {
  code: FailureReasonCode;
}
