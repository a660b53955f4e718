/**
 * Reads a query string so that it has exactly one meaning, or refuses it.
 *
 * Query parsers differ in what they make of a repeated name, `a[b]=c`, a broken percent escape or an empty value; here
 * none of these passes. Integers are taken only as `^[1-9][0-9]*$` (or 0 where the contract allows it), because the
 * validator's own coercion would also read 1e2, 0x10, +5 and " 5".
 */
import type { FieldError } from '../gateway/types.ts';

import { QUERY_PARAMETERS_MAX } from './limits.ts';

export interface QueryParameter {
  name: string;
  type: 'string' | 'integer';
}

/** Values are the decoded text; the validator turns those of integer type into numbers. */
export type QueryRead = { ok: true; query: Record<string, string> } | { ok: false; error: FieldError; detail: string };

const INTEGER_TEXT = /^(?:0|[1-9][0-9]{0,15})$/;

/** `search` is what follows the question mark. Names are those of the contract. */
export function readQuery(search: string, parameters: ReadonlyMap<string, QueryParameter>): QueryRead {
  // A null prototype keeps `constructor` and `__proto__` ordinary names.
  const query: Record<string, string> = Object.create(null);
  if (search === '') return { ok: true, query };
  const pairs = search.split('&');
  if (pairs.length > QUERY_PARAMETERS_MAX) return refuse('', `More than ${QUERY_PARAMETERS_MAX} query parameters.`);
  for (const pair of pairs) {
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
    if (name === undefined || value === undefined) return refuse(name ?? '', 'Not valid percent-encoded UTF-8.');
    const parameter = parameters.get(name);
    if (parameter === undefined) return refuse(name, `Unknown query parameter.${known(parameters)}`);
    if (name in query) return refuse(name, 'Given more than once.');
    if (value === '') return refuse(name, 'Empty; leave the parameter out instead.');
    if (parameter.type === 'integer' && !INTEGER_TEXT.test(value)) {
      return refuse(name, 'Must be an integer in plain decimal digits, without sign, leading zeros or exponent.');
    }
    query[name] = value;
  }
  return { ok: true, query };
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

function known(parameters: ReadonlyMap<string, QueryParameter>): string {
  return parameters.size === 0 ? ' This operation takes none.' : ` Known are: ${[...parameters.keys()].join(', ')}.`;
}

/** The name is the client's own text, escaped as a JSON pointer (RFC 6901); `*` stands for the query as a whole. */
function refuse(name: string, message: string): QueryRead {
  const pointer = `#/query/${name === '' ? '*' : name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const detail = name === '' ? `The query: ${message}` : `Query parameter ${JSON.stringify(name.slice(0, 64))}: ${message}`;
  return { ok: false, error: { pointer, message }, detail };
}
