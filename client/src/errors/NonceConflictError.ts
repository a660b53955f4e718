import { ProblemError } from './ProblemError.ts';

/** Another payment of the account holds this nonce; `txHash` names it. Sign again with the account's `nextNonce`. */
export class NonceConflictError extends ProblemError<'nonce_conflict'> {
  declare readonly name: 'NonceConflictError';
  /** The payment that holds the nonce. */
  declare readonly txHash: string;
}
