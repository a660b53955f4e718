import type { Problems } from '../contract.ts';
import type { Exchange } from './exchange.ts';
import { ProblemError } from './ProblemError.ts';

/** The nonce is too far ahead of the one that the chain expects. */
export class NonceTooHighError extends ProblemError<'nonce_too_high'> {
  declare readonly name: 'NonceTooHighError';
  /** The nonce to sign with instead, as of the moment in which the service refused this one. */
  readonly nextNonce: number;

  constructor(problem: Problems['nonce_too_high'], exchange: Exchange) {
    super(problem, exchange);
    this.nextNonce = problem.nextNonce;
  }
}
