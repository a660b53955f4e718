import { h } from '../dom.ts';
import type { Page } from '../page.ts';

export const account: Page = ({ main, title }) => {
  title('Account');
  main.append(h('h1', {}, 'Account'));
};
