/**
 * Deprecations of the contract: `deprecated: true` at an operation, a parameter or a member of a schema, with `x-deprecation` beside it.
 * Answers that use one carry `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and a `Link` to the changelog of the contract; the pages of the
 * reference, the changelog and the types are generated from the same mark or compared with it (decision 0141).
 */
import { resolve, type OpenapiDocument } from './bundle.ts';

/** `x-deprecation` in the form that the author of the contract writes. */
export interface Deprecation {
  /** The first day on which answers announce it: `2027-01-10`. */
  since: string;
  /** The part is not removed before this day. */
  sunset: string;
  /** A sentence that names the replacement. */
  instead: string;
}

/** A mark with the name of the part in the changelog: `getChain`, `limit`, `Chain.version`. */
export interface Deprecated extends Deprecation {
  name: string;
}

/** A mark that concerns an operation, with a test for the requests that use it. */
export interface OperationDeprecation extends Deprecated {
  use: { by: 'any' } | { by: 'query' | 'header' | 'member'; name: string };
}

/** The shortest time between the announcement and the removal, as the contract promises. */
export const NOTICE_DAYS_MIN = 180;
const DAY_MS = 86_400_000;

/** Headers of an answer to a request that uses a deprecated part; successes declare them. */
export const DEPRECATION_HEADERS = ['Deprecation', 'Sunset', 'Link'] as const;

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns every mark of the contract. @throws with all faulty marks. */
export function deprecationsOf(document: OpenapiDocument): Deprecated[] {
  const found: Deprecated[] = [];
  const faults: string[] = [];
  const visit = (value: unknown, name: string): void => {
    if (Array.isArray(value)) value.forEach((item) => visit(item, name));
    if (!isNode(value)) return;
    const own = nameOf(value) ?? name;
    const fault = faultOf(value);
    if (fault !== undefined) faults.push(`${own}: ${fault}`);
    else if (value['deprecated'] === true) found.push({ name: own, ...(value['x-deprecation'] as Deprecation) });
    for (const [key, child] of Object.entries(value)) {
      if (key === 'example' || key === 'examples') continue;
      if (key === 'properties' && isNode(child))
        for (const [member, schema] of Object.entries(child)) visit(schema, `${name.split('.')[0]}.${member}`);
      else visit(child, own);
    }
  };
  for (const [kind, named] of Object.entries(document.components))
    for (const [name, component] of Object.entries(named)) if (kind !== 'examples') visit(component, name);
  visit(document.paths, 'paths');
  if (faults.length > 0)
    throw new Error(`What the contract deprecates must be written otherwise: ${faults.join('; ')}.`);
  return found;
}

/** True if the text of a contract has a mark. Searching the parsed document takes 14 ms, which each thread would spend at its start. */
export const mayDeprecate = (json: Buffer): boolean =>
  json.includes('"x-deprecation"') || json.includes('"deprecated": true');

/** Returns the name of an operation or a parameter. */
function nameOf(node: Node): string | undefined {
  const name = node['operationId'] ?? (typeof node['in'] === 'string' ? node['name'] : undefined);
  return typeof name === 'string' ? name : undefined;
}

function faultOf(node: Node): string | undefined {
  const isMarked = node['deprecated'] === true;
  const note = node['x-deprecation'] as Partial<Deprecation> | undefined;
  if (isMarked !== (note !== undefined)) return '`deprecated: true` and `x-deprecation` stand together';
  if (note === undefined) return undefined;
  const { since, sunset, instead = '' } = note;
  const [sinceMs, sunsetMs] = [dayMs(since), dayMs(sunset)];
  if (sinceMs === undefined || sunsetMs === undefined) return '`since` and `sunset` are days, such as 2027-01-10';
  if (sunsetMs - sinceMs < NOTICE_DAYS_MIN * DAY_MS)
    return `\`sunset\` comes at least ${NOTICE_DAYS_MIN} days after \`since\``;
  return /^[A-Z].*\.$/s.test(instead) ? undefined : '`instead` is a sentence that says what to use';
}

