import { NonceProblem } from './nonce-problem.ts';

/** The chain has already used this nonce of the account. Sign again with `nextNonce`. */
export class NonceTooLowError extends NonceProblem<'nonce_too_low'> {
  declare readonly name: 'NonceTooLowError';
}
