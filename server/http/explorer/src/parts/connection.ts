/**
 * Shows at the foot of the window that the service does not answer, or that it no longer accepts the token. It covers the page instead of
 * moving it.
 */
import { h, put } from '../dom.ts';
import { watchChain } from '../live.ts';
import { NO_ANSWER, type Problem } from '../problem.ts';
import { onToken, wasTokenRefused } from '../session.ts';
import { clock } from './time.ts';

export function connectionBar(): HTMLElement {
  const bar = h('div', { class: 'connection', role: 'status' });
  let since: string | undefined;
  let problem: Problem | undefined;
  const show = (): void =>
    put(bar, problem !== undefined ? awayText(problem, since ?? '') : wasTokenRefused() ? TOKEN_REFUSED : '');
  watchChain((state) => {
    problem = state.problem;
    since = problem === undefined ? undefined : (since ?? clock(new Date().toISOString()).slice(0, -4));
    show();
  }, new AbortController().signal);
  onToken(show);
  return bar;
}

const TOKEN_REFUSED =
  'The service no longer accepts your token: it has expired or was revoked. Give another one above to see more than what is open to anyone.';

function awayText({ status, message }: Problem, since: string): string {
  const what = status === NO_ANSWER ? `The service has not answered since ${since}.` : message;
  return `${what} What is shown is from before; the page goes on by itself.`;
}
