/** The frame around every page: skip link, name, search, menu, foot. */
import { h, put, svg } from './dom.ts';
import { watchChain } from './live.ts';
import { connectionBar } from './parts/connection.ts';
import { agoOf } from './parts/time.ts';
import { type Route, searchHref } from './route.ts';
import { isDevelopment, isPublicDevelopment } from './session.ts';
import { sessionPanel } from './parts/session-panel.ts';

const LINKS = [
  ['docs', 'Documentation'],
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
const publicWarning =
  isPublicDevelopment &&
  h(
    'p',
    { class: 'public-warning' },
    h('strong', {}, 'Public development server. '),
    'The keys of its accounts are known to everyone, and its chain can be changed by anyone who reaches it: nothing here has any value.',
  );
const developmentLink = isDevelopment && h('a', { href: '#/dev' }, 'Development');

export function frame(main: HTMLElement): HTMLElement[] {
  const skip = h('a', { class: 'skip', href: '#main' }, 'Skip to the content');
  // The router uses the fragment, so the browser cannot follow this link itself.
  skip.addEventListener('click', (event) => {
    event.preventDefault();
    main.focus();
    main.scrollIntoView();
  });
  const header = h(
    'header',
    { class: 'top' },
    h(
      'div',
      { class: 'bar' },
      h('a', { class: 'brand', href: '#/' }, mark(), h('span', {}, 'Transaction Ledger')),
      searchForm(),
      sessionPanel(),
      h('nav', { 'aria-label': 'Main' }, overviewLink, developmentLink, h('a', { href: 'docs' }, 'Docs')),
    ),
    publicWarning,
  );
  const links = LINKS.map(([href, text]) => h('li', {}, h('a', { href }, text)));
  const footer = h(
    'footer',
    {},
    h('nav', { 'aria-label': 'Documents and state of the service' }, h('ul', {}, links)),
    chainLine(),
  );
  return [skip, header, main, footer, connectionBar()];
}

const searchInput = h('input', {
  type: 'search',
  id: 'search',
  name: 'q',
  placeholder: 'Hash, address, height or reference  ( / )',
  autocomplete: 'off',
  spellcheck: 'false',
  'aria-keyshortcuts': '/',
  'aria-label': 'Search for a hash, an address, a height or a reference',
});

export function markPlace({ name, query }: Route): void {
  if (document.activeElement !== searchInput) searchInput.value = name === 'search' ? (query.get('q') ?? '') : '';
  for (const [link, place] of [
    [overviewLink, 'overview'],
    [developmentLink, 'dev'],
  ] as const) {
    if (link === false) continue;
    if (name === place) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}

function searchForm(): HTMLElement {
  const form = h('form', { role: 'search', class: 'search' }, searchInput, h('button', { type: 'submit' }, 'Search'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const text = searchInput.value.trim();
    if (text !== '') location.hash = searchHref(text);
  });
  // A usual shortcut on the web; ignored while a text is being typed.
  addEventListener('keydown', (event) => {
    const { target } = event;
    if (
      event.key !== '/' ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      (target instanceof Element && target.matches('input, select, textarea, dialog *'))
    )
      return;
    event.preventDefault();
    searchInput.focus();
    searchInput.select();
  });
  return form;
}

function mark(): SVGElement {
  return svg(
    'svg',
    { viewBox: '0 0 16 16', width: 22, height: 22, 'aria-hidden': 'true' },
    svg('rect', { width: 16, height: 16, rx: 4, class: 'mark' }),
    svg('path', { d: 'M4 5h8M4 8h8M4 11h5', class: 'mark-lines' }),
  );
}

/** The chain's identity and its height. */
function chainLine(): HTMLElement {
  const line = h('p', { class: 'soft' });
  watchChain(({ chain }) => {
    if (chain !== undefined) put(line, `${chain.chainId} · block ${chain.height} · `, agoOf(chain.lastBlockTime));
  }, new AbortController().signal);
  return line;
}
