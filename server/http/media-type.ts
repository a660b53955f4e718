/**
 * Which Content-Type a body may have, and which answers an Accept header allows (RFC 9110 sections 8.3 and 12.5.1).
 *
 * Only `application/json`, alone or with `charset=utf-8`, gets past this point. The request validator compiles and keeps
 * one validator for every distinct Content-Type it sees, parameters included, so letting others through would let any
 * client fill the memory.
 */

const JSON_UTF8 = /^application\/json[ \t]*(?:;[ \t]*(?:charset=(?:utf-8|"utf-8")[ \t]*)?)?$/i;

export function isJsonMediaType(contentType: string | undefined): boolean {
  return contentType === 'application/json' || (contentType !== undefined && JSON_UTF8.test(contentType));
}

/** No Content-Encoding is decoded; `identity` says that there is none. */
export function isIdentityEncoding(contentEncoding: string | undefined): boolean {
  return contentEncoding === undefined || contentEncoding.trim().toLowerCase() === 'identity';
}

/**
 * True when the client takes at least one of `offered` (lower case). A missing or malformed Accept header takes
 * anything, since an answer of the wrong kind helps more than none. The most specific range decides for each type.
 */
export function accepts(accept: string | undefined, offered: readonly string[]): boolean {
  if (accept === undefined || accept === '*/*' || offered.includes(accept)) return true;
  const ranges = accept.split(',').flatMap((item) => {
    const [type = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    if (!/^[^/\s]+\/[^/\s]+$/.test(type)) return [];
    const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return [{ type, refused: q !== undefined && Number(q) === 0 }];
  });
  if (ranges.length === 0) return true;
  return offered.some((type) => {
    const major = `${type.slice(0, type.indexOf('/'))}/*`;
    const decisive = [type, major, '*/*'].map((range) => ranges.find((candidate) => candidate.type === range)).find(Boolean);
    return decisive !== undefined && !decisive.refused;
  });
}
