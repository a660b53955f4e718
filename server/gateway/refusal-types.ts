/** Answers of the gateway to requests that it refuses. */
import type { Sentence, TransactionStatus } from './status-types.ts';

/** Codes of the contract's problem catalogue that the gateway can answer with. */
export type RefusalCode =
  | 'invalid_request'
  | 'invalid_address'
  | 'invalid_signature'
  | 'tx_hash_mismatch'
  | 'nonce_conflict'
  | 'nonce_too_low'
  | 'nonce_cancelled'
  | 'nonce_too_high'
  | 'idempotency_key_reused'
  | 'validity_passed'
  | 'below_opening_minimum'
  | 'insufficient_funds'
  | 'too_many_pending'
  | 'pool_full'
  | 'unauthenticated'
  | 'insufficient_scope'
  | 'not_found'
  | 'not_submitter'
  | 'already_settled'
  | 'receipt_not_ready'
  | 'height_not_reached'
  | 'place_ahead'
  | 'webhook_exists'
  | 'too_many_webhooks'
  | 'webhook_disabled'
  | 'webhook_busy'
  | 'webhook_url_refused'
  | 'store_unavailable'
  | 'engine_unavailable'
  | 'shutting_down';

export interface FieldError {
  /**
   * JSON pointer into the request body (`/from`); `#/query/name` or `#/path/name` for a parameter, `#/header/name` in lower case for a
   * header.
   */
  pointer: string;
  message: Sentence;
}

/** State of a transfer for which a cancel comes too late. */
export type FinalStatus = Exclude<TransactionStatus, 'pending' | 'cancelled'>;

export interface RefusalExtra {
  /** The exact bytes that had to be signed, as UTF-8 text. */
  signBytes?: string;
  expectedTxHash?: string;
  actualTxHash?: string;
  /** The nonce to sign with instead, the account's `nextNonce`: computed from the very state that led to the refusal. */
  nextNonce?: number;
  /** The scopes that the token of the request lacks. */
  scopes?: readonly string[];
  /** The terminal status that prevents a cancel. */
  status?: FinalStatus;
  /** The last block of the event log. */
  height?: number;
}

export interface Refusal {
  ok: false;
  code: RefusalCode;
  detail: Sentence;
  /** The transaction that the refusal is about, or that prevents the request. */
  txHash?: string;
  errors?: FieldError[];
  extra?: RefusalExtra;
  retryAfterS?: number;
}
