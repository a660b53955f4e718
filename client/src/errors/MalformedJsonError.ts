import { ProblemError } from './ProblemError.ts';

/** The body was not the JSON that the service reads. This package never sends such a body; a proxy may have changed it. */
export class MalformedJsonError extends ProblemError<'malformed_json'> {
  declare readonly name: 'MalformedJsonError';
}
