/**
 * Closes the answers of the contract in memory. The published contract leaves every object of an answer open, so that a member added later
 * breaks no client; the validator of our own answers must not, because it would accept undeclared members. Used only if answers are
 * validated: in tests, and with TXLEDGER_VALIDATE_RESPONSES.
 */
import type { OpenapiDocument } from './bundle.ts';
import { collectCodes } from './operations.ts';

type Schema = Record<string, unknown>;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/**
 * Returns a copy in which an object without a rule for further members allows none. A schema that others extend by `allOf` stays open
 * itself, because a closed one would refuse the members of the extension; every other use of it is closed. `additionalProperties: true`
 * marks an object whose members are defined elsewhere; it is not changed. An enumeration that may grow in a later version allows only the
 * values of this one, and an `anyOf` with a kind for later versions allows only the kinds of this one.
 */
export function closedContract(document: OpenapiDocument): OpenapiDocument {
  const copy = structuredClone(document);
  closeKinds(copy);
  const bases = new Set<string>();
  forEachNode(copy, (node) => {
    for (const part of asList(node.allOf)) if (isSchema(part) && typeof part.$ref === 'string') bases.add(part.$ref);
  });
  for (const [name, schema] of Object.entries(copy.components.schemas ?? {})) {
    close(schema, !bases.has(`#/components/schemas/${name}`), bases);
  }
  // Schemas that are written inline, in bodies and headers.
  const { schemas: _named, ...rest } = copy.components;
  forEachNode([copy.paths, rest], (node) => {
    if ('schema' in node) close(node.schema, true, bases);
  });
  return copy;
}

const PROBLEM = '#/components/schemas/Problem';

/**
 * Closes the last kind of each `anyOf`, which accepts additions of later versions. For problems it then accepts only the codes of this
 * version that no other kind describes; for everything else it accepts nothing.
 */
function closeKinds(document: OpenapiDocument): void {
  const all = (document.components['schemas']?.['ProblemCode'] as Schema | undefined)?.['x-extensible-enum'];
  forEachNode(document, (node) => {
    const kinds = asList(node.anyOf);
    if (kinds.length < 2) return;
    const [last, named] = [kinds.at(-1), kinds.slice(0, -1)];
    if (!isSchema(last) || last.$ref !== PROBLEM) {
      node.anyOf = named;
      return;
    }
    const codes = new Set<string>();
    for (const kind of named) collectCodes(document, kind, codes);
    const others = asList(all).filter((code) => !codes.has(String(code)));
    node.anyOf = [...named, { $ref: PROBLEM, properties: { code: { enum: others } } }];
  });
}

/** @param leaf true if this schema alone decides about an object; false for a part of an `allOf`. */
function close(schema: unknown, leaf: boolean, bases: ReadonlySet<string>): void {
  if (!isSchema(schema)) return;
  const open = schema.additionalProperties === undefined && schema.unevaluatedProperties === undefined;
  const isObject = asList([schema.type].flat()).includes('object') || schema.allOf !== undefined;
  const isBase = typeof schema.$ref === 'string' && bases.has(schema.$ref);
  const closed = leaf && open && (isObject || isBase);
  if (closed) schema.unevaluatedProperties = false;
  if (schema['x-extensible-enum'] !== undefined) schema.enum = schema['x-extensible-enum'];
  for (const member of Object.values(isSchema(schema.properties) ? schema.properties : {})) close(member, true, bases);
  for (const item of [schema.items, schema.additionalProperties, ...asList(schema.prefixItems)])
    close(item, true, bases);
  for (const part of asList(schema.allOf)) close(part, false, bases);
  // If the surrounding schema is closed, or deliberately open, the branches belong to it.
  const branchesAreLeaves = leaf && !isObject;
  for (const branch of [...asList(schema.oneOf), ...asList(schema.anyOf)]) close(branch, branchesAreLeaves, bases);
}

function forEachNode(value: unknown, visit: (node: Schema) => void): void {
  if (Array.isArray(value)) for (const item of value) forEachNode(item, visit);
  else if (isSchema(value)) {
    visit(value);
    for (const [key, item] of Object.entries(value))
      if (key !== 'example' && key !== 'examples') forEachNode(item, visit);
  }
}
