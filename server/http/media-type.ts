/**
 * Checks the Content-Type of a body, and chooses the answer that an Accept header allows (RFC 9110 sections 8.3 and 12.5.1).
 *
 * Only `application/json`, alone or with `charset=utf-8`, is accepted. The request validator compiles and keeps one validator for every
 * distinct Content-Type, including its parameters, so with others any client could fill the memory.
 */

const JSON_UTF8 = /^application\/json[ \t]*(?:;[ \t]*(?:charset=(?:utf-8|"utf-8")[ \t]*)?)?$/i;

export function isJsonMediaType(contentType: string | undefined): boolean {
  return contentType === 'application/json' || (contentType !== undefined && JSON_UTF8.test(contentType));
}

/** No Content-Encoding is decoded; `identity` means no encoding. */
export function isIdentityEncoding(contentEncoding: string | undefined): boolean {
  return contentEncoding === undefined || contentEncoding.trim().toLowerCase() === 'identity';
}

/**
 * True if the client accepts at least one of `offered` (lower case). A missing or malformed Accept header accepts everything, because an
 * answer of the wrong type helps more than no answer. The most specific range decides for each type.
 */
export function accepts(accept: string | undefined, offered: readonly string[]): boolean {
  // An answer without a body has no type that Accept could exclude.
  if (accept === undefined || accept === '*/*' || offered.length === 0 || offered.includes(accept)) return true;
  const ranges = rangesOf(accept);
  return ranges.length === 0 || offered.some((type) => weightOf(type, ranges) > 0);
}

/**
 * Returns the type of `offered` that the client prefers. Among equal types a named one wins, otherwise the first: a client that names
 * text/event-stream beside a wildcard requests a stream.
 */
export function preferred(accept: string | undefined, offered: readonly string[]): string {
  const [first = ''] = offered;
  if (accept === undefined || offered.length < 2) return first;
  const ranges = rangesOf(accept);
  if (ranges.length === 0) return first;
  const weights = offered.map((type) => weightOf(type, ranges));
  const most = Math.max(...weights);
  const best = offered.filter((_, at) => weights[at] === most);
  return best.find((type) => ranges.some((range) => range.type === type)) ?? best[0] ?? first;
}

interface MediaRange {
  type: string;
  weight: number;
}

function rangesOf(accept: string): MediaRange[] {
  return accept.split(',').flatMap((item) => {
    const [type = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    if (!/^[^/\s]+\/[^/\s]+$/.test(type)) return [];
    const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    // A weight that is not a number does not exclude the type.
    const weight = q === undefined ? 1 : Number(q);
    return [{ type, weight: Number.isNaN(weight) ? 1 : weight }];
  });
}

/** Returns 0 if the type is excluded or not named. */
function weightOf(type: string, ranges: readonly MediaRange[]): number {
  const major = `${type.slice(0, type.indexOf('/'))}/*`;
  const decisive = [type, major, '*/*']
    .map((range) => ranges.find((candidate) => candidate.type === range))
    .find(Boolean);
  return decisive?.weight ?? 0;
}
