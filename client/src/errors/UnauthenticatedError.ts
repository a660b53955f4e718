import { ProblemError } from './ProblemError.ts';

/** No valid token was sent: it is missing, unknown, expired or revoked. */
export class UnauthenticatedError extends ProblemError<'unauthenticated'> {
  declare readonly name: 'UnauthenticatedError';
}
