/** The last requests that the server answered, as they come. */
import { h, put } from '../dom.ts';
import { call } from '../api.ts';
import { problemNotice } from '../parts/notice.ts';
import { clock } from '../parts/time.ts';
import { asProblem } from '../problem.ts';

interface LoggedRequest {
  readonly sequence: number;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code?: string;
  readonly bytes: number;
  readonly durationMs: number;
  readonly requestId: string;
}

/** As many as the server keeps. */
const SHOWN_MAX = 100;
const POLL_MS = 1000;

export function requestLog(signal: AbortSignal): HTMLElement {
  let requests: readonly LoggedRequest[] = [];
  const table = h('div', { class: 'table log', tabindex: '0', role: 'group', 'aria-label': 'Requests' }, h('p', { class: 'soft' }, 'None yet.'));
  void follow();
  return h(
    'section',
    { class: 'card', 'aria-labelledby': 'requests' },
    h('h2', { id: 'requests' }, 'Requests'),
    h('p', { class: 'soft small' }, `The last ${SHOWN_MAX} that this server answered, of programs and of this page's buttons; what the page itself reads is left out.`),
    table,
  );

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      if (document.visibilityState === 'visible') await read().catch((error: unknown) => !signal.aborted && put(table, problemNotice(asProblem(error))));
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  async function read(): Promise<void> {
    const last = requests[0]?.sequence ?? 0;
    const response = await call('explorer/requests.json', { query: { after: last }, signal });
    const { requests: news } = (await response.json()) as { requests: readonly LoggedRequest[] };
    if (news.length === 0) return;
    requests = [...news, ...requests].slice(0, SHOWN_MAX);
    const head = h('tr', {}, ['Time', 'Request', 'Code'].map((name) => h('th', { scope: 'col' }, name)), ['Status', 'Answer', 'Took'].map((name) => h('th', { scope: 'col', class: 'end' }, name)));
    put(table, h('table', { class: 'stacked requests' }, h('caption', { class: 'unseen' }, 'Requests, the latest first'), h('thead', {}, head), h('tbody', {}, requests.map(row))));
  }
}

function row({ at, method, path, status, code, bytes, durationMs, requestId }: LoggedRequest): HTMLElement {
  const tone = status >= 500 ? 'bad' : status >= 400 ? 'wait' : 'good';
  return h(
    'tr',
    { title: `request ${requestId}` },
    h('td', { class: 'small soft nowrap time' }, h('time', { datetime: at }, clock(at))),
    h('td', { class: 'path' }, h('strong', { class: 'small' }, method), ' ', h('code', {}, path)),
    h('td', { class: 'code' }, code === undefined ? h('span', { class: 'soft' }, '–') : h('a', { href: `docs/errors#${code}` }, code)),
    h('td', { class: 'end status' }, h('span', { class: `badge ${tone}` }, status)),
    h('td', { class: 'end number small answer' }, `${bytes.toLocaleString('en')} B`),
    h('td', { class: 'end number small took' }, `${durationMs.toFixed(1)} ms`),
  );
}
