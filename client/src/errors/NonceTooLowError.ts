import { ProblemError } from './ProblemError.ts';

/** The chain has already used this nonce of the account. Sign again with the account's `nextNonce`. */
export class NonceTooLowError extends ProblemError<'nonce_too_low'> {
  declare readonly name: 'NonceTooLowError';
}