function dayMs(day: unknown): number | undefined {
  if (typeof day !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined;
  const ms = Date.parse(day);
  return Number.isNaN(ms) ? undefined : ms;
}

interface OperationObject {
  parameters?: unknown[];
  requestBody?: unknown;
  responses: Record<string, unknown>;
}

/**
 * Returns the marks that concern an operation; undefined for an operation without marks, as nearly all are. @throws when its successes do
 * not declare the headers.
 */
export function deprecationsOfOperation(
  document: OpenapiDocument,
  id: string,
  operation: OperationObject,
  parameters: readonly Node[],
): readonly OperationDeprecation[] | undefined {
  const own = (node: unknown, name: string, use: OperationDeprecation['use']): OperationDeprecation[] =>
    (node as Node)['deprecated'] === true ? [{ name, ...((node as Node)['x-deprecation'] as Deprecation), use }] : [];
  const successes = Object.entries(operation.responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, response]) => [status, resolve(document, response)] as const);
  const found = [
    ...own(operation, id, { by: 'any' }),
    ...parameters.flatMap((parameter) =>
      parameter['in'] === 'query' || parameter['in'] === 'header'
        ? own(parameter, String(parameter['name']), { by: parameter['in'], name: String(parameter['name']) })
        : [],
    ),
    ...members(document, operation.requestBody).flatMap(([name, schema]) => own(schema, name, { by: 'member', name })),
    ...successes.flatMap(([, response]) =>
      members(document, response['content']).flatMap(([name, schema]) => own(schema, name, { by: 'any' })),
    ),
  ];
  if (found.length === 0) return undefined;
  for (const [status, { headers = {} }] of successes) {
    const missing = DEPRECATION_HEADERS.filter((name) => !Object.hasOwn(headers as Node, name));
    if (missing.length > 0)
      throw new Error(
        `${id} has to do with something deprecated (${found.map(({ name }) => name).join(', ')}): its ${status} must declare ${missing.join(', ')}.`,
      );
  }
  return found;
}

/** Returns every member of every schema that a body refers to. */
function members(document: OpenapiDocument, body: unknown): [string, unknown][] {
  const seen = new Set<unknown>();
  const found: [string, unknown][] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isNode(value) || seen.has(value)) return;
    seen.add(value);
    if (typeof value['$ref'] === 'string') visit(resolve(document, { $ref: value['$ref'] }));
    for (const [key, child] of Object.entries(value)) {
      if (key === 'example' || key === 'examples') continue;
      if (key === 'properties' && isNode(child)) found.push(...Object.entries(child));
      visit(child);
    }
  };
  visit(body);
  return found;
}

/** The parts of a request that are examined. */
export interface Used {
  query: Readonly<Record<string, unknown>>;
  headers: Readonly<Record<string, unknown>>;
  body: unknown;
}

/** The headers of an answer to a request that uses a deprecated part. Of several marks the earliest days apply. */
export function deprecationHeaders(
  deprecations: readonly OperationDeprecation[],
  used: Used,
  changelog: string,
): Record<(typeof DEPRECATION_HEADERS)[number], string> | undefined {
  const applying = deprecations.filter(({ use }) => isUsed(use, used));
  const [since] = applying.map((one) => one.since).toSorted();
  const [sunset] = applying.map((one) => one.sunset).toSorted();
  if (since === undefined || sunset === undefined) return undefined;
  return {
    Deprecation: `@${Date.parse(since) / 1000}`,
    Sunset: new Date(sunset).toUTCString(),
    Link: `<${changelog}>; rel="deprecation sunset"; type="text/html"`,
  };
}

function isUsed(use: OperationDeprecation['use'], { query, headers, body }: Used): boolean {
  if (use.by === 'query') return query[use.name] !== undefined;
  if (use.by === 'header') return headers[use.name.toLowerCase()] !== undefined;
  return use.by === 'any' || hasMember(body, use.name);
}

/** True if a member of this name exists at any depth: within a body of the contract a name has only one meaning. */
function hasMember(value: unknown, name: string): boolean {
  if (Array.isArray(value)) return value.some((item) => hasMember(item, name));
  return isNode(value) && (Object.hasOwn(value, name) || Object.values(value).some((child) => hasMember(child, name)));
}

/** Returns the note for a page of the reference; empty if the part is not deprecated. */
export function deprecationNote(node: object | undefined): string {
  const { deprecated, 'x-deprecation': note } = (node ?? {}) as { deprecated?: boolean; 'x-deprecation'?: Deprecation };
  if (deprecated !== true || note === undefined) return '';
  return `**Deprecated** since ${note.since}, removed not before ${note.sunset}. ${note.instead}`;
}
