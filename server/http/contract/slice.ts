/**
 * Extracts the part of the contract that some operations need, for a validator of these alone. Unused parts would be expensive too: the
 * validator resolves every reference of its document, including those in examples.
 */
import { resolve } from './bundle.ts';
import type { OpenapiDocument } from './bundle.ts';
import { loosenBatch } from './hot.ts';
import type { OperationSpec } from './operations.ts';
import { METHODS } from './operations.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * Returns a new document with these operations and their references, without examples and, without `responses`, without responses. The list
 * of a batch may hold any item.
 */
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
    // One hop at a time, so that a component that is itself a reference is kept together with its target.
    const component = copy(document.components[kind]?.[name] as Json);
    if (component === undefined) resolve(document, { $ref: reference });
    (components[kind] ??= {})[name] =
      kind === 'parameters' ? withReserved(component as Record<string, Json>) : component;
    wanted.push(...references(component));
  }
  // The validator uses the server's own root: the path in a `servers` entry is only for clients of a proxy that strips it. Messages that
  // this service sends are never received, so webhooks are left out.
  const { webhooks: _sent, ...received } = document;
  const part = { ...received, paths: kept, components, servers: [{ url: '/' }] };
  loosenBatch(part);
  return part;
}

/**
 * Query parameters are read and decoded by query.ts. The validator reads the raw text before, and would refuse the `'`, `!`, `(`, `)` and
 * `*` that encodeURIComponent does not escape and that a reference may contain. The published contract does not set `allowReserved`: a
 * client that followed it would not escape `&` either.
 */
const withReserved = (parameter: Record<string, Json>): Json =>
  parameter.in === 'query' ? { ...parameter, allowReserved: true } : parameter;

/** Under `properties` the keys are names of members, and one may be called `examples`. */
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
