import { ProblemError } from './ProblemError.ts';

/** The operator has not allowed web pages of this origin to call the service. */
export class OriginNotAllowedError extends ProblemError<'origin_not_allowed'> {
  declare readonly name: 'OriginNotAllowedError';
}
