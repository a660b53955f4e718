import { NonceProblem } from './nonce-problem.ts';

/** A cancel has voided this nonce. Sign again with `nextNonce`. */
export class NonceCancelledError extends NonceProblem<'nonce_cancelled'> {
  declare readonly name: 'NonceCancelledError';
}
