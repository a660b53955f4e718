/** Equality of payments (protocol.md, rule 23): all of a transfer but its signature. An absent member counts as a value. */
import type { StoredTransfer } from '../store/index.ts';

export type Payment = Pick<StoredTransfer, 'from' | 'nonce' | 'to' | 'amount' | 'reference' | 'validUntil'>;

/** True when both are one payment, with the same signature or not: two orders of one price differ by their reference. */
export function isSamePayment(one: Payment, other: Payment): boolean {
  return (
    one.from === other.from &&
    one.nonce === other.nonce &&
    one.to === other.to &&
    one.amount === other.amount &&
    one.reference === other.reference &&
    one.validUntil === other.validUntil
  );
}
