import type { Problems } from '../contract.ts';
import type { Exchange } from './exchange.ts';
import { ProblemError } from './ProblemError.ts';

/** The transaction cannot be cancelled: it is final. */
export class AlreadySettledError extends ProblemError<'already_settled'> {
  declare readonly name: 'AlreadySettledError';
  declare readonly txHash: string;
  /** The final status that the transaction has. */
  readonly transactionStatus: Problems['already_settled']['transactionStatus'];

  constructor(problem: Problems['already_settled'], exchange: Exchange) {
    super(problem, exchange);
    this.transactionStatus = problem.transactionStatus;
  }
}
