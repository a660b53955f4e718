import { ProblemError } from './ProblemError.ts';

/** The nonce is too far ahead of the one that the chain expects. */
export class NonceTooHighError extends ProblemError<'nonce_too_high'> {
  declare readonly name: 'NonceTooHighError';
}
