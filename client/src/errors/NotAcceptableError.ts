import { ProblemError } from './ProblemError.ts';

/** The service cannot answer in a media type that the request accepts. */
export class NotAcceptableError extends ProblemError<'not_acceptable'> {
  declare readonly name: 'NotAcceptableError';
}
