/** The link to the tools of a development server, only on its overview. */
import { h } from '../dom.ts';
import { developmentAccounts } from '../session.ts';

export function developmentTools(_signal: AbortSignal): HTMLElement[] {
  const accounts = developmentAccounts();
  if (accounts.length === 0) return [];
  return [
    h(
      'section',
      { class: 'card invitation', 'aria-labelledby': 'development-title' },
      h(
        'div',
        {},
        h('h2', { id: 'development-title' }, 'This is a development chain'),
        h(
          'p',
          { class: 'soft' },
          `${accounts.length} accounts have test money, and this page has their keys: send a transfer and watch it commit.`,
        ),
      ),
      h('a', { class: 'button primary', href: '#/dev' }, 'Send a transfer'),
    ),
  ];
}
