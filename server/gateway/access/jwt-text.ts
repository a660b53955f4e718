/**
 * Whether header and claims of a JWT that was verified have one meaning for every reader (RFC 8725, section 2.4; RFC 7519, section 4): JSON.parse keeps
 * the last of two equal names and other readers the first, and a decoder that replaces what is no UTF-8 makes one owner of several.
 *
 * @module
 */
import { isUtf8 } from 'node:buffer';

/** In JSON that was parsed already: a text, with the colon after it if it is a name, or the beginning or end of an object. */
const NAMES_AND_OBJECTS = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}]/g;

export function hasOneMeaning(token: string): boolean {
  const [header = '', claims = ''] = token.split('.');
  return [header, claims].every((part) => {
    const bytes = Buffer.from(part, 'base64url');
    return isUtf8(bytes) && !hasNameTwice(bytes.toString('utf8'));
  });
}

/** At any depth, compared after escapes are resolved. */
function hasNameTwice(json: string): boolean {
  const open: Set<string>[] = [];
  for (const [found, text, colon] of json.matchAll(NAMES_AND_OBJECTS)) {
    if (found === '{') open.push(new Set());
    else if (found === '}') open.pop();
    else if (text !== undefined && colon !== undefined) {
      const names = open.at(-1);
      const name = JSON.parse(text) as string;
      if (names === undefined || names.has(name)) return true;
      names.add(name);
    }
  }
  return false;
}
