/**
 * Cuts the part out of the contract that some operations need, for a validator of these alone. What the validator does
 * not read costs it all the same: it resolves every reference of the document it is given, examples included.
 */
import { resolve } from './bundle.ts';
import type { OpenapiDocument } from './bundle.ts';
import { loosenBatch } from './hot.ts';
import type { OperationSpec } from './operations.ts';
import { METHODS } from './operations.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A copy of its own with these operations, what they refer to, and no examples; without `responses` also without those. A batch may hold anything. */
export function sliceContract(
  document: OpenapiDocument,
  operations: readonly Pick<OperationSpec, 'path' | 'method'>[],
  responses: boolean,
): OpenapiDocument {
  const kept: OpenapiDocument['paths'] = {};
  for (const { path, method } of operations) {
    const item = document.paths[path] ?? {};
    const name = method.toLowerCase();
    const operation = copy(item[name] as Json) as Record<string, Json>;
    // Members that the methods of a path share are kept.
    const others = Object.entries(item).filter(([member]) => !METHODS.some((other) => other === member));
    kept[path] ??= copy(Object.fromEntries(others) as Json) as Record<string, Json>;
    kept[path][name] = responses ? operation : { ...operation, responses: {} };
  }
  const components: Record<string, Record<string, unknown>> = {
    securitySchemes: { ...document.components.securitySchemes },
  };
  const wanted = [...references(kept as Json)];
  const seen = new Set<string>();
  for (let reference = wanted.pop(); reference !== undefined; reference = wanted.pop()) {
    if (seen.has(reference)) continue;
    seen.add(reference);
    const [, , kind = '', name = ''] = reference.split('/');
    // One hop at a time, so that a component that is itself a reference is kept with what it refers to.
    const component = copy(document.components[kind]?.[name] as Json);
    if (component === undefined) resolve(document, { $ref: reference });
    (components[kind] ??= {})[name] =
      kind === 'parameters' ? withReserved(component as Record<string, Json>) : component;
    wanted.push(...references(component));
  }
  // The server's own root: a path in a `servers` entry is of clients' interest, behind a proxy that strips it.
  // What this service sends to others is nothing that it is sent.
  const { webhooks: _sent, ...received } = document;
  const part = { ...received, paths: kept, components, servers: [{ url: '/' }] };
  loosenBatch(part);
  return part;
}

/**
 * Query parameters are read and decoded by query.ts. The validator reads the raw text before that, and would refuse the `'`, `!`, `(`, `)`
 * and `*` that encodeURIComponent does not escape and that a reference may have. The published contract does not set `allowReserved`: a
 * client that followed it would not escape `&` either.
 */
const withReserved = (parameter: Record<string, Json>): Json =>
  parameter.in === 'query' ? { ...parameter, allowReserved: true } : parameter;

/** Under `properties` the keys are names of members, and one may well be called `examples`. */
function copy(value: Json, named = false): Json {
  if (Array.isArray(value)) return value.map((item) => copy(item));
  if (typeof value !== 'object' || value === null) return value;
  const result: { [key: string]: Json } = {};
  for (const [key, item] of Object.entries(value)) {
    if (named || (key !== 'examples' && key !== 'example')) result[key] = copy(item, !named && key === 'properties');
  }
  return result;
}

function* references(value: Json): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* references(item);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      if (key === '$ref' && typeof item === 'string') yield item;
      else yield* references(item);
    }
  }
}
