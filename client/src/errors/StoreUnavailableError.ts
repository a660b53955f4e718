import { ProblemError } from './ProblemError.ts';

/** The database of the service is out of reach. */
export class StoreUnavailableError extends ProblemError<'store_unavailable'> {
  declare readonly name: 'StoreUnavailableError';
}
