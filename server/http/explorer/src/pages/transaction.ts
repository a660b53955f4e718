import { h } from '../dom.ts';
import type { Page } from '../page.ts';

export const transaction: Page = ({ main, title }) => {
  title('Transaction');
  main.append(h('h1', {}, 'Transaction'));
};
