import { ProblemError } from './ProblemError.ts';

/** The header section of the request is larger than the service accepts. */
export class HeadersTooLargeError extends ProblemError<'headers_too_large'> {
  declare readonly name: 'HeadersTooLargeError';
}
