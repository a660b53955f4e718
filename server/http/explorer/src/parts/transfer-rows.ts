/** Transfers in a table, one row each; on a phone each row is a block. */
import { type Child, h } from '../dom.ts';
import { accountLink, amountText, statusBadge, transactionLink } from './value.ts';

export interface TransferRow {
  readonly hash: string;
  readonly from: string;
  readonly to: string | undefined;
  readonly amount: string | undefined;
  readonly reference?: string | undefined;
  readonly status: string;
}

export function transferTable(caption: string, rows: readonly TransferRow[]): HTMLElement {
  const head = ['Transfer', 'From', 'To', 'Reference', 'Status'].map((name) => h('th', { scope: 'col' }, name));
  return h(
    'div',
    { class: 'table' },
    h(
      'table',
      { class: 'stacked transfers' },
      h('caption', { class: 'unseen' }, caption),
      h('thead', {}, h('tr', {}, ...head, h('th', { scope: 'col', class: 'end' }, 'Amount'))),
      h('tbody', {}, ...rows.map(row)),
    ),
  );
}

function row({ hash, from, to, amount, reference, status }: TransferRow): HTMLElement {
  const cell = (label: string, ...children: Child[]): HTMLElement =>
    h('td', { 'data-label': label }, ...children.filter((child) => child !== ''));
  return h(
    'tr',
    {},
    h('td', {}, transactionLink(hash)),
    cell('from', from === '' ? '' : accountLink(from)),
    cell('to', to === undefined ? '' : accountLink(to)),
    cell('reference', reference ?? ''),
    h('td', {}, statusBadge(status)),
    h('td', { class: 'end strong' }, amount === undefined ? '' : amountText(amount)),
  );
}
