/**
 * Script of the pages of /docs: search, the current section in the menu, and old addresses. Every page is complete without it; /docs lists
 * everything. It sends no request to other origins, and never turns text into markup.
 */

/** Results that are shown: readers refine the search instead of reading more. */
const RESULTS_MAX = 20;

// --- Search -------------------------------------------------------------------------------------------------------------------------------

/**
 * Sections that have every word of the query, best first: those whose heading has it, then those whose text has it; if no section has all
 * of them, those with more than half of the words. A word matches from the start of a word, so that `pay` finds `payment` and not `repay`.
 */
export function search(entries, query) {
  const words = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  if (words.length === 0) return [];
  const found = sectionsWith(words, words.length, entries);
  return found.length > 0 ? found : sectionsWith(words, Math.floor(words.length / 2) + 1, entries);
}

function sectionsWith(words, least, entries) {
  const scored = [];
  for (const entry of entries) {
    const [title, about, text] = [spaced(entry.t), spaced(entry.p), ` ${entry.x.toLowerCase()}`];
    const scores = words.map((word) => wordScore(word, title, about, text));
    if (scores.filter((each) => each > 0).length < least) continue;
    let score = scores.reduce((sum, each) => sum + each, 0);
    if (title === ` ${words.join(' ')}`) score += 100;
    scored.push({ entry, score });
  }
  // Equal scores keep the order of the menu: sort is stable.
  return scored.sort((a, b) => b.score - a.score).map(({ entry }) => entry);
}

function wordScore(word, title, about, text) {
  if (title.includes(` ${word} `) || title.endsWith(` ${word}`)) return 20;
  if (title.includes(` ${word}`)) return 12;
  if (about.includes(` ${word}`)) return 4;
  if (startsWordIn(word, text)) return 2;
  return title.includes(word) ? 1 : 0;
}

function startsWordIn(word, text) {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!/[\p{L}\p{N}]/u.test(text[at - 1])) return true;
  }
  return false;
}

/** Splits `submitTransaction` and `nonce_conflict` into words, and keeps the whole name. */
function spaced(name) {
  const plain = name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ' ');
  const split = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ');
  return plain === split ? ` ${plain}`.trimEnd() : ` ${plain} ${split}`.trimEnd();
}

function startSearch(form) {
  const input = form.querySelector('input');
  const box = form.querySelector('.found');
  const [status, list] = [box.querySelector('p'), box.querySelector('ul')];
  const base = new URL(form.dataset.base, location.href);
  let entries;
  const load = () =>
    (entries ??= fetch(form.dataset.index).then((answer) =>
      answer.ok ? answer.json() : Promise.reject(new Error(String(answer.status))),
    ));

  const show = async () => {
    const query = input.value;
    box.hidden = query.trim() === '';
    if (box.hidden) return;
    let found;
    try {
      found = search(await load(), query);
    } catch {
      entries = undefined;
      list.replaceChildren();
      status.textContent = 'The search index cannot be read at the moment.';
      return;
    }
    if (query !== input.value) return;
    status.textContent =
      found.length === 0
        ? `Nothing found for “${query}”.`
        : found.length === 1
          ? '1 place'
          : `${found.length} places${found.length > RESULTS_MAX ? `, the best ${RESULTS_MAX} of them:` : ''}`;
    list.replaceChildren(...found.slice(0, RESULTS_MAX).map(itemOf));
  };

  const itemOf = ({ t, p, u, x }) => {
    const [item, link, title, about] = ['li', 'a', 'strong', 'span'].map((name) => document.createElement(name));
    link.href = new URL(u, base).href;
    title.textContent = t;
    about.textContent = p === t ? x : `${p} · ${x}`;
    link.append(title, about);
    item.append(link);
    return item;
  };

  const close = () => {
    box.hidden = true;
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    list.querySelector('a')?.click();
  });
  input.addEventListener('focus', () => void load().catch(() => (entries = undefined)));
  input.addEventListener('input', show);
  input.addEventListener('focus', show);
  list.addEventListener('click', close);
  form.addEventListener('keydown', (event) => {
    const links = [...list.querySelectorAll('a')];
    const at = links.indexOf(document.activeElement);
    if (event.key === 'Escape') {
      input.focus();
      close();
    } else if (event.key === 'ArrowDown') (links[at + 1] ?? links.at(-1))?.focus();
    else if (event.key === 'ArrowUp') (at > 0 ? links[at - 1] : input).focus();
    else return;
    event.preventDefault();
  });
  form.addEventListener('focusout', (event) => {
    if (!form.contains(event.relatedTarget)) close();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping =
      event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]') !== null;
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
  form.hidden = false;
}

// --- Where am I ---------------------------------------------------------------------------------------------------------------------------

function startMenu(menu) {
  menu.addEventListener('click', (event) => {
    if (event.target.closest('a') !== null && menu.matches(':popover-open')) menu.hidePopover();
  });
  const links = new Map([...menu.querySelectorAll('.sections a')].map((link) => [link.hash.slice(1), link]));
  const headings = [...document.querySelectorAll('main h2[id]')].filter(({ id }) => links.has(id));
  let current;
  const mark = () => {
    // The current section is that of the last heading in the upper quarter of the window.
    const above = headings.filter((heading) => heading.getBoundingClientRect().top < innerHeight / 4);
    const link = links.get((above.at(-1) ?? {}).id);
    if (link === current) return;
    current?.removeAttribute('aria-current');
    link?.setAttribute('aria-current', 'location');
    current = link;
    if (link !== undefined && menu.scrollHeight > menu.clientHeight) {
      const [box, frame] = [link.getBoundingClientRect(), menu.getBoundingClientRect()];
      if (box.top < frame.top || box.bottom > frame.bottom) menu.scrollTop += box.top - frame.top - frame.height / 3;
    }
  };
  let waiting = false;
  addEventListener(
    'scroll',
    () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        mark();
      });
    },
    { passive: true },
  );
  const page = menu.querySelector('[aria-current="page"]');
  if (page !== null && page.offsetTop > menu.clientHeight) menu.scrollTop = page.offsetTop - 80;
  mark();
}

/** Content that does not scroll needs no keyboard focus. */
function trimStops(boxes) {
  for (const box of boxes) {
    const isScrolled = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight;
    if (isScrolled || box.closest('details:not([open])') !== null) box.tabIndex = 0;
    else box.removeAttribute('tabindex');
  }
}

// --- Old addresses ------------------------------------------------------------------------------------------------------------------------

/** Earlier the whole reference was one page: /docs#submitTransaction redirects to the page that its line on the overview links to. */
function followOldAnchor() {
  const line = document.getElementById(location.hash.slice(1))?.closest('li, h3');
  const link = line?.querySelector('a:not(.anchor)');
  const isOverview = document.querySelector('h1')?.id === 'introduction';
  if (isOverview && link && link.pathname !== location.pathname) location.replace(link.href);
}

if (typeof document !== 'undefined') {
  followOldAnchor();
  addEventListener('hashchange', followOldAnchor);
  const form = document.querySelector('form.search');
  if (form !== null) startSearch(form);
  const menu = document.getElementById('menu');
  if (menu !== null) startMenu(menu);
  const boxes = [...document.querySelectorAll('pre[tabindex], .table[tabindex]')];
  trimStops(boxes);
  addEventListener('resize', () => trimStops(boxes));
}
