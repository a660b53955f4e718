/** The checks made in this browser, and the result of each. */
import { type Child, h, svg } from '../dom.ts';

export type Verdict = 'good' | 'bad' | 'open';

const SPOKEN: Record<Verdict, string> = { good: 'Holds: ', bad: 'Fails: ', open: 'Not checked: ' };

export function verdictIcon(verdict: Verdict, size = 18): SVGElement {
  const paths: Record<Verdict, string> = { good: 'M5.2 9.3l2.6 2.6 5-5.6', bad: 'M6 6l6 6M12 6l-6 6', open: 'M6 9h6' };
  return svg(
    'svg',
    { viewBox: '0 0 18 18', width: size, height: size, class: `verdict ${verdict}`, 'aria-hidden': 'true' },
    svg('circle', { cx: 9, cy: 9, r: 8.5 }),
    svg('path', { d: paths[verdict] }),
  );
}

export function check(verdict: Verdict, text: Child, more?: Child): HTMLLIElement {
  return h(
    'li',
    {},
    verdictIcon(verdict),
    h(
      'div',
      {},
      h('span', { class: 'unseen' }, SPOKEN[verdict]),
      text,
      more && h('div', { class: 'soft small' }, more),
    ),
  );
}

export function checkList(...items: readonly HTMLLIElement[]): HTMLElement {
  return h('ul', { class: 'checks' }, ...items);
}
