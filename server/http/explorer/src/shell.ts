/** The frame around every page: skip link, name, search, menu, foot. */
import { h, put, svg } from './dom.ts';
import { watchChain } from './live.ts';
import { ago } from './parts/time.ts';
import { type Route, searchHref } from './route.ts';
import { sessionPanel } from './parts/session-panel.ts';

const LINKS = [
  ['docs', 'Reference'],
  ['docs/errors', 'Errors'],
  ['openapi.json', 'openapi.json'],
  ['openapi.yaml', 'openapi.yaml'],
  ['openapi.client.json', 'openapi.client.json'],
  ['changelog.atom', 'Changes'],
  ['workflows', 'Workflows'],
  ['readyz', 'Readiness'],
  ['metrics', 'Metrics'],
] as const;

const overviewLink = h('a', { href: '#/' }, 'Overview');

export function frame(main: HTMLElement): HTMLElement[] {
  const skip = h('a', { class: 'skip', href: '#main' }, 'Skip to the content');
  // The fragment is the router's, so the browser cannot follow this link by itself.
  skip.addEventListener('click', (event) => {
    event.preventDefault();
    main.focus();
    main.scrollIntoView();
  });
  const header = h(
    'header',
    { class: 'top' },
    h('div', { class: 'bar' }, h('a', { class: 'brand', href: '#/' }, mark(), h('span', {}, 'Transaction Ledger')), searchForm(), sessionPanel(), h('nav', { 'aria-label': 'Main' }, overviewLink, h('a', { href: 'docs' }, 'Reference'))),
  );
  const links = LINKS.map(([href, text]) => h('li', {}, h('a', { href }, text)));
  const footer = h('footer', {}, h('nav', { 'aria-label': 'Documents and state of the service' }, h('ul', {}, links)), chainLine());
  return [skip, header, main, footer];
}

export function markPlace({ name }: Route): void {
  if (name === 'overview') overviewLink.setAttribute('aria-current', 'page');
  else overviewLink.removeAttribute('aria-current');
}

function searchForm(): HTMLElement {
  const input = h('input', { type: 'search', id: 'search', name: 'q', placeholder: 'Hash, address, height or reference', autocomplete: 'off', spellcheck: 'false', 'aria-label': 'Search for a hash, an address, a height or a reference' });
  const form = h('form', { role: 'search', class: 'search' }, input, h('button', { type: 'submit' }, 'Search'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (text !== '') location.hash = searchHref(text);
  });
  return form;
}

function mark(): SVGElement {
  return svg('svg', { viewBox: '0 0 16 16', width: 22, height: 22, 'aria-hidden': 'true' }, svg('rect', { width: 16, height: 16, rx: 4, class: 'mark' }), svg('path', { d: 'M4 5h8M4 8h8M4 11h5', class: 'mark-lines' }));
}

/** Which chain this is, and whether it is heard of. */
function chainLine(): HTMLElement {
  const line = h('p', { class: 'soft' });
  watchChain(({ chain, problem }) => {
    if (problem !== undefined) put(line, problem.message);
    else if (chain !== undefined) put(line, `${chain.chainId} · block ${chain.height} · ${ago(chain.lastBlockTime)}`);
  }, new AbortController().signal);
  return line;
}
