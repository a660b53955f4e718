import { ProblemError } from './ProblemError.ts';

/** The body is larger than the service accepts. */
export class BodyTooLargeError extends ProblemError<'body_too_large'> {
  declare readonly name: 'BodyTooLargeError';
}
