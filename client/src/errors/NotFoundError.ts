import { ProblemError } from './ProblemError.ts';

/** The service has no such transaction, webhook or block, or the base URL is wrong. */
export class NotFoundError extends ProblemError<'not_found'> {
  declare readonly name: 'NotFoundError';
}
