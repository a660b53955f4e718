/** The hash of a transaction in arguments and in answers. */
import type { Transaction } from '../contract.ts';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.ts';

/** The hash in upper case; callers may write it in either case. */
export function readHash(txHash: string): string {
  if (!/^[0-9a-f]{64}$/i.test(txHash)) throw new InvalidArgumentError('txHash', 'is 64 hex digits');
  return txHash.toUpperCase();
}

/** True if an answer is about the requested transaction. A payment executed with another signature has both hashes. */
export function isSameHash(transaction: Transaction, asked: string): boolean {
  return transaction.txHash === asked || ('executedAs' in transaction && transaction.executedAs === asked);
}
