import type { Transaction, TransactionInput } from '../contract.ts';

const MEMBERS = ['from', 'to', 'amount', 'reference', 'validUntil'] as const;

/**
 * Whether an answer tells of the payment that was sent: an order must not be taken for paid because another one of its price was. The nonce, which
 * is part of it too, stands in no list.
 */
export function isSamePayment(known: Transaction, input: TransactionInput): boolean {
  return MEMBERS.every((name) => known[name] === input[name]);
}
