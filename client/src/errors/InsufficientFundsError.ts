import { ProblemError } from './ProblemError.ts';

/** The balance of the account, less everything it has pending, is smaller than the amount. */
export class InsufficientFundsError extends ProblemError<'insufficient_funds'> {
  declare readonly name: 'InsufficientFundsError';
}
