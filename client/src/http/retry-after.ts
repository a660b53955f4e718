/** `Retry-After` (RFC 9110 section 10.2.3): seconds, or a date, as milliseconds from now; undefined when it is missing or malformed. */
export function retryAfterMs(headers: Headers): number | undefined {
  const value = headers.get('retry-after') || '-';
  const delayMs = Number(value) * 1000 || Date.parse(value) - Date.now();
  return delayMs >= 0 ? delayMs : undefined;
}
