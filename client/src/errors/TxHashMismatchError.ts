import type { Problems } from '../contract.ts';
import type { Exchange } from './exchange.ts';
import { ProblemError } from './ProblemError.ts';

/** The hash in the request is not that of the transfer. */
export class TxHashMismatchError extends ProblemError<'tx_hash_mismatch'> {
  declare readonly name: 'TxHashMismatchError';
  /** The hash that the service computed. */
  readonly expectedTxHash: string;
  /** The hash that the request carried. */
  readonly actualTxHash: string;

  constructor(problem: Problems['tx_hash_mismatch'], exchange: Exchange) {
    super(problem, exchange);
    this.expectedTxHash = problem.expectedTxHash;
    this.actualTxHash = problem.actualTxHash;
  }
}
