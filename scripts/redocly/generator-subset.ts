/**
 * The part of JSON Schema that generators of clients support. Each construct below made at least one widely used generator crash,
 * leave out a member, or write code that does not compile; docs/decisions/0049-generators.md names them. Each has an equivalent.
 */
import { isRpcComponent } from './rpc.ts';
import { isNode, isReference, items } from './types.ts';
import type { Node, Rule } from './types.ts';

/** Members allowed beside `allOf`: they define no member of their own. */
const BESIDE_ALL_OF = new Set([
  'allOf',
  'title',
  'description',
  'examples',
  'deprecated',
  'additionalProperties',
  'unevaluatedProperties',
]);
const CONDITIONAL = ['if', 'then', 'else', 'not', 'dependentSchemas', 'dependentRequired'];

export const generatorSubset: Rule = () => ({
  Schema(schema, { report, location }) {
    for (const message of faultsOf(schema, location)) {
      report({ message, location });
    }
  },
});

function* faultsOf(schema: Node, { absolutePointer }: { absolutePointer: string }): Generator<string> {
  if ('const' in schema) {
    yield 'Write an enum of one value with its type instead of const.';
  }
  if ('enum' in schema && typeof schema['type'] !== 'string') {
    yield 'An enum says its type.';
  }
  if (items(schema['enum']).some((value) => typeof value === 'string' && /["'`\\]/.test(value))) {
    yield 'A value of an enum has no quotes and no backslash: write a pattern.';
  }
  for (const keyword of CONDITIONAL) {
    if (keyword in schema) {
      yield `No ${keyword}: write a schema for each case.`;
    }
  }
  const isAlternative = /\/(oneOf|anyOf)\/\d+$/.test(absolutePointer);
  if (schema['type'] === 'null' && !isAlternative) {
    yield 'Not null alone: name the type that the value has when it is not null.';
  }
  if ([schema['type']].flat().includes('null') && !isRpcComponent(absolutePointer)) {
    yield 'Not null outside the RPC: a member that does not apply is absent.';
  }
  const beside = Object.keys(schema).filter((keyword) => !BESIDE_ALL_OF.has(keyword) && !keyword.startsWith('x-'));
  if ('allOf' in schema && beside.length > 0) {
    yield `Beside allOf stands nothing about members (${beside.join(', ')}): put it into a member of allOf.`;
  }
  const own = isNode(schema['properties']) ? schema['properties'] : {};
  const elsewhere = /\/allOf\/\d+$/.test(absolutePointer)
    ? items(schema['required']).filter((name) => !Object.hasOwn(own, String(name)))
    : [];
  if (elsewhere.length > 0) {
    yield `A member of another part of allOf that is required here is written again here: ${elsewhere.join(', ')}.`;
  }
  const item = schema['items'];
  if (isNode(item) && !isReference(item) && ('oneOf' in item || 'anyOf' in item)) {
    yield 'The items of an array are not one of several schemas: name one schema.';
  }
}
