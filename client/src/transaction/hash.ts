/** The identity of a transaction as callers write it and as answers carry it. */
import type { Transaction } from '../contract.ts';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.ts';

/** The hash in upper case, whichever case the caller has it in. */
export function readHash(txHash: string): string {
  if (!/^[0-9a-f]{64}$/i.test(txHash)) throw new InvalidArgumentError('txHash', 'is 64 hex digits');
  return txHash.toUpperCase();
}

/** Whether an answer is about the transaction that was asked for. A payment executed under another signature goes by either hash. */
export function isSameHash(transaction: Transaction, asked: string): boolean {
  return transaction.txHash === asked || ('executedAs' in transaction && transaction.executedAs === asked);
}
