/** The content of a transfer, and its outcome. */
import { h } from '../dom.ts';
import type { TransactionDetail } from '../api.ts';
import { copyButton } from '../parts/copy.ts';
import { notice } from '../parts/notice.ts';
import { timeOf } from '../parts/time.ts';
import { accountLink, amountText, blockLink, transactionLink } from '../parts/value.ts';
import { accountName } from '../session.ts';

export function factsCard(detail: TransactionDetail): HTMLElement {
  const { txHash, from, to, amount, nonce, reference, validUntil } = detail;
  const reason = 'reason' in detail ? detail.reason : undefined;
  const other = 'executedAs' in detail ? detail.executedAs : undefined;
  const facts = h(
    'dl',
    { class: 'facts' },
    ...fact('Hash', h('span', { class: 'mono' }, txHash)),
    ...fact('From', whole(from)),
    ...fact('To', whole(to)),
    ...fact('Amount', amountText(amount)),
    ...fact('Nonce', String(nonce)),
    ...fact('Reference', reference),
    ...fact('Valid until', validUntil === undefined ? undefined : timeOf(new Date(validUntil * 1000).toISOString())),
    ...fact('Block', 'height' in detail && detail.height !== undefined ? blockLink(detail.height) : undefined),
    ...fact('Executed as', other === undefined ? undefined : transactionLink(other)),
  );
  // For a pending transfer the picture shows the reason.
  const why =
    reason === undefined || detail.status === 'pending'
      ? undefined
      : notice(detail.status === 'failed' ? 'bad' : 'warn', h('p', {}, reason.detail));
  return h(
    'section',
    { class: 'card', 'aria-labelledby': 'facts-title' },
    h('header', {}, h('h2', { id: 'facts-title' }, 'Transfer'), copyButton(txHash, 'the hash', 'Copy hash')),
    why,
    facts,
  );
}

function whole(address: string): HTMLElement {
  const name = accountName(address);
  const link = accountLink(address);
  return name === undefined ? link : h('span', {}, link, h('span', { class: 'soft small mono block' }, address));
}

function fact(name: string, value: HTMLElement | string | undefined): HTMLElement[] {
  return value === undefined ? [] : [h('dt', {}, name), h('dd', {}, value)];
}
