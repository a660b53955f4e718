/**
 * The error classes of the codes that only operations with an effect answer with. They are in a table of their own so that a bundle that
 * only reads does not include them.
 */
import type { ErrorClasses } from './error-classes.ts';
import { AlreadySettledError } from './AlreadySettledError.ts';
import { BelowOpeningMinimumError } from './BelowOpeningMinimumError.ts';
import { BodyTooLargeError } from './BodyTooLargeError.ts';
import { IdempotencyKeyReusedError } from './IdempotencyKeyReusedError.ts';
import { InsufficientFundsError } from './InsufficientFundsError.ts';
import { InvalidSignatureError } from './InvalidSignatureError.ts';
import { MalformedJsonError } from './MalformedJsonError.ts';
import { MethodNotAllowedError } from './MethodNotAllowedError.ts';
import { NonceCancelledError } from './NonceCancelledError.ts';
import { NonceConflictError } from './NonceConflictError.ts';
import { NonceTooHighError } from './NonceTooHighError.ts';
import { NonceTooLowError } from './NonceTooLowError.ts';
import { NotSubmitterError } from './NotSubmitterError.ts';
import { PoolFullError } from './PoolFullError.ts';
import { TooManyPendingError } from './TooManyPendingError.ts';
import { TxHashMismatchError } from './TxHashMismatchError.ts';
import { UnsupportedMediaTypeError } from './UnsupportedMediaTypeError.ts';
import { ValidityPassedError } from './ValidityPassedError.ts';

export const CHANGE_PROBLEMS = {
  malformed_json: MalformedJsonError,
  not_submitter: NotSubmitterError,
  nonce_too_low: NonceTooLowError,
  nonce_conflict: NonceConflictError,
  nonce_cancelled: NonceCancelledError,
  already_settled: AlreadySettledError,
  body_too_large: BodyTooLargeError,
  unsupported_media_type: UnsupportedMediaTypeError,
  invalid_signature: InvalidSignatureError,
  tx_hash_mismatch: TxHashMismatchError,
  insufficient_funds: InsufficientFundsError,
  nonce_too_high: NonceTooHighError,
  idempotency_key_reused: IdempotencyKeyReusedError,
  validity_passed: ValidityPassedError,
  below_opening_minimum: BelowOpeningMinimumError,
  too_many_pending: TooManyPendingError,
  pool_full: PoolFullError,
  method_not_allowed: MethodNotAllowedError,
} as const satisfies Partial<ErrorClasses>;
