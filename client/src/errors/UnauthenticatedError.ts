import { ProblemError } from './ProblemError.ts';

/** The token is missing, unknown, expired or revoked. */
export class UnauthenticatedError extends ProblemError<'unauthenticated'> {
  declare readonly name: 'UnauthenticatedError';
}
