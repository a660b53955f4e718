import { ProblemError } from './ProblemError.ts';

/** The token or the client address has used up its quota for now. */
export class RateLimitedError extends ProblemError<'rate_limited'> {
  declare readonly name: 'RateLimitedError';
}
