/** What can become of a transfer, and the words that a client reads about it. */

type Capital =
  | 'A'
  | 'B'
  | 'C'
  | 'D'
  | 'E'
  | 'F'
  | 'G'
  | 'H'
  | 'I'
  | 'J'
  | 'K'
  | 'L'
  | 'M'
  | 'N'
  | 'O'
  | 'P'
  | 'Q'
  | 'R'
  | 'S'
  | 'T'
  | 'U'
  | 'V'
  | 'W'
  | 'X'
  | 'Y'
  | 'Z';

/**
 * Words that a client reads: whole sentences, from a capital letter to a full stop. They say what is wrong, what was expected and what
 * to do. The compiler refuses any other form where such words are made.
 */
export type Sentence = `${Capital}${string}.`;
/** What a sentence begins with. */
export type Clause = `${Capital}${string}`;

/** `pending`, or one of the four terminal states. A terminal state is a fact on the chain and is never left. */
export type TransactionStatus = 'pending' | 'committed' | 'failed' | 'cancelled' | 'expired';

export type PendingReasonCode = 'waiting_for_nonce' | 'broadcast' | 'cancel_requested' | 'validity_passed';
export type FailureReasonCode = 'insufficient_funds' | 'nonce_superseded' | 'below_opening_minimum';
/** Why this service gave a transfer up. */
export type ExpiryReasonCode = 'validity_passed' | 'time_to_live';

export interface StatusReason {
  code: PendingReasonCode | FailureReasonCode;
  detail: Sentence;
  /** The payment or the cancel that took the nonce, where there is one. */
  txHash?: string;
}
