/** What an error of one attempt means for the call: try again, after which pause, and what may have happened meanwhile. */
import type { ProblemCode } from '../contract.ts';
import { AttemptTimeoutError } from '../errors/AttemptTimeoutError.ts';
import { ConnectionError } from '../errors/ConnectionError.ts';
import { ProblemError } from '../errors/ProblemError.ts';
import { UnexpectedAnswerError } from '../errors/UnexpectedAnswerError.ts';
import { UnrecognizedProblemError } from '../errors/UnrecognizedProblemError.ts';
import { BACKOFF_MS_BASE, BACKOFF_MS_MAX, RETRY_AFTER_MS_MAX } from '../limits.ts';

/** Problems after which the service itself cannot say whether the request took effect. */
const UNDECIDED: ReadonlySet<string> = new Set<ProblemCode>(['internal', 'request_timeout', 'store_unavailable']);

/**
 * Refusals that hold for these bytes for ever, whenever they arrive: a nonce that was used, held or voided never becomes free again, and
 * what is malformed stays so. After any other refusal (no money now, no room now) an earlier attempt that is still on its way could yet be accepted.
 */
const PERMANENT: ReadonlySet<string> = new Set<ProblemCode>([
  'malformed_json',
  'invalid_request',
  'nonce_too_low',
  'nonce_conflict',
  'nonce_cancelled',
  'already_settled',
  'invalid_address',
  'invalid_signature',
  'tx_hash_mismatch',
]);

/** Answers of something before the service with which a gateway or proxy says "not now". */
function isPassing(status: number): boolean {
  return status >= 500 || status === 429 || status === 408;
}

export function isRetriable(error: unknown): boolean {
  if (error instanceof ProblemError || error instanceof UnrecognizedProblemError) return error.retriable;
  if (error instanceof UnexpectedAnswerError) return isPassing(error.status) || error.status < 300;
  return error instanceof ConnectionError || error instanceof AttemptTimeoutError;
}

/** Whether the request may have taken effect although no answer says so. */
export function mayHaveTakenEffect(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.mayHaveArrived;
  if (error instanceof ProblemError) return UNDECIDED.has(error.code);
  // A proxy that answers 4xx itself has let nothing through; one that answers 5xx may have.
  if (error instanceof UnexpectedAnswerError || error instanceof UnrecognizedProblemError) return error.status >= 500 || error.status < 300;
  return true;
}

export function isPermanentRefusal(error: unknown): boolean {
  return error instanceof ProblemError && PERMANENT.has(error.code);
}

/**
 * Milliseconds until the next attempt, or undefined when the service asks for more patience than this client has. Full jitter: many
 * clients that failed together come back apart.
 */
export function pauseMs(error: unknown, attemptsMade: number, random: number): number | undefined {
  const { retryAfterMs } = error as { retryAfterMs?: number };
  if (retryAfterMs === undefined) return random * Math.min(BACKOFF_MS_MAX, BACKOFF_MS_BASE * 2 ** (attemptsMade - 1));
  return retryAfterMs > RETRY_AFTER_MS_MAX ? undefined : retryAfterMs + random * BACKOFF_MS_BASE;
}
