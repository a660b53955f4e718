/** Where a reader gives their token, and sees whether there is one. */
import { h } from '../dom.ts';

export function sessionPanel(): HTMLElement {
  return h('div', { class: 'session' });
}
