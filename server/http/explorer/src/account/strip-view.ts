/** Draws a nonce strip: cells that wrap, each with a sign of its own, so that colour is never the only difference; and the same as a table. */
import { h, svg } from '../dom.ts';
import { transactionLink } from '../parts/value.ts';
import { NONCE_STATES, type NonceCell, type NonceState, type NonceStrip } from './nonce-strip.ts';

const BOX = 34;
const LABEL_Y = 50;
const HEIGHT = 56;
/** Width of one character of a label. */
const CHARACTER = 6.6;
const PADDING = 6;

/** Signs on a box of 34 by 34. */
const SIGNS: Readonly<Record<NonceState, string>> = {
  used: 'M10 17.5l5 5 9-11',
  void: 'M11 11l12 12M23 11l-12 12',
  pending: 'M10 17h.01M17 17h.01M24 17h.01',
  gap: 'M17 9v10M17 24.5v.01',
  next: 'M17 25V10M11 16l6-6 6 6',
  free: '',
};

export function nonceStripView(strip: NonceStrip): HTMLElement {
  const shown = (Object.keys(NONCE_STATES) as NonceState[]).filter((state) =>
    strip.runs.some((run) => run.state === state),
  );
  const legend = shown.map((state) =>
    h(
      'li',
      {},
      icon(state),
      h('span', {}, h('strong', {}, NONCE_STATES[state].name), ` ${NONCE_STATES[state].meaning}`),
    ),
  );
  return h(
    'div',
    { class: 'stack' },
    h('p', {}, strip.summary),
    h(
      'div',
      {
        class: 'strip',
        role: 'img',
        'aria-label': `The nonces in order. ${strip.runs.map(({ state, first, last }) => `${first === last ? first : `${first} to ${last}`} ${NONCE_STATES[state].name}`).join(', ')}.`,
      },
      strip.cells.map((each, i) => cell(each, i === strip.cells.length - 1)),
      strip.isCut && h('span', { class: 'soft' }, 'and more'),
    ),
    h('ul', { class: 'legend small' }, legend),
    h('details', {}, h('summary', {}, 'The nonces as a table'), table(strip)),
  );
}

/** Draws a cell; the last one shows that the strip continues. */
function cell({ state, first, last }: NonceCell, isLast: boolean): SVGElement {
  const label = isLast && state === 'free' ? `${first} …` : first === last ? `${first}` : `${first}–${last}`;
  const width = Math.max(BOX, Math.ceil(label.length * CHARACTER)) + PADDING;
  const x = (width - BOX) / 2;
  return svg(
    'svg',
    { class: `nonce ${state}`, width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, 'aria-hidden': 'true' },
    first !== last && svg('rect', { class: 'behind', x: x + 3, y: 1, width: BOX - 4, height: BOX - 4, rx: 7 }),
    svg('g', { transform: `translate(${x} ${first === last ? 1 : 4})` }, box(state)),
    svg('text', { x: width / 2, y: LABEL_Y, 'text-anchor': 'middle' }, label),
  );
}

const box = (state: NonceState): SVGElement[] => [
  svg('rect', { class: 'box', x: 1, y: 1, width: BOX - 4, height: BOX - 4, rx: 7 }),
  svg('path', { class: 'sign', d: SIGNS[state], transform: 'translate(-1 -1)' }),
];

function icon(state: NonceState): SVGElement {
  return svg(
    'svg',
    { class: `nonce ${state}`, width: 22, height: 22, viewBox: `0 0 ${BOX} ${BOX}`, 'aria-hidden': 'true' },
    box(state),
  );
}

function table({ runs, cells }: NonceStrip): HTMLElement {
  const rows = runs.map(({ state, first, last }) => {
    const hashes = cells.filter(
      (each) => each.state === state && each.first >= first && each.last <= last && each.txHash !== undefined,
    );
    return h(
      'tr',
      {},
      h('td', { class: 'number', 'data-label': 'Nonces' }, first === last ? first : `${first} to ${last}`),
      h('td', { 'data-label': 'State' }, NONCE_STATES[state].name),
      h(
        'td',
        { 'data-label': 'Transfers' },
        hashes.length === 0
          ? '–'
          : h(
              'span',
              { class: 'row' },
              hashes.map(({ txHash }) => transactionLink(txHash as string)),
            ),
      ),
    );
  });
  return h(
    'table',
    { class: 'stacked' },
    h('caption', { class: 'unseen' }, 'Nonces and their state'),
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        ['Nonces', 'State', 'Transfers'].map((name) => h('th', { scope: 'col' }, name)),
      ),
    ),
    h('tbody', {}, rows),
  );
}
