import type { Transaction, TransactionInput } from '../contract.ts';

const MEMBERS = ['from', 'to', 'amount', 'reference', 'validUntil'] as const;

/**
 * True if an answer is about the payment that was sent: an order must not count as paid because another order of the same price was. The
 * nonce is part of a payment too, but list items do not have it.
 */
export function isSamePayment(known: Transaction, input: TransactionInput): boolean {
  return MEMBERS.every((name) => known[name] === input[name]);
}
