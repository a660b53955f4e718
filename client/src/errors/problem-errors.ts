/** The error class of every problem code. A code of the contract that has no class, or a class without a code, does not compile. */
import type { ProblemCode, Problems } from '../contract.ts';
import type { Exchange } from './exchange.ts';
import type { ProblemError } from './ProblemError.ts';
import { AlreadySettledError } from './AlreadySettledError.ts';
import { BodyTooLargeError } from './BodyTooLargeError.ts';
import { EngineUnavailableError } from './EngineUnavailableError.ts';
import { HeadersTooLargeError } from './HeadersTooLargeError.ts';
import { HostNotAllowedError } from './HostNotAllowedError.ts';
import { InsufficientFundsError } from './InsufficientFundsError.ts';
import { InsufficientScopeError } from './InsufficientScopeError.ts';
import { InternalError } from './InternalError.ts';
import { InvalidAddressError } from './InvalidAddressError.ts';
import { InvalidRequestError } from './InvalidRequestError.ts';
import { InvalidSignatureError } from './InvalidSignatureError.ts';
import { MalformedJsonError } from './MalformedJsonError.ts';
import { MethodNotAllowedError } from './MethodNotAllowedError.ts';
import { NonceCancelledError } from './NonceCancelledError.ts';
import { NonceConflictError } from './NonceConflictError.ts';
import { NonceTooHighError } from './NonceTooHighError.ts';
import { NonceTooLowError } from './NonceTooLowError.ts';
import { NotAcceptableError } from './NotAcceptableError.ts';
import { NotFoundError } from './NotFoundError.ts';
import { NotSubmitterError } from './NotSubmitterError.ts';
import { OriginNotAllowedError } from './OriginNotAllowedError.ts';
import { PoolFullError } from './PoolFullError.ts';
import { RateLimitedError } from './RateLimitedError.ts';
import { RequestTimeoutError } from './RequestTimeoutError.ts';
import { ShuttingDownError } from './ShuttingDownError.ts';
import { StoreUnavailableError } from './StoreUnavailableError.ts';
import { TooManyPendingError } from './TooManyPendingError.ts';
import { TxHashMismatchError } from './TxHashMismatchError.ts';
import { UnauthenticatedError } from './UnauthenticatedError.ts';
import { UnsupportedMediaTypeError } from './UnsupportedMediaTypeError.ts';

type ErrorClasses = { [Code in ProblemCode]: new (problem: Problems[Code], exchange: Exchange) => ProblemError<Code> };

export const PROBLEM_ERRORS = {
  malformed_json: MalformedJsonError,
  invalid_request: InvalidRequestError,
  unauthenticated: UnauthenticatedError,
  insufficient_scope: InsufficientScopeError,
  not_submitter: NotSubmitterError,
  origin_not_allowed: OriginNotAllowedError,
  not_found: NotFoundError,
  method_not_allowed: MethodNotAllowedError,
  not_acceptable: NotAcceptableError,
  request_timeout: RequestTimeoutError,
  nonce_too_low: NonceTooLowError,
  nonce_conflict: NonceConflictError,
  nonce_cancelled: NonceCancelledError,
  already_settled: AlreadySettledError,
  body_too_large: BodyTooLargeError,
  unsupported_media_type: UnsupportedMediaTypeError,
  host_not_allowed: HostNotAllowedError,
  invalid_address: InvalidAddressError,
  invalid_signature: InvalidSignatureError,
  tx_hash_mismatch: TxHashMismatchError,
  insufficient_funds: InsufficientFundsError,
  nonce_too_high: NonceTooHighError,
  rate_limited: RateLimitedError,
  too_many_pending: TooManyPendingError,
  headers_too_large: HeadersTooLargeError,
  internal: InternalError,
  pool_full: PoolFullError,
  engine_unavailable: EngineUnavailableError,
  store_unavailable: StoreUnavailableError,
  shutting_down: ShuttingDownError,
} as const satisfies ErrorClasses;

/** Every error that stands for a problem code of the contract; `name` and `code` narrow it. */
export type AnyProblemError = InstanceType<(typeof PROBLEM_ERRORS)[ProblemCode]>;
