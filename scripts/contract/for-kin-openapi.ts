/**
 * A contract in the words that tools on kin-openapi (oasdiff, oapi-codegen) understand.
 *
 * Up to version 1.1.0 the contract used two short forms of JSON Schema 2020-12: `false` for a member that is never there,
 * which these tools cannot read at all, and a list of types, which they compare with the same thing said by `oneOf` as if
 * it were another. Up to 1.2.0 it also wrote own members beside an `allOf`, where a part of it now holds them, and `const` for a
 * list of one value. Both sides of a comparison are brought into one form, so that only meaning can differ.
 */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

/** Which types each keyword that the contract puts beside a list of types speaks about. */
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

/** `type: [string, integer]` as `oneOf`, with each keyword at the type that it bounds. `[x, null]` is understood as it is. */
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

/** `const` as the list of one value that it is, with the type of the value. */
function withoutConst(schema: JsonObject): JsonObject {
  const { const: value, ...rest } = schema;
  if (value === undefined || isObject(value) || Array.isArray(value)) return schema;
  const type = typeof value === 'number' ? 'integer' : typeof value;
  return { type, ...rest, enum: [value] };
}

/** Parts of an `allOf` that are written in place, beside it: the parts that refer to other schemas stay. */
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

/** The same contract without the short forms, and without marks of deprecation: oasdiff lets go what had one, and within a major version nothing goes. */
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
