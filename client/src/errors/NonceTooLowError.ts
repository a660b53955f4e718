import type { Problems } from '../contract.ts';
import type { Exchange } from './exchange.ts';
import { ProblemError } from './ProblemError.ts';

/** The chain has passed this nonce of the account. Sign again with `nextNonce`. */
export class NonceTooLowError extends ProblemError<'nonce_too_low'> {
  declare readonly name: 'NonceTooLowError';
  /** The nonce to sign with instead, as of the moment in which the service refused this one. */
  readonly nextNonce: number;

  constructor(problem: Problems['nonce_too_low'], exchange: Exchange) {
    super(problem, exchange);
    this.nextNonce = problem.nextNonce;
  }
}
