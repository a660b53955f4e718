import { ProblemError } from './ProblemError.ts';

/** The owner of the token is at the limit of pending transactions of one owner. */
export class TooManyPendingError extends ProblemError<'too_many_pending'> {
  declare readonly name: 'TooManyPendingError';
}
