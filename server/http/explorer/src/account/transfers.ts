/** The transfers of an account, pending ones too: what is under way is in no statement yet. */
import type { components } from '../../../../../generated/openapi.ts';
import { get, type Transaction } from '../api.ts';
import { h, put } from '../dom.ts';
import { problemNotice } from '../parts/notice.ts';
import { timeOf } from '../parts/time.ts';
import { accountLink, amountText, statusBadge, transactionLink } from '../parts/value.ts';
import { asProblem } from '../problem.ts';

type TransactionPage = components['schemas']['TransactionPage'];

const PAGE = 25;

export class Transfers {
  readonly element: HTMLElement;
  readonly #address: string;
  readonly #signal: AbortSignal;
  #shown = PAGE;
  readonly #table = h('div', { class: 'table', tabindex: '0', role: 'group', 'aria-label': 'Transfers' });
  readonly #more = h('button', { type: 'button', hidden: true, onclick: () => void this.#showMore() }, 'Show earlier transfers');

  constructor(address: string, signal: AbortSignal) {
    this.#address = address;
    this.#signal = signal;
    this.element = h('section', { class: 'card', 'aria-labelledby': 'transfers' }, h('h2', { id: 'transfers' }, 'Transfers'), this.#table, h('div', { class: 'row' }, this.#more));
  }

  async refresh(): Promise<void> {
    try {
      const found: Transaction[] = [];
      let cursor: string | undefined;
      do {
        const page: TransactionPage = await get<TransactionPage>('transactions', { account: this.#address, limit: PAGE, cursor }, this.#signal);
        found.push(...page.transactions);
        cursor = page.nextCursor;
      } while (cursor !== undefined && found.length < this.#shown);
      this.#more.hidden = cursor === undefined;
      put(this.#table, found.length === 0 ? h('p', { class: 'soft' }, 'This service has seen no transfer of this account.') : transferTable(found, this.#address));
    } catch (error) {
      if (!this.#signal.aborted) put(this.#table, problemNotice(asProblem(error)));
    }
  }

  async #showMore(): Promise<void> {
    this.#shown += PAGE;
    await this.refresh();
  }
}

/** `of`: the account whose side is told. */
export function transferTable(transfers: readonly Transaction[], of?: string): HTMLElement {
  const head = ['Seen', 'Transfer', 'From', 'To', 'Reference'].map((name) => h('th', { scope: 'col' }, name));
  const rows = transfers.map((transfer) => {
    const { firstSeenAt, txHash, from, to, reference, amount, status } = transfer;
    const reason = 'reason' in transfer && transfer.reason?.detail;
    const side = (address: string): HTMLElement => (address === of ? h('span', { class: 'soft' }, 'this account') : accountLink(address));
    return h(
      'tr',
      {},
      h('td', { class: 'small', 'data-label': 'Seen' }, timeOf(firstSeenAt)),
      h('td', { 'data-label': 'Transfer' }, transactionLink(txHash)),
      h('td', { 'data-label': 'From' }, side(from)),
      h('td', { 'data-label': 'To' }, side(to)),
      h('td', { 'data-label': 'Reference' }, reference ?? h('span', { class: 'soft' }, '–')),
      h('td', { class: 'end number', 'data-label': 'Amount' }, amountText(amount, false)),
      h('td', { class: 'end', title: reason || undefined }, statusBadge(status)),
    );
  });
  return h('table', { class: 'stacked' }, h('caption', { class: 'unseen' }, 'Transfers, the latest first'), h('thead', {}, h('tr', {}, head, h('th', { scope: 'col', class: 'end' }, 'Amount'), h('th', { scope: 'col', class: 'end' }, 'Status'))), h('tbody', {}, rows));
}
