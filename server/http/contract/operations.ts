/**
 * Reads the operations of the contract into a table for routing, authorisation and validation. The server repeats no fact about an
 * operation: scopes, parameters, media types and problem codes are all read from this table.
 */
import { RPC_METHODS } from '../../gateway/rpc/port.ts';
import type { RpcMethod } from '../../gateway/rpc/port.ts';
import { SCOPES } from '../../gateway/types.ts';
import { escapeStep } from '../../gateway/field-place.ts';
import type { Scope, Sentence } from '../../gateway/types.ts';

import type { QueryParameter } from '../query.ts';
import { codesByOperation } from './answered.ts';
import { resolve } from './bundle.ts';
import type { OpenapiDocument } from './bundle.ts';
import { deprecationsOf, deprecationsOfOperation, type OperationDeprecation } from './deprecations.ts';

export interface OperationSpec {
  id: string;
  /** Upper case. */
  method: string;
  /** As in the contract: `/transactions/{txHash}`. Labels logs and metrics too. */
  path: string;
  /** As Express writes it: `/transactions/:txHash`. */
  route: string;
  tag: string;
  /** The scope that the token must have; undefined when the operation is public. */
  scopes: readonly Scope[] | undefined;
  /** Security schemes that accept a token, by their names in the contract. */
  schemes: readonly string[];
  query: ReadonlyMap<string, QueryParameter>;
  /** Header parameters, by their names in the contract. */
  headers: readonly string[];
  /** What each parameter is, with an example, by its pointer in an error: `#/query/limit`, headers in lower case. */
  parameterHelp: ReadonlyMap<string, Sentence>;
  body: boolean;
  /** Optional members of a JSON body: for them null counts as absent. */
  optionalMembers: ReadonlySet<string>;
  /** The method of the chain's RPC that it calls; undefined for other operations and for JSON-RPC itself. */
  rpcMethod: RpcMethod | undefined;
  /** Media types of successful answers, for Accept. */
  produces: readonly string[];
  /** Statuses that it lists; a problem may have another. */
  statuses: ReadonlySet<number>;
  /** Every problem code that it can answer, in a listed answer or in `default`. */
  codes: ReadonlySet<string>;
  /** Codes in its listed answers. */
  listedCodes: ReadonlySet<string>;
  /** Its deprecated parts; undefined without any. */
  deprecations: readonly OperationDeprecation[] | undefined;
}

/** The methods that the contract uses. */
export const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;
const PROBLEM = 'application/problem+json';

interface OperationObject {
  operationId?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: unknown[];
  requestBody?: unknown;
  'x-rpc-method'?: string;
  'x-scopes'?: string[];
  responses: Record<string, unknown>;
}

/** @param mayDeprecate false if the contract has no deprecated part. */
export function readOperations(document: OpenapiDocument, mayDeprecate = true): OperationSpec[] {
  const deprecates = mayDeprecate && deprecationsOf(document).length > 0;
  const found: Omit<OperationSpec, 'codes'>[] = [];
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method] as OperationObject | undefined;
      if (operation !== undefined)
        found.push(readOperation(document, path, method, operation, (item.parameters ?? []) as unknown[], deprecates));
    }
  }
  const codes = codesByOperation(document);
  return found.map((operation) => ({ ...operation, codes: codes.get(operation.id) ?? new Set<string>() }));
}

/** The first sentence of the contract about a parameter, and its example. */
function helpOf({ in: kind, name, description, example }: Record<string, unknown>): [string, Sentence] {
  const written = kind === 'header' ? String(name).toLowerCase() : String(name);
  const [, about = ''] = /^(.*?)\.(?: |$)/.exec(String(description ?? '')) ?? [];
  // Of a list its first value: each is sent in a parameter of its own.
  const [value] = [example].flat();
  return [`#/${String(kind)}/${escapeStep(written)}`, `What it is: ${about}. For example: ${String(value)}.`];
}

