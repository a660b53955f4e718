/**
 * The contract with one schema for every error, for the rendition that generators of clients read (client-rendition.ts).
 *
 * The bundle has a schema for each code, which says what an error with that code always carries; an answer with a code that
 * a later version added fits none of them, and clients in languages that read strictly (Java, Python with pydantic, Go)
 * would fail to read it at all. Here every error is a `Problem`: `code` is text, and the members that only some codes carry
 * are optional. The codes that an answer can have today stand beside it as `x-problem-codes`.
 */

type Node = Record<string, unknown>;

const PROBLEM = 'application/problem+json';
const PROBLEM_REFERENCE = '#/components/schemas/Problem';

/** @param document an OpenAPI document in one piece; it is not changed. */
export function withOneProblem(document: object): object {
  const copy = structuredClone(document) as Node;
  const { schemas = {}, responses = {} } = copy['components'] as Record<string, Node>;
  const problem = schemas['Problem'] as { properties: Node };
  const operations = Object.values(copy['paths'] as Node).flatMap((item) => Object.values(item as Node) as Node[]);
  const places = [
    ...Object.values(responses),
    ...operations.flatMap((operation) => Object.values((operation['responses'] ?? {}) as Node)),
  ];
  const merged = new Set<string>();
  for (const place of places as Node[]) {
    const content = place['content'] as Record<string, Node> | undefined;
    const body = content?.[PROBLEM];
    if (body === undefined) continue;
    const schema = body['schema'] as Node;
    const names = ((schema['oneOf'] as Node[] | undefined) ?? [schema]).map(
      ({ $ref }) => String($ref).split('/').at(-1) ?? '',
    );
    for (const name of names) merged.add(name);
    const kinds = names.map((name) => kindOf(schemas[name] as Node));
    for (const { codes, members } of kinds)
      for (const [name, member] of Object.entries(members)) addMember(problem.properties, name, member, codes);
    body['schema'] = { $ref: PROBLEM_REFERENCE };
    place['x-problem-codes'] = [...new Set(kinds.flatMap(({ codes }) => codes))];
  }
  // A problem within an answer extends the base too. It has no code of its own, and its members are those of the codes and perhaps others.
  for (const [name, schema] of Object.entries(schemas)) {
    if (merged.has(name) || !extendsProblem(schema as Node)) continue;
    problem.properties = { ...kindOf(schema as Node).members, ...problem.properties };
    merged.add(name);
  }
  for (const name of merged) delete schemas[name];
  redirect(copy, new Set([...merged].map((name) => `#/components/schemas/${name}`)));
  return copy;
}

const extendsProblem = (schema: Node): boolean =>
  ((schema['allOf'] as Node[] | undefined) ?? []).some(({ $ref }) => $ref === PROBLEM_REFERENCE);

/** What named one of the schemas that are gone names the one that has their members. */
function redirect(value: unknown, gone: ReadonlySet<unknown>): void {
  if (typeof value !== 'object' || value === null) return;
  const node = value as Node;
  if (gone.has(node['$ref'])) node['$ref'] = PROBLEM_REFERENCE;
  for (const child of Object.values(node)) redirect(child, gone);
}

interface Kind {
  codes: string[];
  /** What this kind has besides the members of every problem. */
  members: Node;
}

/** What stands beside the base, wherever it is written: in the schema itself or in a part of its `allOf`. */
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
