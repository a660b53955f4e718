/** Entries as CSV (RFC 4180). */
import type { Schemas } from '../typed/types.ts';

export const CSV_HEADER = 'height,index,blockTime,txHash,direction,counterparty,amount,balanceAfter,reference\r\n';

/** First characters that a spreadsheet may interpret as a formula, and the mark itself, so that a leading mark is always ours. */
const NEEDS_MARK = /^[=+\-@']/;

export function csvLine({
  height,
  index,
  blockTime,
  txHash,
  direction,
  counterparty,
  amount,
  balanceAfter,
  reference = '',
}: Schemas['Entry']): string {
  return `${height},${index},${blockTime},${txHash},${direction},${counterparty},${amount},${balanceAfter},${textField(reference)}\r\n`;
}

/** Quotes the only field that another party chooses. */
function textField(text: string): string {
  const harmless = NEEDS_MARK.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
