/**
 * The body of every error is a problem (RFC 9457) and nothing else. It is an `anyOf`: each kind extends Problem and lists its
 * codes, and the last is Problem itself, for a code that is not listed or that a later version adds. A code has one status, the one
 * of the catalogue. `default` is Problem alone. Redocly's own rule checks only 4xx, and no codes.
 *
 * One exemption: under /rpc the 400, 404 and 503 of a method are CometBFT's envelope and nothing else, because clients match its
 * texts. The exemption depends on the path, and Redocly visits a response that operations share only once; so responses
 * are checked from each path, not at their definition.
 */
import { ENVELOPE_STATUSES, isFailureSchema, isRpcPath } from './rpc.ts';
import { isNode, isReference, items, members } from './types.ts';
import type { Context, Node, Rule } from './types.ts';

const PROBLEM = 'application/problem+json';

export const problemDetails: Rule = () => ({
  PathItem(item, context) {
    // The receiver of a webhook decides what it answers.
    if (!String(context.key).startsWith('/')) return;
    for (const [verb, operation] of members(item)) {
      if (isNode(operation)) {
        const declared = context.location.child([verb, 'responses']);
        checkResponses(operation['responses'], isRpcPath(context.key), { ...context, location: declared });
      }
    }
  },
});

function checkResponses(responses: unknown, isRpc: boolean, context: Context): void {
  for (const [status, reference] of members(responses)) {
    const { node, location } = context.resolve(reference);
    const place = { ...context, location: location ?? context.location.child(status) };
    if (!isNode(node)) {
      continue;
    }
    if (isRpc && ENVELOPE_STATUSES.has(status)) {
      checkEnvelope(node, status, place);
    } else if (/^[45]/.test(status) || status === 'default') {
      checkProblems(node, status === 'default' ? undefined : Number(status), place);
    } else if (members(node['content']).some(([mediaType]) => mediaType === PROBLEM)) {
      context.report({ message: `${status} is no error: it answers no problem.`, location: place.location });
    }
  }
}

function checkEnvelope(response: Node, status: string, context: Context): void {
  const { report, resolve, location } = context;
  const bodies = alternativesOf(response, 'application/json').map((schema) =>
    resolve(schema, location.source.absoluteRef),
  );
  const areFailures =
    bodies.length > 0 && bodies.every((body) => body.location && isFailureSchema(body.location.absolutePointer));
  const others = members(response['content']).filter(([mediaType]) => mediaType !== 'application/json');
  // A connection that is not accepted is refused before its request is read, under /rpc too.
  const mayRefuse = status === '503' && others.every(([mediaType]) => mediaType === PROBLEM);
  if ((others.length > 0 && !mayRefuse) || !areFailures) {
    report({ message: `${status} under /rpc answers CometBFT's envelope of a failure and nothing else.`, location });
  }
  if (others.length > 0 && mayRefuse) checkKinds(alternativesOf(response, PROBLEM), Number(status), context);
}

function checkProblems(response: Node, status: number | undefined, context: Context): void {
  const bodies = alternativesOf(response, PROBLEM);
  if (members(response['content']).length !== 1 || bodies.length === 0) {
    context.report({
      message: `${status ?? 'An error'} answers ${PROBLEM} and nothing else.`,
      location: context.location,
    });
  }
  checkKinds(bodies, status, context);
}

/** @param status undefined for `default`, which lists no code. */
function checkKinds(kinds: readonly unknown[], status: number | undefined, context: Context): void {
  const last = kinds.at(-1);
  if (kinds.length > 0 && !(isReference(last) && last.$ref.endsWith('/schemas/Problem'))) {
    context.report({
      message: 'The last kind of an error is Problem, for a code that a later version adds.',
      location: context.location,
    });
  }
  const named = kinds.slice(0, -1);
  if (status === undefined ? named.length > 0 : kinds.length === 1) {
    context.report({ message: 'A listed error names its codes, and default names none.', location: context.location });
  }
  for (const kind of named) {
    checkProblem(kind, status, context);
  }
}

/** The schemas that a body of this media type may follow; none if the response has no such body. */
function alternativesOf(response: Node, mediaType: string): unknown[] {
  const body = members(response['content']).find(([name]) => name === mediaType)?.[1];
  const schema = isNode(body) ? body['schema'] : undefined;
  for (const keyword of ['anyOf', 'oneOf']) if (isNode(schema) && schema[keyword]) return items(schema[keyword]);
  return [schema].filter((only) => only !== undefined);
}

function checkProblem(alternative: unknown, status: number | undefined, { report, resolve, location }: Context): void {
  const leaf = resolve(alternative, location.source.absoluteRef);
  if (!isNode(leaf.node) || !leaf.location) {
    return;
  }
  const file = leaf.location.source.absoluteRef;
  const bases = items(leaf.node['allOf']).filter((part) => isReference(part) && part.$ref.endsWith('/schemas/Problem'));
  const base = resolve(bases[0], file);
  if (!isNode(base.node) || !base.location) {
    report({ message: 'The body of an error extends Problem by allOf.', location: leaf.location });
    return;
  }
  const codes = codesOf(leaf.node);
  if (codes.length === 0) {
    report({ message: 'The body of an error names its codes: an enum for "code".', location: leaf.location });
  }
  const catalogue = catalogueOf(base.node, base.location.source.absoluteRef, resolve);
  for (const code of codes) {
    const entry = catalogue[code];
    if (!isNode(entry) || (status !== undefined && entry['status'] !== status)) {
      report({
        message: `The catalogue (x-problems) does not have ${code}${status ? ` with status ${status}` : ''}.`,
        location,
      });
    }
  }
}

/** The codes are in the member of `allOf` that is not the base (no-siblings-of-all-of). */
function codesOf(leaf: Node): string[] {
  const own = items(leaf['allOf']).find((part) => isNode(part) && !isReference(part));
  const code = isNode(own) && isNode(own['properties']) ? own['properties']['code'] : undefined;
  return isNode(code) ? items(code['enum']).map(String) : [];
}

function catalogueOf(problem: Node, file: string, resolve: Context['resolve']): Node {
  const property = isNode(problem['properties']) ? problem['properties']['code'] : undefined;
  const { node } = resolve(property, file);
  const catalogue = isNode(node) ? node['x-problems'] : undefined;
  return isNode(catalogue) ? catalogue : {};
}
