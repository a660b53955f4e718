import { h } from '../dom.ts';
import type { Page } from '../page.ts';

export const search: Page = ({ main, title }) => {
  title('Search');
  main.append(h('h1', {}, 'Search'));
};
