/** The accounts whose keys this page has, with their current balances. */
import type { AccountList } from '../../../../../client/src/contract.ts';
import { call } from '../api.ts';
import { h, put } from '../dom.ts';
import { lastChain, watchChain } from '../live.ts';
import { copyButton } from '../parts/copy.ts';
import { partNotice } from '../parts/notice.ts';
import { accountLink, amountText, shortText } from '../parts/value.ts';
import { developmentAccounts } from '../session.ts';

export class AccountsPanel {
  readonly element: HTMLElement;
  readonly #signal: AbortSignal;
  readonly #table = h('div', { class: 'table', tabindex: '0', role: 'group', 'aria-label': 'Accounts' });

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    this.element = h(
      'section',
      { class: 'card', 'aria-labelledby': 'accounts-title' },
      h('h2', { id: 'accounts-title' }, 'Accounts'),
      h(
        'p',
        { class: 'soft small' },
        'The keys of dev-0 to dev-9 are public: never send anything of value to them. Those of accounts that you make stay in this tab.',
      ),
      this.#table,
    );
    watchChain(() => void this.refresh(), signal);
    void this.refresh();
  }

  async refresh(): Promise<void> {
    const accounts = developmentAccounts();
    try {
      const query = new URLSearchParams(accounts.map(({ address }) => ['address', address]));
      const { accounts: found } = (await (
        await call(`accounts?${query}`, { signal: this.#signal })
      ).json()) as AccountList;
      const rows = accounts.map(({ name, address }, i) =>
        h(
          'tr',
          {},
          h('td', { 'data-label': 'Name' }, accountLink(address)),
          h('td', { class: 'end number', 'data-label': 'Balance' }, amountText(found[i]?.balance ?? '0', false)),
          h('td', { class: 'end number', 'data-label': 'Next nonce' }, found[i]?.nextNonce ?? 0),
          h(
            'td',
            { class: 'end' },
            h(
              'span',
              { class: 'row end nowrap' },
              h('code', { class: 'soft', title: address }, shortText(address)),
              copyButton(address, `the address of ${name}`),
            ),
          ),
        ),
      );
      // Replacing the button would lose the focus that is on it.
      if (this.#table.contains(document.activeElement) && document.activeElement !== this.#table) return;
      const head = h(
        'tr',
        {},
        h('th', { scope: 'col' }, 'Name'),
        h('th', { scope: 'col', class: 'end' }, `Balance in ${lastChain()?.currency.code ?? 'minor units'}`),
        h('th', { scope: 'col', class: 'end' }, 'Next nonce'),
        h('th', { scope: 'col', class: 'end' }, 'Address'),
      );
      put(
        this.#table,
        h(
          'table',
          { class: 'stacked accounts' },
          h('caption', { class: 'unseen' }, 'Accounts with their balances'),
          h('thead', {}, head),
          h('tbody', {}, rows),
        ),
      );
    } catch (error) {
      const shown = partNotice(error);
      if (!this.#signal.aborted && shown !== undefined) put(this.#table, shown);
    }
  }
}
