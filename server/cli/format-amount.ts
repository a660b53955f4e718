/** Amounts as a person reads them: for now the integer of minor units that the contract has. */

/** `amount` is decimal digits of minor units. */
export function formatAmount(amount: string): string {
  return amount;
}
