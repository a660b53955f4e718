import type { Problems } from '../contract.ts';
import type { Exchange } from './exchange.ts';
import { ProblemError } from './ProblemError.ts';

/** The nonce is void: the transfer that held it was cancelled or expired, as `detail` says. Sign again with `nextNonce`. */
export class NonceCancelledError extends ProblemError<'nonce_cancelled'> {
  declare readonly name: 'NonceCancelledError';
  /** The nonce to sign with instead, as of the moment in which the service refused this one. */
  readonly nextNonce: number;

  constructor(problem: Problems['nonce_cancelled'], exchange: Exchange) {
    super(problem, exchange);
    this.nextNonce = problem.nextNonce;
  }
}
