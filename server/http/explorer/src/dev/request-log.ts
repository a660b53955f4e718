/** The last requests that the server answered, updated continuously. */
import { h, put } from '../dom.ts';
import { call } from '../api.ts';
import { partNotice } from '../parts/notice.ts';
import { clock } from '../parts/time.ts';

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
  /** The sequence number of the last known request. */
  let seen = 0;
  const table = h(
    'div',
    { class: 'table log', tabindex: '0', role: 'group', 'aria-label': 'Requests' },
    h(
      'p',
      { class: 'soft' },
      'None yet. Send a transfer above, or call the API: each request is listed when it is answered.',
    ),
  );
  void follow();
  return h(
    'section',
    { class: 'card', 'aria-labelledby': 'requests' },
    h('h2', { id: 'requests' }, 'Requests'),
    h(
      'p',
      { class: 'soft small' },
      `The last ${SHOWN_MAX} that this server answered, of programs and of this page's buttons; what the page itself reads is left out.`,
    ),
    table,
  );

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      try {
        if (document.visibilityState === 'visible') await read();
      } catch (error) {
        // The next answer may be from another process, which counts from 1 again.
        seen = 0;
        const shown = partNotice(error);
        if (!signal.aborted && shown !== undefined) put(table, shown);
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  async function read(): Promise<void> {
    const response = await call('explorer/requests.json', { query: { after: seen }, signal });
    const { requests: news } = (await response.json()) as { requests: readonly LoggedRequest[] };
    if (news.length === 0) return;
    const isAll = seen === 0 || (news.at(-1)?.sequence ?? 0) <= seen;
    requests = isAll ? news : [...news, ...requests].slice(0, SHOWN_MAX);
    seen = news[0]?.sequence ?? 0;
    const head = h(
      'tr',
      {},
      ['Time', 'Request', 'Code'].map((name) => h('th', { scope: 'col' }, name)),
      ['Status', 'Answer', 'Took'].map((name) => h('th', { scope: 'col', class: 'end' }, name)),
    );
    put(
      table,
      h(
        'table',
        { class: 'stacked requests' },
        h('caption', { class: 'unseen' }, 'Requests, the latest first'),
        h('thead', {}, head),
        h('tbody', {}, requests.map(row)),
      ),
    );
  }
}

function row({ at, method, path, status, code, bytes, durationMs, requestId }: LoggedRequest): HTMLElement {
  const tone = status >= 500 ? 'bad' : status >= 400 ? 'wait' : 'good';
  return h(
    'tr',
    { title: `request ${requestId}` },
    h('td', { class: 'small soft nowrap time' }, h('time', { datetime: at }, clock(at))),
    h('td', { class: 'path' }, h('strong', { class: 'small' }, method), ' ', h('code', {}, path)),
    h(
      'td',
      { class: 'code' },
      code === undefined ? h('span', { class: 'soft' }, '–') : h('a', { href: `docs/errors#${code}` }, code),
    ),
    h('td', { class: 'end status' }, h('span', { class: `badge ${tone}` }, status)),
    h('td', { class: 'end number small answer' }, `${bytes.toLocaleString('en')} B`),
    h('td', { class: 'end number small took' }, `${durationMs.toFixed(1)} ms`),
  );
}
