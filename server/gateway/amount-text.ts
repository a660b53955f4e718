/**
 * Amounts in sentences for people, as the client's `formatAmount` writes them: `1,234.56 EUR`. The gateway may not import the client, so a
 * test compares the two. Members that programs read have minor units.
 */
import type { Currency } from '../ledger/index.ts';

export function amountText(minorUnits: bigint, { code, scale }: Currency): string {
  const padded = minorUnits.toString().padStart(scale + 1, '0');
  const point = padded.length - scale;
  const whole = padded.slice(0, point).replace(/\B(?=(?:\d{3})+$)/g, ',');
  return `${whole}${scale === 0 ? '' : `.${padded.slice(point)}`} ${code}`;
}
