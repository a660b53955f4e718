/** The history of a transfer as a picture: its events, their times, and the time between two of them. */
import { type Child, h, svg } from '../dom.ts';
import { timeToday } from './time.ts';

export interface Moment {
  readonly name: Child;
  readonly tone: 'done' | 'good' | 'bad' | 'off' | 'waiting';
  /** Undefined for an event that has not happened. */
  readonly at: string | undefined;
  /** Time of the deciding block: the moment at which the block before was signed, so it can be earlier than `at`. */
  readonly blockTime?: string | undefined;
  readonly about?: Child;
}

export function timeline(moments: readonly Moment[]): HTMLElement {
  return h('ol', { class: 'timeline' }, ...moments.map((moment, i) => item(moment, moments[i - 1]?.at)));
}

function item({ name, tone, at, blockTime, about }: Moment, before: string | undefined): HTMLElement {
  const gap =
    at !== undefined && before !== undefined ? `after ${duration(Date.parse(at) - Date.parse(before))}` : undefined;
  return h(
    'li',
    { class: tone },
    svg(
      'svg',
      { viewBox: '0 0 28 28', width: 28, height: 28, 'aria-hidden': 'true' },
      svg('circle', { cx: 14, cy: 14, r: 11 }),
      svg('path', { d: ICONS[tone] }),
    ),
    h(
      'div',
      {},
      h('strong', {}, name),
      at === undefined ? h('span', { class: 'soft' }, 'not yet') : timeToday(at),
      gap && h('span', { class: 'soft small' }, gap),
      about && h('span', { class: 'small' }, about),
      blockTime !== undefined && h('span', { class: 'soft small' }, 'time of the block ', timeToday(blockTime)),
    ),
  );
}

const ICONS: Record<Moment['tone'], string> = {
  done: 'M9 14.4l3.4 3.4L19 10.6',
  good: 'M9 14.4l3.4 3.4L19 10.6',
  bad: 'M10 10l8 8M18 10l-8 8',
  off: 'M9 14h10',
  waiting: 'M14 8.5v6l4 2.5',
};

function duration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${Math.round(seconds % 60)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
