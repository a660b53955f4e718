/**
 * A contract in the words that tools on kin-openapi (oasdiff, oapi-codegen) understand.
 *
 * Up to version 1.1.0 the contract used two short forms of JSON Schema 2020-12: `false` for a member that is never there,
 * which these tools cannot read at all, and a list of types, which they compare with the same thing said by `oneOf` as if
 * it were another. Both sides of a comparison are brought into the long form, so that only meaning can differ.
 */

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
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
    Object.entries(properties).map(([name, schema]) => [name, schema === false ? { not: {} } : schema === true ? {} : schema]),
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

/** The same contract without the two short forms. */
export function forKinOpenapi(node: Json): Json {
  if (Array.isArray(node)) return node.map(forKinOpenapi);
  if (!isObject(node)) return node;
  const { properties } = node;
  const readable = isObject(properties) ? { ...node, properties: withoutBooleanMembers(properties) } : node;
  return Object.fromEntries(Object.entries(withoutTypeLists(readable)).map(([key, value]) => [key, forKinOpenapi(value)]));
}
