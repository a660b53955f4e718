/** Draws the chart of a balance. The statement below it has the same content as text. */
import { h, svg } from '../dom.ts';
import { ago, agoOf } from '../parts/time.ts';
import { amountText } from '../parts/value.ts';
import { balanceChart, type ChartEntry } from './balance-chart.ts';

const SIZE = { width: 600, height: 120 };
/** Above and below the line, so that its width is not cut off. */
const MARGIN = 4;

/** `entries`: oldest first. */
export function chartView(entries: readonly ChartEntry[], now: string): HTMLElement | undefined {
  const chart = balanceChart(entries, now, SIZE);
  if (chart === undefined) return undefined;
  const { line, area, min, max, from } = chart;
  const last = entries.at(-1)?.balanceAfter ?? '0';
  const label = `The balance over the ${entries.length === 1 ? 'one entry' : `${entries.length} entries`} shown, since ${ago(from)}: at least ${amountText(`${min}`)}, at most ${amountText(`${max}`)}, now ${amountText(last)}.`;
  return h(
    'figure',
    { class: 'chart' },
    h(
      'div',
      { class: 'row spread small soft' },
      h('span', {}, amountText(`${max}`)),
      h('span', {}, max === min ? '' : 'highest'),
    ),
    svg(
      'svg',
      {
        role: 'img',
        'aria-label': label,
        viewBox: `0 ${-MARGIN} ${SIZE.width} ${SIZE.height + 2 * MARGIN}`,
        preserveAspectRatio: 'none',
      },
      svg('path', { class: 'area', d: area }),
      svg('path', { class: 'line', d: line, 'vector-effect': 'non-scaling-stroke' }),
    ),
    max !== min &&
      h('div', { class: 'row spread small soft' }, h('span', {}, amountText(`${min}`)), h('span', {}, 'lowest')),
    h('div', { class: 'row spread small soft axis' }, agoOf(from), h('span', {}, 'now')),
  );
}
