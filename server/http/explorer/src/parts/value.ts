/** Formats hashes, addresses and amounts: shortened in lists, complete on a page of their own. */
import { formatAmount } from '../../../../../client/src/amount.ts';
import { h } from '../dom.ts';
import { lastChain } from '../live.ts';
import { accountHref, blockHref, transactionHref } from '../route.ts';
import { accountName } from '../session.ts';

const HEAD = 8;
const TAIL = 6;

/** @example shortText('2D5AF1…18A4') The whole text is in the title of the element that shows it. */
export function shortText(text: string): string {
  return text.length <= HEAD + TAIL + 1 ? text : `${text.slice(0, HEAD)}…${text.slice(-TAIL)}`;
}

export function transactionLink(hash: string): HTMLElement {
  return h('a', { class: 'mono', href: transactionHref(hash), title: hash }, shortText(hash));
}

/** A link with the name of a development account, or with the address. */
export function accountLink(address: string): HTMLElement {
  const name = accountName(address);
  return h(
    'a',
    { class: name === undefined ? 'mono' : '', href: accountHref(address), title: address },
    name ?? shortText(address),
  );
}

export function blockLink(height: number | string): HTMLElement {
  return h('a', { class: 'number', href: blockHref(height) }, String(height));
}

/** @example amountText('123456') // '1,234.56 DEV' on a chain whose currency has a scale of 2 */
export function amountText(minor: string, withCode = true): string {
  const currency = lastChain()?.currency;
  if (currency === undefined) return minor;
  const text = formatAmount(minor, currency);
  return withCode ? text : text.slice(0, -` ${currency.code}`.length);
}

const STATUS_TONE: Readonly<Record<string, string>> = {
  committed: 'good',
  pending: 'wait',
  failed: 'bad',
  cancelled: 'off',
  expired: 'off',
};

export function statusBadge(status: string): HTMLElement {
  return h('span', { class: `badge ${STATUS_TONE[status] ?? 'off'}` }, status);
}