function readOperation(
  document: OpenapiDocument,
  path: string,
  method: string,
  operation: OperationObject,
  shared: unknown[],
  deprecates: boolean,
): Omit<OperationSpec, 'codes'> {
  const id = operation.operationId;
  const security = withScopes(
    operation.security ?? (document.security as Record<string, string[]>[] | undefined),
    operation['x-scopes'],
  );
  if (id === undefined) throw new Error(`The contract's ${method.toUpperCase()} ${path} has no operationId.`);
  const parameters = [...shared, ...(operation.parameters ?? [])].map((parameter) => resolve(document, parameter));
  const query = new Map<string, QueryParameter>();
  for (const parameter of parameters.filter((candidate) => candidate.in === 'query')) {
    const { type } = resolve(document, parameter.schema);
    query.set(String(parameter.name), {
      name: String(parameter.name),
      type: type === 'integer' ? 'integer' : type === 'array' ? 'list' : 'string',
    });
  }
  const produces = new Set<string>();
  const codes = new Set<string>();
  for (const [status, reference] of Object.entries(operation.responses)) {
    const content = (resolve(document, reference).content ?? {}) as Record<string, { schema?: unknown }>;
    for (const [mediaType, { schema }] of Object.entries(content)) {
      if (mediaType !== PROBLEM) produces.add(mediaType);
      else if (Number(status) >= 400) collectCodes(document, schema, codes);
    }
  }
  return {
    id,
    method: method.toUpperCase(),
    path,
    route: path.replaceAll(/\{([^}]+)\}/g, ':$1'),
    tag: operation.tags?.[0] ?? '',
    scopes: readScopes(id, security),
    schemes: readSchemes(security),
    query,
    headers: parameters.filter((parameter) => parameter.in === 'header').map((parameter) => String(parameter.name)),
    parameterHelp: new Map(parameters.map(helpOf)),
    body: operation.requestBody !== undefined,
    optionalMembers: readOptionalMembers(document, operation.requestBody),
    rpcMethod: readRpcMethod(id, operation['x-rpc-method']),
    produces: [...produces],
    statuses: new Set(
      Object.keys(operation.responses)
        .map(Number)
        .filter((status) => !Number.isNaN(status)),
    ),
    listedCodes: codes,
    deprecations: deprecates ? deprecationsOfOperation(document, id, operation, parameters) : undefined,
  };
}

/**
 * Collects the codes that a problem schema admits: the `enum` under `code` in each branch. The open base, which has all codes, is skipped.
 */
export function collectCodes(document: OpenapiDocument, schema: unknown, into: Set<string>): void {
  const node = resolve(document, schema);
  for (const branch of (node.anyOf ?? []) as unknown[]) collectCodes(document, branch, into);
  for (const part of [node, ...((node.allOf ?? []) as (typeof node)[])]) {
    const code = (part.properties as Record<string, { enum?: string[]; $ref?: string }> | undefined)?.code;
    for (const value of code?.enum ?? []) into.add(value);
  }
}

function readOptionalMembers(document: OpenapiDocument, requestBody: unknown): Set<string> {
  if (requestBody === undefined) return new Set();
  const content = resolve(document, requestBody).content as Record<string, { schema?: unknown }> | undefined;
  const schema = content?.['application/json']?.schema;
  if (schema === undefined) return new Set();
  const { properties = {}, required = [] } = resolve(document, schema) as { properties?: object; required?: string[] };
  return new Set(Object.keys(properties).filter((name) => !required.includes(name)));
}

function readRpcMethod(id: string, name: string | undefined): RpcMethod | undefined {
  if (name === undefined) return undefined;
  if (!Object.hasOwn(RPC_METHODS, name)) throw new Error(`${id}: the chain's RPC has no method ${name}.`);
  return name as RpcMethod;
}

/** Reads the scopes, which are beside the requirement because many tools reject scopes in the requirement of a bearer token. */
function withScopes(
  security: Record<string, string[]>[] | undefined,
  scopes: string[] = [],
): Record<string, string[]>[] | undefined {
  return security?.map((requirement) =>
    Object.fromEntries(Object.entries(requirement).map(([scheme, own]) => [scheme, [...own, ...scopes]])),
  );
}

/** An absent or empty requirement means public (OpenAPI 3.1 section 4.8.30). Alternatives with different scopes are refused at boot. */
function readScopes(id: string, security: Record<string, string[]>[] | undefined): Scope[] | undefined {
  const alternatives = (security ?? []).map((requirement) => Object.values(requirement));
  if (alternatives.length === 0) return undefined;
  const [first = [], ...others] = alternatives;
  // No token, or a token: under /rpc the operator decides who needs one.
  if (
    first.length === 0 &&
    others.length > 0 &&
    others.every((scopes) => scopes.length === 1 && scopes[0]?.length === 0)
  )
    return undefined;
  const [needed = []] = first;
  if (alternatives.some((scopes) => scopes.length !== 1 || scopes[0]?.join() !== needed.join())) {
    throw new Error(
      `${id}: the server understands security schemes that need the same scopes, one at a time, or none at all.`,
    );
  }
  return needed.map((scope) => {
    const known = SCOPES.find((candidate) => candidate === scope);
    if (known === undefined)
      throw new Error(`${id}: the contract asks for the scope ${scope}, which no token can have.`);
    return known;
  });
}

function readSchemes(security: Record<string, string[]>[] | undefined): string[] {
  return (security ?? []).flatMap((requirement) => Object.keys(requirement));
}
