import { h } from '../dom.ts';
import type { Page } from '../page.ts';

export const overview: Page = ({ main, title }) => {
  title('Overview');
  main.append(h('h1', {}, 'Overview'));
};
