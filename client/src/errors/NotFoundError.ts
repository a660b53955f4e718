import { ProblemError } from './ProblemError.ts';

/** The service has seen no transaction with this hash, or the base URL is wrong. */
export class NotFoundError extends ProblemError<'not_found'> {
  declare readonly name: 'NotFoundError';
}
