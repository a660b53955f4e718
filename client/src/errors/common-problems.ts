/** The error classes of the codes that any operation may answer with, the reading ones included. */
import type { ErrorClasses } from './error-classes.ts';
import { EngineUnavailableError } from './EngineUnavailableError.ts';
import { HeadersTooLargeError } from './HeadersTooLargeError.ts';
import { HeightNotReachedError } from './HeightNotReachedError.ts';
import { HostNotAllowedError } from './HostNotAllowedError.ts';
import { InsufficientScopeError } from './InsufficientScopeError.ts';
import { InternalError } from './InternalError.ts';
import { InvalidAddressError } from './InvalidAddressError.ts';
import { InvalidRequestError } from './InvalidRequestError.ts';
import { NotAcceptableError } from './NotAcceptableError.ts';
import { NotFoundError } from './NotFoundError.ts';
import { OriginNotAllowedError } from './OriginNotAllowedError.ts';
import { PlaceAheadError } from './PlaceAheadError.ts';
import { RateLimitedError } from './RateLimitedError.ts';
import { RequestTimeoutError } from './RequestTimeoutError.ts';
import { ServerBusyError } from './ServerBusyError.ts';
import { ShuttingDownError } from './ShuttingDownError.ts';
import { StoreUnavailableError } from './StoreUnavailableError.ts';
import { UnauthenticatedError } from './UnauthenticatedError.ts';

export const COMMON_PROBLEMS = {
  invalid_request: InvalidRequestError,
  unauthenticated: UnauthenticatedError,
  insufficient_scope: InsufficientScopeError,
  origin_not_allowed: OriginNotAllowedError,
  not_found: NotFoundError,
  not_acceptable: NotAcceptableError,
  request_timeout: RequestTimeoutError,
  invalid_address: InvalidAddressError,
  height_not_reached: HeightNotReachedError,
  place_ahead: PlaceAheadError,
  host_not_allowed: HostNotAllowedError,
  rate_limited: RateLimitedError,
  headers_too_large: HeadersTooLargeError,
  internal: InternalError,
  engine_unavailable: EngineUnavailableError,
  store_unavailable: StoreUnavailableError,
  shutting_down: ShuttingDownError,
  server_busy: ServerBusyError,
} as const satisfies Partial<ErrorClasses>;
