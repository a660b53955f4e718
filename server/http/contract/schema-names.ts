/**
 * The names of the contract's schemas at the places of a request: the message about a wrong value depends on the schema, not on the name
 * that an operation uses.
 */
import { type OpenapiDocument, resolve } from './bundle.ts';
import type { OperationSpec } from './operations.ts';

type Node = Record<string, unknown>;

const PLACES: Readonly<Record<string, string>> = { query: 'query', params: 'path', headers: 'header' };

/**
 * Returns the name of the schema at a place; undefined if the schema has no name. `steps` is the validator's place, unescaped: `['query',
 * 'from']`, `['body', 'limits', 'ratePerSecond']`. A parameter with an inline schema gives its own name, which is the name of a component
 * too.
 */
export function schemaNameAt(
  document: OpenapiDocument,
  { path, method }: Pick<OperationSpec, 'path' | 'method'>,
  [place = '', ...steps]: readonly string[],
): string | undefined {
  const item = document.paths[path] as { parameters?: unknown[] } & Record<string, Node>;
  const operation = item[method.toLowerCase()] as { parameters?: unknown[]; requestBody?: unknown };
  if (place === 'body') {
    if (operation.requestBody === undefined) return undefined;
    const content = resolve(document, operation.requestBody).content as Record<string, { schema?: unknown }>;
    return nameBelow(document, content['application/json']?.schema, steps);
  }
  const [name = '', ...rest] = steps;
  for (const reference of [...(item.parameters ?? []), ...(operation.parameters ?? [])]) {
    const parameter = resolve(document, reference);
    // Header names are case-insensitive.
    if (parameter.in === PLACES[place] && String(parameter.name).toLowerCase() === name.toLowerCase())
      return nameBelow(document, parameter.schema, rest) ?? (rest.length === 0 ? nameOf(reference) : undefined);
  }
  return undefined;
}

function nameBelow(document: OpenapiDocument, schema: unknown, steps: readonly string[]): string | undefined {
  if (schema === undefined) return undefined;
  const [step, ...rest] = steps;
  if (step === undefined) return nameOf(schema);
  const node = resolve(document, schema);
  const member = (node.properties as Record<string, unknown> | undefined)?.[step];
  if (member !== undefined) return nameBelow(document, member, rest);
  if (node.items !== undefined && /^[0-9]+$/.test(step)) return nameBelow(document, node.items, rest);
  for (const branch of [node.allOf, node.oneOf, node.anyOf].flatMap((branches) => (branches as unknown[]) ?? [])) {
    const found = nameBelow(document, branch, steps);
    if (found !== undefined) return found;
  }
  return undefined;
}

const nameOf = (node: unknown): string | undefined =>
  ((node as { $ref?: string } | undefined)?.$ref ?? '').split('/').at(-1) || undefined;
