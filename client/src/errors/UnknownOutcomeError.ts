import { LedgerClientError } from './LedgerClientError.ts';

/**
 * A request was sent and no answer shows whether it took effect. It is not a failure: the transaction may be accepted already, or
 * the request may still arrive. Look the transaction up by its hash, wait for it, or send the same signed transfer again, which never pays
 * twice.
 */
export class UnknownOutcomeError extends LedgerClientError {
  override readonly name = 'UnknownOutcomeError' as const;
  override readonly retriable = true;
  readonly operation: 'submitTransaction' | 'submitTransactionBatch' | 'cancelTransaction' | 'submitCancel';
  /** The transaction whose outcome is unknown, 64 upper-case hex digits; of a batch, its first. */
  readonly txHash: string;
  readonly attempts: number;

  constructor(operation: UnknownOutcomeError['operation'], txHash: string, attempts: number, cause: unknown) {
    const last = cause instanceof Error ? cause.message : String(cause);
    super(
      `${operation} ${txHash}: it is not known whether it took effect. The last of ${attempts} attempts ended with: ${last}`,
      { cause },
    );
    this.operation = operation;
    this.txHash = txHash;
    this.attempts = attempts;
  }
}
