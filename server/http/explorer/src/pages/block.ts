import { h } from '../dom.ts';
import type { Page } from '../page.ts';

export const block: Page = ({ main, title }) => {
  title('Block');
  main.append(h('h1', {}, 'Block'));
};
