/**
 * An object schema says whether it is closed. A base that others extend by `allOf` must stay open, because a
 * closed one refuses the members that the extension adds; every other is closed with `unevaluatedProperties:
 * false`, so that an answer with a member the contract does not know is a violation. `unevaluatedProperties:
 * true` is for objects whose members others define.
 */
import { isReference, items } from './types.ts';
import type { Location, Node, Rule } from './types.ts';

export const closedLeaves: Rule = () => {
  const objects = new Map<string, { node: Node; location: Location }>();
  const bases = new Set<string>();
  return {
    Schema(schema, context) {
      for (const part of items(schema['allOf'])) {
        const base = isReference(part) ? context.resolve(part).location : undefined;
        if (base) {
          bases.add(base.absolutePointer);
        }
      }
      if (schema['type'] === 'object' || schema['allOf'] !== undefined) {
        objects.set(context.location.absolutePointer, { node: schema, location: context.location });
      }
    },
    Root: {
      leave(_root, { report }) {
        for (const [pointer, { node, location }] of objects) {
          const closed = node['unevaluatedProperties'];
          if (bases.has(pointer) && closed !== undefined) {
            report({ message: 'A schema that others extend stays open: remove unevaluatedProperties.', location });
          }
          if (!bases.has(pointer) && typeof closed !== 'boolean') {
            report({ message: 'An object schema that none extends says unevaluatedProperties: false.', location });
          }
        }
      },
    },
  };
};
