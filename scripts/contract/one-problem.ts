/**
 * The contract with one schema for every error, for the rendition that generators of clients read (client-rendition.ts).
 *
 * The bundle has a schema for each code, with the members that an error with that code always has. In the rendition every error is a
 * `Problem`: `code` is text, and the members that only some codes have are optional. A response has its codes in `x-problem-codes`, and so
 * does a member that only some codes have. A response without codes (`Problem` alone, or as the last branch of a union) may have any code.
 */

type Node = Record<string, unknown>;

export const PROBLEM_TYPE = 'application/problem+json';
const PROBLEM_REFERENCE = '#/components/schemas/Problem';

/** @param document an OpenAPI document in one piece; it is not changed. */
export function withOneProblem(document: object): object {
  const copy = structuredClone(document) as Node;
  const { schemas = {}, responses = {} } = copy['components'] as Record<string, Node>;
  const problem = schemas['Problem'] as { properties: Node };
  const kinds = new Map<string, Kind>();
  for (const [name, schema] of Object.entries(schemas) as [string, Node][])
    if (extendsProblem(schema)) kinds.set(name, kindOf(schema));
  for (const { codes, members } of kinds.values())
    if (codes.length > 0)
      for (const [name, member] of Object.entries(members)) addMember(problem.properties, name, member, codes);
  // A kind without a code is a problem inside an answer; it has the members of the codes and perhaps others, so it comes last.
  for (const { codes, members } of kinds.values())
    if (codes.length === 0) problem.properties = { ...members, ...problem.properties };

  const operations = Object.values(copy['paths'] as Node).flatMap((item) => Object.values(item as Node) as Node[]);
  const places = [
    ...Object.values(responses),
    ...operations.flatMap((operation) => Object.values((operation['responses'] ?? {}) as Node)),
  ];
  for (const place of places as Node[]) {
    const body = (place['content'] as Record<string, Node> | undefined)?.[PROBLEM_TYPE];
    if (body === undefined) continue;
    const schema = body['schema'] as Node;
    const branches = (schema['oneOf'] ?? schema['anyOf'] ?? [schema]) as Node[];
    const codes = branches.flatMap(({ $ref }) => kinds.get(String($ref).split('/').at(-1) ?? '')?.codes ?? []);
    body['schema'] = { $ref: PROBLEM_REFERENCE };
    if (codes.length > 0) place['x-problem-codes'] = [...new Set(codes)];
  }
  for (const name of kinds.keys()) delete schemas[name];
  redirect(copy, new Set([...kinds.keys()].map((name) => `#/components/schemas/${name}`)));
  return copy;
}

const extendsProblem = (schema: Node): boolean =>
  ((schema['allOf'] as Node[] | undefined) ?? []).some(({ $ref }) => $ref === PROBLEM_REFERENCE);

/** Makes references to the removed schemas refer to the one that has their members. */
function redirect(value: unknown, gone: ReadonlySet<unknown>): void {
  if (typeof value !== 'object' || value === null) return;
  const node = value as Node;
  if (gone.has(node['$ref'])) node['$ref'] = PROBLEM_REFERENCE;
  for (const child of Object.values(node)) redirect(child, gone);
}

interface Kind {
  codes: string[];
  /** The members of this kind in addition to those of every problem. */
  members: Node;
}

/** Members beside the base, wherever they are written: in the schema itself or in a part of its `allOf`. */
function kindOf(schema: Node): Kind {
  const parts = [schema, ...((schema['allOf'] as Node[] | undefined) ?? [])];
  const { code, ...members } = Object.assign({}, ...parts.map((part) => part['properties'] ?? {})) as Record<
    string,
    Node
  >;
  const codes = ((code?.['const'] === undefined ? code?.['enum'] : [code['const']]) ?? []) as string[];
  return { codes, members };
}

/** The first kind that has a member describes it; every other has to mean the same. */
function addMember(properties: Node, name: string, member: unknown, codes: readonly string[]): void {
  const known = properties[name] as Node | undefined;
  if (known === undefined) properties[name] = { ...(member as Node), 'x-problem-codes': [...codes] };
  else if (Array.isArray(known['x-problem-codes'])) {
    const { 'x-problem-codes': others, ...described } = known;
    if (JSON.stringify(described) !== JSON.stringify(member))
      throw new Error(`The problems ${codes.join(', ')} and ${others.join(', ')} have different members ${name}.`);
    known['x-problem-codes'] = [...new Set([...others, ...codes])];
  }
}
