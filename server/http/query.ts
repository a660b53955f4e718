/**
 * Parses a query string with exactly one meaning, or refuses it.
 *
 * Query parsers differ in how they read a repeated name, `a[b]=c`, a broken percent escape or an empty value; here all of these are
 * refused, except the repeated name of a parameter that is a list in the contract. A part without a name, as between two `&` or before
 * `=x`, is ignored. Integers are accepted only as `^[1-9][0-9]*$` (or 0 if the contract allows it), because the validator's own coercion
 * would also read 1e2, 0x10, +5 and " 5".
 */
import { escapeStep } from '../gateway/field-place.ts';
import type { FieldError, Sentence } from '../gateway/types.ts';

import { QUERY_LIST_VALUES_MAX, QUERY_PARAMETERS_MAX } from './limits.ts';

export interface QueryParameter {
  name: string;
  /** A list of texts is sent as a repeated parameter, one value each. */
  type: 'string' | 'integer' | 'list';
}

/** Values are the decoded text; the validator converts those of integer type to numbers. */
export type QueryValues = Record<string, string | string[]>;
export type QueryRead = { ok: true; query: QueryValues } | { ok: false; error: FieldError };

const INTEGER_TEXT = /^(?:0|[1-9][0-9]{0,15})$/;

/**
 * Without Object's prototype `constructor` and `__proto__` are ordinary names. V8 handles objects of a class faster than those of
 * `Object.create(null)`.
 */
const Values = function () {} as unknown as { new (): QueryValues; prototype: object };
Values.prototype = Object.create(null) as object;

/** `search` is the text after the question mark. Names are those of the contract. */
export function readQuery(search: string, parameters: ReadonlyMap<string, QueryParameter>): QueryRead {
  const query: QueryValues = new Values();
  if (search === '') return { ok: true, query };
  // A part without a name is not a parameter, whatever its value is: no reader can address it.
  const pairs = search.split('&').filter((pair) => pair !== '' && !pair.startsWith('='));
  const most = hasList(parameters) ? QUERY_LIST_VALUES_MAX : QUERY_PARAMETERS_MAX;
  if (pairs.length > most) return refuse('', `More than ${most} query parameters are given. Leave some out.`);
  for (const pair of pairs) {
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
    if (name === undefined || value === undefined) return refuse(name ?? '', 'It is not valid percent-encoded UTF-8.');
    const parameter = parameters.get(name);
    if (parameter === undefined) return refuse(name, `No such parameter is known. ${known(parameters)}`);
    const { type } = parameter;
    const list = query[name];
    if (list !== undefined && type !== 'list') return refuse(name, 'It is given more than once. Send it once.');
    if (value === '') return refuse(name, 'It is empty. Leave the parameter out instead.');
    if (type === 'integer' && !INTEGER_TEXT.test(value)) {
      return refuse(name, 'It must be an integer in plain decimal digits, without sign, leading zeros or exponent.');
    }
    if (Array.isArray(list)) list.push(value);
    else query[name] = type === 'list' ? [value] : value;
  }
  return { ok: true, query };
}

function hasList(parameters: ReadonlyMap<string, QueryParameter>): boolean {
  for (const { type } of parameters.values()) if (type === 'list') return true;
  return false;
}

/** `+` is a space in a query string (WHATWG URL, application/x-www-form-urlencoded). */
function decode(text: string): string | undefined {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

function known(parameters: ReadonlyMap<string, QueryParameter>): Sentence {
  return parameters.size === 0
    ? 'This operation takes none.'
    : `This operation takes ${[...parameters.keys()].join(', ')}.`;
}

/** The name is the client's own text, escaped as a JSON pointer (RFC 6901); `*` means the whole query. */
function refuse(name: string, message: Sentence): QueryRead {
  return { ok: false, error: { pointer: `#/query/${name === '' ? '*' : escapeStep(name)}`, message } };
}
