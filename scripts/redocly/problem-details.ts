/**
 * Every error answers a problem (RFC 9457) and nothing else. Each alternative of its body extends Problem, is
 * closed, and names its codes; a code has one status, the one of the catalogue. Redocly's own rule knows 4xx
 * only, and neither codes nor closing.
 */
import { isNode, isReference, items, members } from './types.ts';
import type { Context, Node, Rule } from './types.ts';

const MEDIA_TYPE = 'application/problem+json';

export const problemDetails: Rule = () => ({
  Response(response, context) {
    const status = String(context.key);
    const content = members(response['content']);
    const isProblem = content.some(([mediaType]) => mediaType === MEDIA_TYPE);
    if (!/^[45]/.test(status)) {
      // A component that no operation names is visited under its own name; there is no status to compare with.
      if (/^[123]/.test(status) && isProblem) {
        context.report({ message: `${status} is no error: it answers no problem.`, location: context.location });
      }
      return;
    }
    if (content.length !== 1 || !isProblem) {
      context.report({ message: `${status} answers ${MEDIA_TYPE} and nothing else.`, location: context.location });
      return;
    }
    const body = content[0]?.[1];
    const schema = isNode(body) ? body['schema'] : undefined;
    for (const alternative of isNode(schema) && schema['oneOf'] ? items(schema['oneOf']) : [schema]) {
      checkProblem(alternative, Number(status), context);
    }
  },
});

function checkProblem(alternative: unknown, status: number, { report, resolve, location }: Context): void {
  const leaf = resolve(alternative);
  if (!isNode(leaf.node) || !leaf.location) {
    return;
  }
  const file = leaf.location.source.absoluteRef;
  const bases = items(leaf.node['allOf']).filter((part) => isReference(part) && /(^|\/)Problem\.yaml$/.test(part.$ref));
  const base = resolve(bases[0], file);
  if (!isNode(base.node) || !base.location) {
    report({ message: 'The body of an error extends Problem by allOf.', location: leaf.location });
    return;
  }
  if (leaf.node['unevaluatedProperties'] !== false) {
    report({ message: 'The body of an error is closed: unevaluatedProperties: false.', location: leaf.location });
  }
  const codes = codesOf(leaf.node);
  if (codes.length === 0) {
    report({ message: 'The body of an error names its codes: a const or enum for "code".', location: leaf.location });
  }
  const catalogue = catalogueOf(base.node, base.location.source.absoluteRef, resolve);
  for (const code of codes) {
    const entry = catalogue[code];
    if (!isNode(entry) || entry['status'] !== status) {
      report({ message: `The catalogue (x-problems) does not have ${code} with status ${status}.`, location });
    }
  }
}

function codesOf(leaf: Node): string[] {
  const code = isNode(leaf['properties']) ? leaf['properties']['code'] : undefined;
  if (!isNode(code)) {
    return [];
  }
  return 'const' in code ? [String(code['const'])] : items(code['enum']).map(String);
}

function catalogueOf(problem: Node, file: string, resolve: Context['resolve']): Node {
  const property = isNode(problem['properties']) ? problem['properties']['code'] : undefined;
  const { node } = resolve(property, file);
  const catalogue = isNode(node) ? node['x-problems'] : undefined;
  return isNode(catalogue) ? catalogue : {};
}
