/**
 * `$ref` is used where OpenAPI allows it, and at three more places: the description of the contract and those of tags, so that the
 * index fits a page, and the headers of a response, so that headers of many responses are written once. Redocly resolves these
 * in the bundle, which has no such `$ref`. The rule replaces Redocly's `spec-strict-refs`, which has no option for exceptions.
 */
import { isReference } from './types.ts';
import type { Rule } from './types.ts';

const ALLOWED = new Set([
  'Schema',
  'Response',
  'Parameter',
  'RequestBody',
  'Example',
  'Header',
  'SecurityScheme',
  'PathItem',
  'HeadersMap',
]);

const DESCRIPTION = /#\/(info|tags\/\d+)\/description$/;

export const strictReferences: Rule = () => ({
  any(_node, { report, rawNode, rawLocation, type }) {
    const isAllowed = ALLOWED.has(type.name) || DESCRIPTION.test(rawLocation.absolutePointer);
    if (isReference(rawNode) && !isAllowed) {
      report({ message: `No $ref stands here (${type.name}).`, location: rawLocation.child('$ref').key() });
    }
  },
});
