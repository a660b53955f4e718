/** Names the place of a fault in a sentence: a member of the body by its JSON pointer, a parameter by its name. */

const PARAMETER = /^#\/(query|path|header)\/(.+)$/s;
const KINDS: Readonly<Record<string, readonly [one: string, all: string]>> = {
  query: ['query parameter', 'query'],
  path: ['path parameter', 'path'],
  header: ['header', 'headers'],
};
/** Characters shown of a name that the client made up. */
const NAME_CHARS_MAX = 64;

/** `pointer` is that of a FieldError; `*` is for all parameters of a kind. */
export function placeInWords(pointer: string): string {
  if (pointer === '') return 'the body';
  const [, kind = '', name = ''] = PARAMETER.exec(pointer) ?? [];
  const words = KINDS[kind];
  if (words === undefined) return pointer;
  return name === '*' ? `the ${words[1]}` : `the ${words[0]} ${quotedName(unescapeStep(name))}`;
}

/** A name that the client chose is shown in part, and so that it cannot be taken for words of the service. */
export function quotedName(name: string): string {
  return /^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(name) ? name : JSON.stringify(name.slice(0, NAME_CHARS_MAX));
}

/** One step of a JSON pointer (RFC 6901 section 4). */
export const unescapeStep = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');
export const escapeStep = (step: string): string => step.replaceAll('~', '~0').replaceAll('/', '~1');
