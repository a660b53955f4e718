/** Amounts in a column of integers: a number where it is exact in JavaScript, otherwise text that SQLite does not convert to a number. */

const TEXT_MARK = '~';

export type StoredAmount = number | string;

export function storedAmount(amount: bigint): StoredAmount {
  return amount <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(amount) : `${TEXT_MARK}${amount}`;
}

/** Decimal digits. */
export function amountText(stored: StoredAmount): string {
  return typeof stored === 'number' ? String(stored) : stored.slice(TEXT_MARK.length);
}
