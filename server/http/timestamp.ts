/**
 * Formats times. `Date` takes half a microsecond for one, and a page of the list has twenty; the date is usually the same as for the
 * previous time, and the rest is arithmetic.
 */
const MS_PER_DAY = 86_400_000;
const MS_PER_HOUR = 3_600_000;
const MS_PER_MINUTE = 60_000;
const MS_PER_S = 1000;

const TWO_DIGITS = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));

let day = Number.NaN;
/** Date of `day`, followed by the T. */
let date = '';

/** RFC 3339 in UTC with milliseconds. */
export function timestamp(timeMs: number): string {
  const ms = Math.trunc(timeMs);
  const ofDay = Math.floor(ms / MS_PER_DAY);
  if (ofDay !== day) {
    const text = new Date(ms).toISOString();
    date = text.slice(0, text.indexOf('T') + 1);
    day = ofDay;
  }
  const rest = ms - ofDay * MS_PER_DAY;
  const hours = TWO_DIGITS[Math.floor(rest / MS_PER_HOUR)];
  const minutes = TWO_DIGITS[Math.floor((rest % MS_PER_HOUR) / MS_PER_MINUTE)];
  const seconds = TWO_DIGITS[Math.floor((rest % MS_PER_MINUTE) / MS_PER_S)];
  const milliseconds = rest % MS_PER_S;
  return `${date}${hours}:${minutes}:${seconds}.${milliseconds < 100 ? `0${TWO_DIGITS[milliseconds] ?? milliseconds}` : milliseconds}Z`;
}
