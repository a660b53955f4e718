/** Times in a form for people. The exact time is always in `datetime` and `title`. */
import { h, put } from '../dom.ts';

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** @example ago('2026-11-22T10:00:00Z') // '3 minutes ago' */
export function ago(time: string, nowMs: number = Date.now()): string {
  const seconds = Math.round((nowMs - Date.parse(time)) / 1000);
  // A time a little in the future, from a clock that is ahead, is shown as now.
  if (seconds < 1 && seconds > -60) return 'now';
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? UNITS[3];
  const count = Math.floor(Math.abs(seconds) / size);
  const text = `${count} ${unit}${count === 1 ? '' : 's'}`;
  return seconds > 0 ? `${text} ago` : `in ${text}`;
}

/** Time since a moment, kept current: `keepTimes` writes it again each second. */
export function agoOf(time: string): HTMLElement {
  return h('time', { datetime: time, title: time, class: 'ago' }, ago(time));
}

export function keepTimes(): void {
  setInterval(
    () =>
      document.querySelectorAll<HTMLTimeElement>('time.ago').forEach((element) => put(element, ago(element.dateTime))),
    1000,
  );
}

/** @example clock('2026-11-22T10:00:00.123Z') // '10:00:00.123' in the reader's zone */
export function clock(time: string): string {
  const date = new Date(time);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

/** Day and time in the reader's zone. */
export function timeOf(time: string): HTMLElement {
  return h('time', { datetime: time, title: time }, `${day(new Date(time))} ${clock(time)}`);
}

/** Only the time of day if the day is today. */
export function timeToday(time: string): HTMLElement {
  const isToday = day(new Date(time)) === day(new Date());
  return h(
    'time',
    { datetime: time, title: time, class: 'mono' },
    isToday ? clock(time) : `${day(new Date(time))} ${clock(time)}`,
  );
}

function day(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
