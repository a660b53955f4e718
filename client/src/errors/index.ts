/** Every error of this package. `LedgerError` is the union of all that are thrown: `name` narrows it. */
export { AlreadySettledError } from './AlreadySettledError.ts';
export { AttemptTimeoutError } from './AttemptTimeoutError.ts';
export { BelowOpeningMinimumError } from './BelowOpeningMinimumError.ts';
export { BodyTooLargeError } from './BodyTooLargeError.ts';
export { ConnectionError } from './ConnectionError.ts';
export { EngineUnavailableError } from './EngineUnavailableError.ts';
export { HeadersTooLargeError } from './HeadersTooLargeError.ts';
export { HeightNotReachedError } from './HeightNotReachedError.ts';
export { HostNotAllowedError } from './HostNotAllowedError.ts';
export { IdempotencyKeyReusedError } from './IdempotencyKeyReusedError.ts';
export { InsufficientFundsError } from './InsufficientFundsError.ts';
export { InsufficientScopeError } from './InsufficientScopeError.ts';
export { InternalError } from './InternalError.ts';
export { InvalidAddressError } from './InvalidAddressError.ts';
export { InvalidArgumentError } from './InvalidArgumentError.ts';
export { InvalidReceiptError, type ReceiptCheck } from './InvalidReceiptError.ts';
export { InvalidRequestError } from './InvalidRequestError.ts';
export { InvalidSignatureError } from './InvalidSignatureError.ts';
export { InvalidWebhookError, type WebhookCheck } from './InvalidWebhookError.ts';
export { LedgerClientError } from './LedgerClientError.ts';
export { MalformedJsonError } from './MalformedJsonError.ts';
export { MethodNotAllowedError } from './MethodNotAllowedError.ts';
export { NonceCancelledError } from './NonceCancelledError.ts';
export { NonceConflictError } from './NonceConflictError.ts';
export { NonceTooHighError } from './NonceTooHighError.ts';
export { NonceTooLowError } from './NonceTooLowError.ts';
export { NotAcceptableError } from './NotAcceptableError.ts';
export { NotFoundError } from './NotFoundError.ts';
export { NotSubmitterError } from './NotSubmitterError.ts';
export { OriginNotAllowedError } from './OriginNotAllowedError.ts';
export { OtherChainError } from './OtherChainError.ts';
export { PlaceAheadError } from './PlaceAheadError.ts';
export { PoolFullError } from './PoolFullError.ts';
export { ProblemError } from './ProblemError.ts';
export { RateLimitedError } from './RateLimitedError.ts';
export { ReceiptNotReadyError } from './ReceiptNotReadyError.ts';
export { RequestError } from './RequestError.ts';
export { RequestTimeoutError } from './RequestTimeoutError.ts';
export { ServerBusyError } from './ServerBusyError.ts';
export { ShuttingDownError } from './ShuttingDownError.ts';
export { SignerError } from './SignerError.ts';
export { StoreUnavailableError } from './StoreUnavailableError.ts';
export { TooManyPendingError } from './TooManyPendingError.ts';
export { TooManyWebhooksError } from './TooManyWebhooksError.ts';
export { TxHashMismatchError } from './TxHashMismatchError.ts';
export { UnauthenticatedError } from './UnauthenticatedError.ts';
export { UnexpectedAnswerError } from './UnexpectedAnswerError.ts';
export { UnknownOutcomeError } from './UnknownOutcomeError.ts';
export { UnsupportedMediaTypeError } from './UnsupportedMediaTypeError.ts';
export { ValidityPassedError } from './ValidityPassedError.ts';
export { WebhookBusyError } from './WebhookBusyError.ts';
export { WebhookDisabledError } from './WebhookDisabledError.ts';
export { WebhookExistsError } from './WebhookExistsError.ts';
export { WebhookUrlRefusedError } from './WebhookUrlRefusedError.ts';
export type { UnknownProblem } from './UnexpectedAnswerError.ts';
export type { AnyProblemError } from './any-problem-error.ts';

import type { AttemptTimeoutError } from './AttemptTimeoutError.ts';
import type { ConnectionError } from './ConnectionError.ts';
import type { InvalidArgumentError } from './InvalidArgumentError.ts';
import type { InvalidReceiptError } from './InvalidReceiptError.ts';
import type { InvalidWebhookError } from './InvalidWebhookError.ts';
import type { SignerError } from './SignerError.ts';
import type { UnexpectedAnswerError } from './UnexpectedAnswerError.ts';
import type { UnknownOutcomeError } from './UnknownOutcomeError.ts';
import type { AnyProblemError } from './any-problem-error.ts';

export type LedgerError =
  | AnyProblemError
  | AttemptTimeoutError
  | ConnectionError
  | InvalidArgumentError
  | InvalidReceiptError
  | InvalidWebhookError
  | SignerError
  | UnexpectedAnswerError
  | UnknownOutcomeError;
