/**
 * Derives from the errors of a call with an effect whether it took effect.
 *
 * No answer is not a failure. As soon as one attempt may have taken effect, the call can only end with an answer, with a refusal that no
 * earlier attempt can contradict, or with an UnknownOutcomeError.
 */
import type { ProblemCode } from '../contract.ts';
import { CHANGE_PROBLEMS } from '../errors/change-problems.ts';
import { ConnectionError } from '../errors/ConnectionError.ts';
import { ProblemError } from '../errors/ProblemError.ts';
import { UnexpectedAnswerError } from '../errors/UnexpectedAnswerError.ts';
import { UnknownOutcomeError } from '../errors/UnknownOutcomeError.ts';

/** Problems after which the service itself cannot say whether the request took effect. */
const UNDECIDED: ReadonlySet<string> = new Set<ProblemCode>(['internal', 'request_timeout', 'store_unavailable']);

/**
 * Refusals that hold for these bytes at any time: a nonce that was used, held or voided never becomes free again, and a malformed request
 * stays malformed. After any other refusal (insufficient funds or a full pool at that time) an earlier attempt that is still on its way
 * could yet be accepted.
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

/** Codes of Node for a connection that was not made, so that nothing can have been received. Browsers have no such codes. */
const NEVER_CONNECTED: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

function mayHaveTakenEffect(error: unknown): boolean {
  if (error instanceof ProblemError) return UNDECIDED.has(error.code);
  if (error instanceof ConnectionError)
    return !NEVER_CONNECTED.has((error.cause as { cause?: { code?: string } } | undefined)?.cause?.code);
  // A proxy that answers 3xx or 4xx itself has let nothing through; one that answers 5xx may have.
  return !(error instanceof UnexpectedAnswerError) || error.status >= 500 || error.status < 300;
}

/** The members for `Client.call` of a call with an effect on `txHash`; one object for each call, because it keeps state of its attempts. */
export function changing(operation: UnknownOutcomeError['operation'], txHash: string) {
  let undecided = false;
  return {
    operation,
    txHash,
    problems: CHANGE_PROBLEMS,
    /** Called with every failed attempt; returns the error to throw if it was the last. */
    failed(error: unknown, sent: boolean, attempts: number): unknown {
      undecided ||= sent && mayHaveTakenEffect(error);
      const permanent = error instanceof ProblemError && PERMANENT.has(error.code);
      return undecided && !permanent ? new UnknownOutcomeError(operation, txHash, attempts, error) : error;
    },
  };
}
