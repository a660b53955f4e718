/** A button that copies a text. */
import { h, put } from '../dom.ts';

const SAID_MS = 1500;

export function copyButton(text: string | (() => string), what: string, label = 'Copy'): HTMLButtonElement {
  // The label stays the same for screen readers; the confirmation is in the same button, which has the focus.
  const shown = h('span', { 'aria-live': 'polite' }, label);
  return h(
    'button',
    { type: 'button', class: 'quiet', 'aria-label': `${label}: ${what}`, onclick: () => void copy() },
    shown,
  );

  async function copy(): Promise<void> {
    const copied = await navigator.clipboard.writeText(typeof text === 'string' ? text : text()).then(
      () => true,
      () => false,
    );
    put(shown, copied ? 'Copied' : 'Not copied');
    setTimeout(() => put(shown, label), SAID_MS);
  }
}
