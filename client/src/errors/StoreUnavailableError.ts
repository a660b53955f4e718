import { ProblemError } from './ProblemError.ts';

/** The service cannot reach its database. */
export class StoreUnavailableError extends ProblemError<'store_unavailable'> {
  declare readonly name: 'StoreUnavailableError';
}
