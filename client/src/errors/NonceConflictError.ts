import { NonceProblem } from './nonce-problem.ts';

/** Another payment of the account holds this nonce; `txHash` names it. Sign again with `nextNonce`. */
export class NonceConflictError extends NonceProblem<'nonce_conflict'> {
  declare readonly name: 'NonceConflictError';
  /** The payment that holds the nonce. */
  declare readonly txHash: string;
}
