import { NonceProblem } from './nonce-problem.ts';

/** The nonce is too far ahead of the one that the chain expects; start from `nextNonce`. */
export class NonceTooHighError extends NonceProblem<'nonce_too_high'> {
  declare readonly name: 'NonceTooHighError';
}
