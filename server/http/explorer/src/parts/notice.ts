/** An important sentence, in a frame. */
import { type Child, h } from '../dom.ts';
import { asProblem, NO_ANSWER, type Problem } from '../problem.ts';
import { token } from '../session.ts';

export type Tone = 'good' | 'warn' | 'bad' | 'plain';

export function notice(tone: Tone, ...children: Child[]): HTMLElement {
  return h('div', { class: `notice ${tone}`, role: tone === 'bad' ? 'alert' : undefined }, ...children);
}

/**
 * A notice in a part of a page that is updated by itself. Undefined if the service does not answer, because the frame of the window reports
 * that once for all parts.
 */
export function partNotice(error: unknown): HTMLElement | undefined {
  const problem = asProblem(error);
  return problem.status === NO_ANSWER ? undefined : problemNotice(problem);
}

/** An error, with its code as a link to its explanation. */
export function problemNotice({ status, code, requestId, message }: Problem): HTMLElement {
  if (status === 401 && token() === undefined)
    return notice(
      'warn',
      h('p', {}, 'This service shows this only to those who have a token. Give a token above to see this.'),
    );
  const more = [
    code && h('a', { href: `docs/errors#${code}` }, code),
    requestId && h('span', { class: 'soft' }, `request ${requestId}`),
  ].filter(Boolean) as Child[];
  return notice('bad', h('p', {}, message), more.length > 0 && h('p', { class: 'row' }, ...more));
}
