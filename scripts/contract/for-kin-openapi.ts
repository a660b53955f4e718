/**
 * A contract in the keywords that tools based on kin-openapi (oasdiff, oapi-codegen) support.
 *
 * Up to version 1.1.0 the contract used two short forms of JSON Schema 2020-12: `false` for a member that is never present, which these
 * tools cannot read at all, and a list of types, which they report as different from the equivalent `oneOf`. Up to 1.2.0 it also had
 * members beside an `allOf`, which are now in one of its parts, and `const` for a list of one value. Both sides of a comparison are
 * brought into one form, so that only their meaning can differ.
 */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

/** The types to which each keyword applies that the contract has beside a list of types. */
const KEYWORD_TYPES: Readonly<Record<string, readonly string[]>> = {
  minLength: ['string'],
  maxLength: ['string'],
  pattern: ['string'],
  minimum: ['number', 'integer'],
  maximum: ['number', 'integer'],
  minItems: ['array'],
  maxItems: ['array'],
  items: ['array'],
  properties: ['object'],
  required: ['object'],
  unevaluatedProperties: ['object'],
};

function isObject(node: Json | undefined): node is JsonObject {
  return typeof node === 'object' && node !== null && !Array.isArray(node);
}

function withoutBooleanMembers(properties: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      schema === false ? { not: {} } : schema === true ? {} : schema,
    ]),
  );
}

/** `type: [string, integer]` as `oneOf`, with each keyword at the type that it bounds. The tools support `[x, null]`, which is kept. */
function withoutTypeLists(schema: JsonObject): JsonObject {
  const types = schema['type'];
  if (!Array.isArray(types) || types.filter((type) => type !== 'null').length < 2) return schema;
  const entries = Object.entries(schema).filter(([key]) => key !== 'type');
  const shared = entries.filter(([key]) => KEYWORD_TYPES[key] === undefined);
  const oneOf = types.map((type) => ({
    type,
    ...Object.fromEntries(entries.filter(([key]) => KEYWORD_TYPES[key]?.includes(String(type)))),
  }));
  return { ...Object.fromEntries(shared), oneOf };
}

/** `const` as a list of one value, with the type of the value. */
function withoutConst(schema: JsonObject): JsonObject {
  const { const: value, ...rest } = schema;
  if (value === undefined || isObject(value) || Array.isArray(value)) return schema;
  const type = typeof value === 'number' ? 'integer' : typeof value;
  return { type, ...rest, enum: [value] };
}

/** Moves inline parts of an `allOf` beside it; the parts that refer to other schemas stay. */
function withOwnMembersBeside(schema: JsonObject): JsonObject {
  const parts = schema['allOf'];
  if (!Array.isArray(parts)) return schema;
  const own = parts.filter((part): part is JsonObject => isObject(part) && part['$ref'] === undefined);
  const { allOf: _parts, ...rest } = schema;
  const all = [rest, ...own];
  const required = all.flatMap((part) => (Array.isArray(part['required']) ? part['required'] : []));
  const properties = Object.assign({}, ...all.map((part) => part['properties'] ?? {})) as JsonObject;
  return {
    ...(Object.assign({}, ...own, rest) as JsonObject),
    ...(required.length > 0 ? { required } : {}),
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(parts.length > own.length ? { allOf: parts.filter((part) => !own.includes(part as JsonObject)) } : {}),
  };
}

/** A mark of deprecation; a member of this name is a schema. */
function withoutDeprecation(schema: JsonObject): JsonObject {
  if (schema['deprecated'] !== true) return schema;
  const { deprecated: _deprecated, ...rest } = schema;
  return rest;
}

/**
 * The same contract without the short forms, and without marks of deprecation: oasdiff allows the removal of deprecated parts, and within
 * a major version nothing may be removed.
 */
export function forKinOpenapi(node: Json): Json {
  if (Array.isArray(node)) return node.map(forKinOpenapi);
  if (!isObject(node)) return node;
  const merged = withOwnMembersBeside(withoutConst(withoutDeprecation(node)));
  const { properties } = merged;
  const readable = isObject(properties) ? { ...merged, properties: withoutBooleanMembers(properties) } : merged;
  return Object.fromEntries(
    Object.entries(withoutTypeLists(readable)).map(([key, value]) => [key, forKinOpenapi(value)]),
  );
}
