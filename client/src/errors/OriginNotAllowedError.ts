import { ProblemError } from './ProblemError.ts';

/** A web page of an origin called that the operator has not allowed. */
export class OriginNotAllowedError extends ProblemError<'origin_not_allowed'> {
  declare readonly name: 'OriginNotAllowedError';
}
