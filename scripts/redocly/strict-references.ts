/**
 * `$ref` stands where OpenAPI has it, and at three places more: the description of the whole and those of tags, so that the
 * index fits a page, and the headers of an answer, so that what many answers have is said once. Redocly writes what it
 * finds there into the bundle, which has no such `$ref`. It stands in for Redocly's `spec-strict-refs`, which knows no exception.
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
