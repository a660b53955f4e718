import type { Problems } from '../contract.ts';
import type { Exchange } from './exchange.ts';
import { ProblemError } from './ProblemError.ts';

/** Another payment of the account holds this nonce; `txHash` names it. Sign again with `nextNonce`. */
export class NonceConflictError extends ProblemError<'nonce_conflict'> {
  declare readonly name: 'NonceConflictError';
  /** The payment that holds the nonce. */
  declare readonly txHash: string;
  /** The nonce to sign with instead, as of the moment in which the service refused this one. */
  readonly nextNonce: number;

  constructor(problem: Problems['nonce_conflict'], exchange: Exchange) {
    super(problem, exchange);
    this.nextNonce = problem.nextNonce;
  }
}
