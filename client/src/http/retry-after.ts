/** `Retry-After` (RFC 9110 section 10.2.3): seconds, or a date, as milliseconds from now; undefined when there is none that can be read. */
export function retryAfterMs(headers: Headers): number | undefined {
  const value = headers.get('retry-after') ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
