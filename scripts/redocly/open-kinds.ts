/**
 * A value of an answer that is one of several kinds is an `anyOf`, and its last kind accepts the kinds of later versions: Problem, or a
 * schema whose name begins with Other. `oneOf` and a discriminator are closed lists, with which a client of this version would fail. A list
 * of values that may grow is an `x-extensible-enum`; an `enum` of several values is for requests, and for lists that are closed by their
 * nature. CometBFT's own forms under /rpc are exempt.
 */
import { isRpcComponent } from './rpc.ts';
import { isNode, isReference, items, members } from './types.ts';
import type { Context, Location, Rule } from './types.ts';

/** Lists that cannot grow in answers: money comes in or goes out, and a prefix is part of every address that was signed. */
const CLOSED = new Set(['EntryDirection', 'AddressPrefix']);
/** The codes of one kind of problem: Problem accepts the others. */
const CODES_OF_KIND = /Problem\/allOf\/\d+\/properties\/code$/;
const OPEN_KIND = /\/schemas\/(Problem|Other[A-Z]\w*)$/;
const CHILDREN = ['items', 'additionalProperties'];
const BRANCHES = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];

export const openKinds: Rule = () => {
  const seen = new Set<string>();

  function follow(schema: unknown, from: Location, context: Context): void {
    const { node, location = from } = context.resolve(schema, from.source.absoluteRef);
    const place = isReference(schema) ? location : from;
    if (!isNode(node) || seen.has(place.absolutePointer) || isRpcComponent(place.absolutePointer)) return;
    seen.add(place.absolutePointer);
    const report = (message: string): void => context.report({ message, location: place });
    if ('oneOf' in node || 'discriminator' in node)
      report('An answer has no oneOf and no discriminator, which a kind that is added falls out of: write anyOf.');
    const last = items(node['anyOf']).at(-1);
    if ('anyOf' in node && !(isReference(last) && OPEN_KIND.test(last.$ref)))
      report('The last kind of an anyOf takes what a later version adds: Problem, or a schema Other...');
    const name = place.absolutePointer.split('/').at(-1) ?? '';
    if (items(node['enum']).length > 1 && !CLOSED.has(name) && !CODES_OF_KIND.test(place.absolutePointer))
      report('A list of values in an answer may grow: write x-extensible-enum.');
    for (const [key, property] of members(node['properties']))
      follow(property, place.child(['properties', key]), context);
    for (const keyword of CHILDREN) follow(node[keyword], place.child(keyword), context);
    for (const keyword of BRANCHES)
      for (const [index, branch] of items(node[keyword]).entries())
        follow(branch, place.child([keyword, index]), context);
  }

  return {
    Response(response, context) {
      for (const [mediaType, media] of members(response['content']))
        if (isNode(media)) follow(media['schema'], context.location.child(['content', mediaType, 'schema']), context);
    },
    Header(header, context) {
      follow(header['schema'], context.location.child('schema'), context);
    },
  };
};
