/** Converts the errors of express-openapi-validator about a request to errors of its fields. */
import { escapeStep, unescapeStep } from '../gateway/field-place.ts';
import type { FieldError } from '../gateway/types.ts';
import { describeFault, isAboutUnknownMember } from './field-messages.ts';

type RequestParts = Partial<Record<'body' | 'query' | 'params', unknown>>;

/** Returns the name of the schema at a place such as `['query', 'limit']`; undefined if it has no name. */
export type SchemaName = (steps: readonly string[]) => string | undefined;

/** Converts the library's errors, one for each field, to the words and the notation of the contract. */
export function fieldErrors(
  faults: readonly { path: string; message: string }[],
  parts: RequestParts,
  schemaName: SchemaName,
): FieldError[] {
  const errors = new Map<string, FieldError>();
  for (const { path, message } of faults) {
    const steps = stepsOf(path, message, parts);
    const { name, at } = placeOf(steps);
    const described = {
      pointer: pointerOf(steps),
      message: describeFault({
        name,
        at,
        message,
        schema: schemaName(steps),
        value: valueAt(parts, steps),
        isParameter: steps[0] !== 'body',
      }),
    };
    const { pointer } = described;
    // Length and pattern of one value fail together, and one message covers both.
    errors.set(`${pointer} ${described.message}`, described);
  }
  return [...errors.values()];
}

/**
 * Splits `/body/amount` into its steps. The name of an unknown member is the client's own text, unescaped, so it may contain a slash: it is
 * found by searching the body for a member of this name.
 */
function stepsOf(path: string, message: string, parts: RequestParts): string[] {
  const raw = path.split('/').slice(1);
  if (isAboutUnknownMember(message)) {
    for (let at = 1; at < raw.length; at++) {
      const [above, name] = [raw.slice(0, at).map(unescapeStep), raw.slice(at).join('/')];
      const holder = valueAt(parts, above);
      if (typeof holder === 'object' && holder !== null && !Array.isArray(holder) && Object.hasOwn(holder, name))
        return [...above, name];
    }
  }
  return raw.map(unescapeStep);
}

/** The wrong member or parameter; for a list in the query also the number of the value, counted from 1. */
function placeOf(steps: readonly string[]): { name: string; at: number | undefined } {
  const [place, name = '', index] = steps;
  if (place === 'query' && index !== undefined && /^[0-9]+$/.test(index)) return { name, at: Number(index) + 1 };
  return { name: steps.at(-1) ?? '', at: undefined };
}

/** The value of the request at `/body/amount`, `/query/limit`, `/params/address`; undefined if it is missing. */
function valueAt({ body, query, params }: RequestParts, [place, ...steps]: readonly string[]): unknown {
  const root: unknown = place === 'body' ? body : place === 'query' ? query : place === 'params' ? params : undefined;
  return steps.reduce<unknown>(
    (at, step) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, step)
        ? (at as Record<string, unknown>)[step]
        : undefined,
    root,
  );
}

/** The validator's and the contract's names for the places of parameters. */
const PARAMETERS: Readonly<Record<string, string>> = { params: 'path', query: 'query', headers: 'header' };

/** In the body a JSON pointer; for a parameter its name, even if one of several values is wrong. Names of headers are in lower case. */
function pointerOf([place = '', ...steps]: readonly string[]): string {
  const kind = PARAMETERS[place];
  return kind === undefined
    ? steps.map((step) => `/${escapeStep(step)}`).join('')
    : `#/${kind}/${escapeStep(steps[0] ?? '*')}`;
}
