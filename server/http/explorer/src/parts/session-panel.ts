/** The form in which a reader enters their token, and removes it. The token is tried before it is kept, and is never part of an address. */
import { tryToken } from '../token-check.ts';
import { h, put } from '../dom.ts';
import { asProblem } from '../problem.ts';
import { onToken, setToken, token, wasTokenRefused } from '../session.ts';
import { notice } from './notice.ts';

export function sessionPanel(): HTMLElement {
  const open = h('button', { type: 'button', 'aria-haspopup': 'dialog', onclick: () => show() });
  const input = h('input', {
    type: 'password',
    id: 'token',
    autocomplete: 'off',
    spellcheck: 'false',
    required: true,
    'aria-describedby': 'token-about',
  });
  const result = h('div', { 'aria-live': 'polite' });
  const use = h('button', { type: 'submit', class: 'primary' }, 'Use this token');
  const forget = h('button', { type: 'button', onclick: () => forgetToken() }, 'Forget the token');
  const form = h(
    'form',
    { class: 'stack', onsubmit: (event: Event) => void submit(event) },
    h('h2', { id: 'token-title' }, 'Token'),
    h(
      'p',
      { id: 'token-about', class: 'soft' },
      'Transfers and accounts need a token with transactions:read, cancelling one with transactions:write; the operator makes it. It stays in this tab and is forgotten when the tab is closed.',
    ),
    h('label', { for: 'token' }, 'Token', input),
    result,
    h('div', { class: 'row' }, use, forget, h('button', { type: 'button', onclick: () => dialog.close() }, 'Close')),
  );
  const dialog = h('dialog', { 'aria-labelledby': 'token-title' }, form);

  const mark = (): void => {
    const has = token() !== undefined;
    put(open, has ? 'Token' : wasTokenRefused() ? 'Give another token' : 'Give a token');
    open.classList.toggle('primary', !has);
    forget.hidden = !has;
  };
  onToken(mark);
  mark();
  return h('div', { class: 'session' }, open, dialog);

  function show(): void {
    input.value = '';
    put(result);
    dialog.showModal();
    input.focus();
  }

  function forgetToken(): void {
    setToken(undefined);
    put(result, notice('plain', h('p', {}, 'The token is forgotten.')));
  }

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    use.disabled = true;
    try {
      const given = input.value.trim();
      const { missing } = await tryToken(given);
      setToken(given);
      input.value = '';
      if (missing.length === 0) dialog.close();
      else put(result, notice('warn', h('p', {}, 'The token is good and in use. ', missing.join(' '))));
    } catch (error) {
      put(result, notice('bad', h('p', {}, asProblem(error).message)));
    } finally {
      use.disabled = false;
    }
  }
}
