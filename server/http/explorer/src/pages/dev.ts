/** Tools of a development server for its user: accounts with money, a form that signs and sends, a faucet, and the last requests. */
import { type Chain, get } from '../api.ts';
import { AccountsPanel } from '../dev/accounts-panel.ts';
import { faucet } from '../dev/faucet.ts';
import { requestLog } from '../dev/request-log.ts';
import { SendForm } from '../dev/send-form.ts';
import { h } from '../dom.ts';
import type { Page } from '../page.ts';
import { notice } from '../parts/notice.ts';
import { developmentAccounts, isDevelopment } from '../session.ts';

export const dev: Page = async (context) => {
  const { main, title, signal } = context;
  title('Development');
  main.append(h('h1', {}, 'Development'));
  if (!isDevelopment || developmentAccounts().length === 0) {
    main.append(
      notice(
        'warn',
        h(
          'p',
          {},
          isDevelopment
            ? 'A development server gives its accounts only to a browser on the machine that runs it, without a proxy between them. Open the explorer there, at the address that the start printed.'
            : 'This is a production server. Its accounts and keys belong to those who use it, so there is nothing to send with here.',
        ),
      ),
    );
    return;
  }
  const chain = await get<Chain>('chain', {}, signal);
  const form = new SendForm(chain, context);
  const accounts = new AccountsPanel(signal);
  const money = faucet(chain, context, () => {
    form.accountsChanged();
    void accounts.refresh();
  });
  main.append(
    h('div', { class: 'columns' }, h('div', { class: 'page' }, form.element, money), accounts.element),
    requestLog(signal),
  );
};
