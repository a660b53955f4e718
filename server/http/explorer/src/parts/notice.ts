/** A sentence that matters, in a frame. */
import { type Child, h } from '../dom.ts';
import type { Problem } from '../problem.ts';

export type Tone = 'good' | 'warn' | 'bad' | 'plain';

export function notice(tone: Tone, ...children: Child[]): HTMLElement {
  return h('div', { class: `notice ${tone}`, role: tone === 'bad' ? 'alert' : undefined }, ...children);
}

/** What went wrong, with its code as a link to what it means. */
export function problemNotice({ status, code, requestId, message }: Problem): HTMLElement {
  const more = [code && h('a', { href: `docs/errors#${code}` }, code), requestId && h('span', { class: 'soft' }, `request ${requestId}`)].filter(Boolean) as Child[];
  const hint = status === 401 ? ' Give a token above to see this.' : '';
  return notice('bad', h('p', {}, message, hint), more.length > 0 && h('p', { class: 'row' }, ...more));
}
