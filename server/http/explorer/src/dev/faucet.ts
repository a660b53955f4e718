/** Test money for an address, or for an account whose key is made here. It comes from dev-0. */
import { addAccount, developmentAccounts } from '../session.ts';
import type { Chain } from '../api.ts';
import { h, put } from '../dom.ts';
import type { PageContext } from '../page.ts';
import { notice, problemNotice } from '../parts/notice.ts';
import { accountLink, amountText, transactionLink } from '../parts/value.ts';
import { asProblem } from '../problem.ts';
import { field } from './field.ts';
import { makeAccount } from './own-accounts.ts';
import { sign, submit } from './send.ts';
import { readTransfer } from './transfer-fields.ts';

/** In whole units of the currency. */
const AMOUNT_DEFAULT = '1000';

/** `onAccount` is called after an account was made. */
export function faucet(chain: Chain, { signal }: PageContext, onAccount: () => void): HTMLElement {
  const [source] = developmentAccounts();
  const to = field(
    'To',
    h('input', { name: 'faucet-to', autocomplete: 'off', spellcheck: 'false', list: 'accounts' }),
    'Empty: an account that is made now, with its key in this tab alone.',
  );
  const amount = field(
    `Amount in ${chain.currency.code}`,
    h('input', { name: 'faucet-amount', autocomplete: 'off', inputmode: 'decimal', value: AMOUNT_DEFAULT }),
  );
  const result = h('div', { 'aria-live': 'polite' });
  const button = h('button', { type: 'submit', class: 'primary' }, 'Send test money');
  const form = h(
    'form',
    { class: 'stack', novalidate: true, onsubmit: (event: Event) => void give(event) },
    h('div', { class: 'fields' }, to.element, amount.element),
    result,
    h('div', { class: 'row' }, button),
  );
  return h('section', { class: 'card', 'aria-labelledby': 'faucet' }, h('h2', { id: 'faucet' }, 'Faucet'), form);

  async function give(event: Event): Promise<void> {
    event.preventDefault();
    if (source === undefined) return;
    const isNew = to.control.value.trim() === '';
    const read = (receiver: string) =>
      readTransfer(
        { from: source.name, to: receiver, amount: amount.control.value, reference: '', validUntil: '', nonce: '' },
        { accounts: developmentAccounts(), ...chain },
      );
    const { faults } = read(isNew ? source.name : to.control.value);
    to.fault(faults.to ?? '');
    amount.fault(faults.amount ?? '');
    if (Object.keys(faults).length > 0) return (faults.to === undefined ? amount : to).control.focus();
    button.disabled = true;
    try {
      const made = isNew ? await makeAccount(chain.addressPrefix) : undefined;
      if (made !== undefined) {
        addAccount(made);
        onAccount();
      }
      const { transfer } = read(made?.name ?? to.control.value);
      if (transfer === undefined) return;
      const signed = await sign(transfer, source.seed, chain, signal);
      await submit(signed, signal);
      put(
        result,
        notice(
          'good',
          h(
            'p',
            {},
            `${amountText(`${transfer.amount}`)} are on their way to `,
            accountLink(transfer.to),
            ': ',
            transactionLink(signed.txHash),
            '.',
          ),
        ),
      );
    } catch (error) {
      if (!signal.aborted) put(result, problemNotice(asProblem(error)));
    } finally {
      button.disabled = false;
    }
  }
}
