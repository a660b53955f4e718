/**
 * Requests are closed, answers are open. A request with a member that the contract does not have is refused, so its
 * objects have `additionalProperties: false` (`unevaluatedProperties: false` where an `allOf` needs it). An answer may have
 * more members in a later version, and clients of this version must accept them: no schema of an answer has either. A schema
 * used in both is open, and closed where the request uses it. `additionalProperties: true` marks an object whose members
 * are defined elsewhere.
 */
import { isNode, isReference, items, members } from './types.ts';
import type { Context, Location, Node, Rule } from './types.ts';

type Direction = 'request' | 'answer';

const BRANCHES = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];

export const openAnswers: Rule = () => {
  /** Each object schema with its uses. */
  const found = new Map<string, { node: Node; location: Location; uses: Set<Direction>; closedByUse: boolean }>();
  const seen = new Set<string>();

  function follow(schema: unknown, direction: Direction, closed: boolean, from: Location, context: Context): void {
    const { node, location = from } = context.resolve(schema, from.source.absoluteRef);
    if (!isNode(node)) {
      return;
    }
    const closedHere = closed || (isReference(schema) && isClosed(schema));
    if (isReference(schema) && direction === 'answer' && isClosed(schema)) {
      found.set(`${from.absolutePointer} use`, {
        node: schema,
        location: from,
        uses: new Set([direction]),
        closedByUse: false,
      });
    }
    const place = isReference(schema) ? location : from;
    const key = `${place.absolutePointer} ${direction} ${closedHere}`;
    if (seen.has(key)) {
      return;
    }
    seen.add(key);
    if (node['type'] === 'object' || node['allOf'] !== undefined) {
      const entry = found.get(place.absolutePointer) ?? {
        node,
        location: place,
        uses: new Set<Direction>(),
        closedByUse: true,
      };
      entry.uses.add(direction);
      entry.closedByUse &&= direction === 'answer' || closedHere;
      found.set(place.absolutePointer, entry);
    }
    const within = (child: unknown, ...path: Array<string | number>): void =>
      follow(child, direction, false, place.child(path), context);
    for (const [name, property] of members(node['properties'])) {
      within(property, 'properties', name);
    }
    for (const keyword of ['items', 'additionalProperties']) {
      within(node[keyword], keyword);
    }
    for (const keyword of BRANCHES) {
      for (const [index, branch] of items(node[keyword]).entries()) {
        // A schema that extends a base is closed itself; the base must not be.
        follow(branch, direction, keyword === 'allOf', place.child([keyword, index]), context);
      }
    }
  }

  const visit =
    (direction: Direction) =>
    (node: Node, context: Context): void => {
      for (const [mediaType, content] of members(node['content'])) {
        if (isNode(content)) {
          follow(
            content['schema'],
            direction,
            false,
            context.location.child(['content', mediaType, 'schema']),
            context,
          );
        }
      }
    };

  const [ofRequest, ofAnswer] = [visit('request'), visit('answer')];
  let isPath = true;
  return {
    PathItem(_item, { key }) {
      isPath = String(key).startsWith('/');
    },
    // The body of a message to a webhook comes from this service, like an answer.
    RequestBody: (node, context) => (isPath ? ofRequest : ofAnswer)(node, context),
    Response: ofAnswer,
    Root: {
      leave(_root, { report }) {
        for (const { node, location, uses, closedByUse } of found.values()) {
          const says = node['additionalProperties'] ?? node['unevaluatedProperties'];
          if (uses.has('answer') && says === false) {
            report({ message: 'An answer is open: a schema of it does not refuse further members.', location });
          }
          if (uses.has('request') && !closedByUse && says === undefined) {
            report({
              message: 'A request is closed: say additionalProperties: false, or true where others define the members.',
              location,
            });
          }
        }
      },
    },
  };
};

function isClosed(schema: object): boolean {
  return ['additionalProperties', 'unevaluatedProperties'].some((keyword) => (schema as Node)[keyword] === false);
}
