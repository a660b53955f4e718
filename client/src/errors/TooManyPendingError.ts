import { ProblemError } from './ProblemError.ts';

/** The owner of the token has as many pending transactions as one owner may have. */
export class TooManyPendingError extends ProblemError<'too_many_pending'> {
  declare readonly name: 'TooManyPendingError';
}
