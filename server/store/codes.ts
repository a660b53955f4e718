/** Statuses and reasons as the small integers that rows and indexes hold. Numbers in use are never given a new meaning. */
import type { TransactionStatus } from '../gateway/types.ts';
import { StoreDamagedError } from './errors.ts';
import type { StoredReason, StoredTransfer } from './types.ts';

const STATUSES: readonly TransactionStatus[] = ['pending', 'committed', 'failed', 'cancelled', 'expired'];
/** Position + 1: the slot index of the schema names 1 and 5, the reasons of a transfer that was executed and failed. */
const REASONS: readonly StoredReason[] = [
  'insufficient_funds',
  'superseded_by_payment',
  'superseded_by_void',
  'validity_passed',
  'below_opening_minimum',
];

/** True when a block executed it, with or without success: then it holds its nonce forever. */
export function wasExecuted({ status, reason }: Pick<StoredTransfer, 'status' | 'reason'>): boolean {
  return status === 'committed' || reason === 'insufficient_funds' || reason === 'below_opening_minimum';
}

export const STATUS_CODES: readonly number[] = STATUSES.map((_, code) => code);

export const SETTLED_CODES: readonly number[] = STATUS_CODES.slice(1);

export const statusCode = (status: TransactionStatus): number => STATUSES.indexOf(status);

export function statusOfCode(code: number): TransactionStatus {
  const status = STATUSES[code];
  if (status === undefined) throw new StoreDamagedError(`the store holds a transfer with the unknown status ${code}`);
  return status;
}

export const reasonCode = (reason: StoredReason | undefined): number | null =>
  reason === undefined ? null : REASONS.indexOf(reason) + 1;

export function reasonOfCode(code: number | null): StoredReason | undefined {
  return code === null ? undefined : REASONS[code - 1];
}
