/** The transfers of an account, including pending ones, which no statement has yet. */
import type { TransactionPage } from '../../../../../client/src/contract.ts';
import { get, type Transaction } from '../api.ts';
import { h, put } from '../dom.ts';
import { partNotice } from '../parts/notice.ts';
import { type TransferRow, transferTable } from '../parts/transfer-rows.ts';

const PAGE = 25;

export class Transfers {
  readonly element: HTMLElement;
  readonly #address: string;
  readonly #signal: AbortSignal;
  #shown = PAGE;
  readonly #table = h('div', {});
  readonly #more = h(
    'button',
    { type: 'button', hidden: true, onclick: () => void this.#showMore() },
    'Show earlier transfers',
  );

  constructor(address: string, signal: AbortSignal) {
    this.#address = address;
    this.#signal = signal;
    this.element = h(
      'section',
      { class: 'card', 'aria-labelledby': 'transfers' },
      h('h2', { id: 'transfers' }, 'Transfers'),
      this.#table,
      h('div', { class: 'row' }, this.#more),
    );
  }

  async refresh(): Promise<void> {
    try {
      const found: Transaction[] = [];
      let cursor: string | undefined;
      do {
        const page: TransactionPage = await get<TransactionPage>(
          'transactions',
          { account: this.#address, limit: PAGE, cursor },
          this.#signal,
        );
        found.push(...page.transactions);
        cursor = page.nextCursor;
      } while (cursor !== undefined && found.length < this.#shown);
      this.#more.hidden = cursor === undefined;
      put(
        this.#table,
        found.length === 0
          ? h('p', { class: 'soft' }, 'This service has seen no transfer of this account.')
          : transferTable('Transfers of this account, the latest first', found.map(rowOf)),
      );
    } catch (error) {
      const shown = partNotice(error);
      if (!this.#signal.aborted && shown !== undefined) put(this.#table, shown);
    }
  }

  async #showMore(): Promise<void> {
    this.#shown += PAGE;
    await this.refresh();
  }
}

/** A transfer as its row in a table. */
export const rowOf = ({ txHash: hash, from, to, amount, reference, status }: Transaction): TransferRow => ({
  hash,
  from,
  to,
  amount,
  reference,
  status,
});
