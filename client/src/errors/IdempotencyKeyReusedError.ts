import { ProblemError } from './ProblemError.ts';

/** Another transfer was accepted with this `Idempotency-Key`; `txHash` names it. */
export class IdempotencyKeyReusedError extends ProblemError<'idempotency_key_reused'> {
  declare readonly name: 'IdempotencyKeyReusedError';
  /** The transfer that the key belongs to. */
  declare readonly txHash: string;
}
