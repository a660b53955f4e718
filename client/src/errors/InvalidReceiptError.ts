import { LedgerClientError } from './LedgerClientError.ts';

/** The checks of a receipt, in their order; the schema `Receipt` of the contract describes each. */
export type ReceiptCheck =
  | 'form'
  | 'transaction'
  | 'signature'
  | 'transactionProof'
  | 'header'
  | 'validators'
  | 'commit'
  | 'link'
  | 'resultProof'
  | 'trust';

/** A receipt proves nothing: it was changed, it is of another chain, or the trusted data does not cover its block. */
export class InvalidReceiptError extends LedgerClientError {
  override readonly name = 'InvalidReceiptError' as const;
  override readonly retriable = false;
  /** The first check that failed. */
  readonly check: ReceiptCheck;

  constructor(check: ReceiptCheck, what: string) {
    super(`the receipt proves nothing (${check}): ${what}`);
    this.check = check;
  }
}
