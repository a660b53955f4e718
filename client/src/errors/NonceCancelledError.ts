import { ProblemError } from './ProblemError.ts';

/** A cancel has voided this nonce for ever. Sign again with the account's `nextNonce`. */
export class NonceCancelledError extends ProblemError<'nonce_cancelled'> {
  declare readonly name: 'NonceCancelledError';
}
