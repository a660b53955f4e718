import { ProblemError } from './ProblemError.ts';

/** Another owner submitted the transaction, or the sending address is bound to another owner. */
export class NotSubmitterError extends ProblemError<'not_submitter'> {
  declare readonly name: 'NotSubmitterError';
}
