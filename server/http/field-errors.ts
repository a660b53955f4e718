/** From what express-openapi-validator says of a request to the errors of its fields. */
import type { FieldError } from '../gateway/types.ts';
import { describeFault } from './field-messages.ts';

type RequestParts = Partial<Record<'body' | 'query' | 'params', unknown>>;

/** What the library found, one error for each field, in the words and the notation of the contract. */
export function fieldErrors(faults: readonly { path: string; message: string }[], parts: RequestParts): FieldError[] {
  const errors = new Map<string, FieldError>();
  for (const { path, message } of faults) {
    const { name, at } = placeOf(path);
    const described = {
      pointer: pointerOf(path),
      message: describeFault({
        name,
        at,
        message,
        value: valueAt(parts, path),
        isParameter: !path.startsWith('/body'),
      }),
    };
    const { pointer } = described;
    // Length and pattern of one value fail together, and one sentence is about both.
    errors.set(`${pointer} ${described.message}`, described);
  }
  return [...errors.values()];
}

/** The member or parameter that is wrong; of a list in the query also which of its values, counted from 1. */
function placeOf(path: string): { name: string; at: number | undefined } {
  const listed = /^\/query\/([^/]+)\/([0-9]+)$/.exec(path);
  if (listed !== null) return { name: unescapePointer(listed[1] ?? ''), at: Number(listed[2]) + 1 };
  return { name: unescapePointer(path.split('/').at(-1) ?? ''), at: undefined };
}

/** What the request has at `/body/amount`, `/query/limit`, `/params/address`; undefined where it has nothing. */
function valueAt({ body, query, params }: RequestParts, path: string): unknown {
  const [, place, ...steps] = path.split('/').map(unescapePointer);
  const root: unknown = place === 'body' ? body : place === 'query' ? query : place === 'params' ? params : undefined;
  return steps.reduce<unknown>(
    (at, step) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, step)
        ? (at as Record<string, unknown>)[step]
        : undefined,
    root,
  );
}

/** RFC 6901 section 4. */
const unescapePointer = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

/** The library's `/body/amount`, `/query/limit`, `/query/address/2`, `/params/address`, `/headers/prefer` in the contract's notation. */
function pointerOf(path: string): string {
  if (path.startsWith('/body')) return path.slice('/body'.length);
  return path
    .replace(/^\/params\//, '#/path/')
    .replace(/^\/query\/([^/]+).*/, '#/query/$1')
    .replace(/^\/headers\//, '#/header/');
}
