import { ProblemError } from './ProblemError.ts';

/** The request took too long to arrive at the service. */
export class RequestTimeoutError extends ProblemError<'request_timeout'> {
  declare readonly name: 'RequestTimeoutError';
}
