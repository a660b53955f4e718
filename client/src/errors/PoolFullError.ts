import { ProblemError } from './ProblemError.ts';

/** As many transactions are pending as the service takes in altogether. */
export class PoolFullError extends ProblemError<'pool_full'> {
  declare readonly name: 'PoolFullError';
}
