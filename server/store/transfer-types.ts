/** A transfer as every store gives it. */
import type { TransactionStatus } from '../gateway/types.ts';

/**
 * Reasons of a failed transfer. The first of them and `below_opening_minimum` were executed, so these hold their nonce. `validity_passed`
 * is the reason with which this service gives one up, from the request for the void of its nonce on.
 */
export type StoredReason =
  | 'insufficient_funds'
  | 'superseded_by_payment'
  | 'superseded_by_void'
  | 'validity_passed'
  | 'below_opening_minimum';

export interface StoredTransfer {
  seq: number;
  /** 64 upper-case hex digits, as are the other hashes. */
  hash: string;
  fromId: number;
  toId: number;
  from: string;
  to: string;
  amount: bigint;
  nonce: number;
  reference?: string | undefined;
  validUntil?: number | undefined;
  /** 128 lower-case hex digits. */
  signature: string;
  owner: string | undefined;
  status: TransactionStatus;
  reason: StoredReason | undefined;
  reasonHash: string | undefined;
  executedAs: string | undefined;
  firstSeenAtMs: number;
  seenBlockMs: number;
  seenUptimeMs: number;
  broadcastAtMs: number | undefined;
  cancelRequestedAtMs: number | undefined;
  expiryRequestedAtMs: number | undefined;
  height: number | undefined;
  blockTimeMs: number | undefined;
}
