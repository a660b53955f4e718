/**
 * The last blocks as bars, whose height is the number of transactions. One stop of the tab key; the arrow keys go from bar to bar, and
 * Enter opens the block.
 */
import { h, put, svg } from '../dom.ts';
import type { BlockMeta } from '../chain/blocks.ts';
import { blockHref } from '../route.ts';
import { clock } from './time.ts';

/** A bar with its gap: wide enough for a finger (WCAG 2.5.8). */
export const BAR_PX = 28;
const GAP_PX = 4;
const HEIGHT_PX = 120;
const FOOT_PX = 18;
/** A block without a transaction is visible and can be clicked too. */
const BAR_PX_MIN = 3;

export interface BlockBars {
  readonly element: HTMLElement;
  /** The newest first. */
  show(blocks: readonly BlockMeta[]): void;
}

export function blockBars(): BlockBars {
  const caption = h('p', { class: 'soft small bar-caption' }, ' ');
  const picture = h('div', { class: 'bars' });
  const element = h(
    'div',
    { role: 'group', 'aria-label': 'The last blocks, by their transactions. Arrow keys go from block to block.' },
    picture,
    caption,
  );
  let focused: number | undefined;
  const rest = 'Point at a bar, or move with the arrow keys. Enter opens the block.';
  put(caption, rest);

  const show = (blocks: readonly BlockMeta[]): void => {
    const shown = blocks.toReversed();
    const most = Math.max(1, ...shown.map(({ transactions }) => transactions));
    const hadFocus = picture.contains(document.activeElement);
    const bars = shown.map((block, i) => bar(block, i, most, block.height === (focused ?? shown.at(-1)?.height)));
    const width = shown.length * BAR_PX;
    put(
      picture,
      svg(
        'svg',
        { viewBox: `0 0 ${width} ${HEIGHT_PX + FOOT_PX}`, width, height: HEIGHT_PX + FOOT_PX },
        svg('path', { d: `M0 ${HEIGHT_PX + 0.5}H${width}`, class: 'axis' }),
        ...bars,
      ),
    );
    if (focused === undefined || shown.some(({ height }) => height === focused)) {
      if (hadFocus) picture.querySelector<SVGAElement>('a[tabindex="0"]')?.focus();
      return;
    }
    // The focused block has left on the left side: the oldest one gets the focus.
    focused = shown[0]?.height;
    if (hadFocus) focusOn(picture.querySelector<SVGAElement>('a'));
  };

  const bar = (block: BlockMeta, i: number, most: number, isStop: boolean): SVGElement => {
    const { height, transactions, time } = block;
    const tall = Math.max(BAR_PX_MIN, Math.round((transactions / most) * (HEIGHT_PX - 8)));
    const what = `Block ${height}: ${transactions} ${transactions === 1 ? 'transaction' : 'transactions'}, ${clock(time)}`;
    const link = svg(
      'a',
      {
        href: blockHref(height),
        tabindex: isStop ? 0 : -1,
        'aria-label': what,
        class: transactions === 0 ? 'empty' : '',
      },
      svg('rect', { x: i * BAR_PX, y: 0, width: BAR_PX, height: HEIGHT_PX + FOOT_PX, class: 'area' }),
      svg('rect', {
        x: i * BAR_PX + GAP_PX / 2,
        y: HEIGHT_PX - tall,
        width: BAR_PX - GAP_PX,
        height: tall,
        rx: Math.min(3, tall / 2),
        class: 'bar-rect',
      }),
      height % 5 === 0 && svg('text', { x: i * BAR_PX + BAR_PX / 2, y: HEIGHT_PX + 14 }, height),
    );
    link.addEventListener('pointerenter', () => put(caption, what));
    link.addEventListener('pointerleave', () => put(caption, rest));
    link.addEventListener('focus', () => {
      focused = height;
      put(caption, what);
    });
    link.addEventListener('blur', () => put(caption, rest));
    link.addEventListener('keydown', (event) => {
      const step = {
        ArrowLeft: link.previousElementSibling,
        ArrowRight: link.nextElementSibling,
        Home: link.parentElement?.querySelector('a'),
        End: link.parentElement?.lastElementChild,
      }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      if (step instanceof SVGAElement) focusOn(step);
    });
    return link;
  };

  const focusOn = (link: SVGAElement | null): void => {
    for (const other of picture.querySelectorAll<SVGAElement>('a'))
      other.setAttribute('tabindex', other === link ? '0' : '-1');
    link?.focus();
  };
  return { element, show };
}
