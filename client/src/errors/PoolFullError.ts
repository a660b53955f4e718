import { ProblemError } from './ProblemError.ts';

/** The total of pending transactions is at the limit of the service. */
export class PoolFullError extends ProblemError<'pool_full'> {
  declare readonly name: 'PoolFullError';
}
