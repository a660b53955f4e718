/**
 * The operations of the contract, as the table that routing, authorisation and validation are driven by. Nothing about
 * an operation is written down a second time in the server: scopes, parameters, media types and the problem codes it
 * may answer with are all read from here.
 */
import { RPC_METHODS } from '../../gateway/rpc/port.ts';
import type { RpcMethod } from '../../gateway/rpc/port.ts';
import { SCOPES } from '../../gateway/types.ts';
import type { Scope } from '../../gateway/types.ts';

import type { QueryParameter } from '../query.ts';
import { resolve } from './bundle.ts';
import type { OpenapiDocument } from './bundle.ts';

export interface OperationSpec {
  id: string;
  /** Upper case. */
  method: string;
  /** As in the contract: `/transactions/{transactionId}`. Labels logs and metrics too. */
  path: string;
  /** As Express writes it: `/transactions/:transactionId`. */
  route: string;
  tag: string;
  /** What the token must have; undefined when the operation is public. */
  scopes: readonly Scope[] | undefined;
  query: ReadonlyMap<string, QueryParameter>;
  /** Header parameters by their names in the contract. */
  headers: readonly string[];
  body: boolean;
  /** The method of the chain's RPC that it carries, undefined for the rest and for JSON-RPC itself. */
  rpcMethod: RpcMethod | undefined;
  /** Media types of successful answers, for Accept. */
  produces: readonly string[];
  statuses: ReadonlySet<number>;
  /** Problem codes that the contract declares for it. */
  codes: ReadonlySet<string>;
}

/** The methods that a path of the contract may have. */
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

export function readOperations(document: OpenapiDocument): OperationSpec[] {
  const found: OperationSpec[] = [];
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method] as OperationObject | undefined;
      if (operation !== undefined) found.push(readOperation(document, path, method, operation, (item.parameters ?? []) as unknown[]));
    }
  }
  return found;
}

function readOperation(document: OpenapiDocument, path: string, method: string, operation: OperationObject, shared: unknown[]): OperationSpec {
  const id = operation.operationId;
  if (id === undefined) throw new Error(`The contract's ${method.toUpperCase()} ${path} has no operationId.`);
  const parameters = [...shared, ...(operation.parameters ?? [])].map((parameter) => resolve(document, parameter));
  const query = new Map<string, QueryParameter>();
  for (const parameter of parameters.filter((candidate) => candidate.in === 'query')) {
    const type = resolve(document, parameter.schema).type === 'integer' ? 'integer' : 'string';
    query.set(String(parameter.name), { name: String(parameter.name), type });
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
    scopes: readScopes(id, withScopes(operation.security ?? (document.security as Record<string, string[]>[] | undefined), operation['x-scopes'])),
    query,
    headers: parameters.filter((parameter) => parameter.in === 'header').map((parameter) => String(parameter.name)),
    body: operation.requestBody !== undefined,
    rpcMethod: readRpcMethod(id, operation['x-rpc-method']),
    produces: [...produces],
    statuses: new Set(Object.keys(operation.responses).map(Number)),
    codes,
  };
}

/** The codes that a problem schema admits: the `enum` under `code` in any branch that is not the open base, which has all of them. */
function collectCodes(document: OpenapiDocument, schema: unknown, into: Set<string>): void {
  const node = resolve(document, schema);
  for (const branch of (node.oneOf ?? []) as unknown[]) collectCodes(document, branch, into);
  for (const part of [node, ...((node.allOf ?? []) as (typeof node)[])]) {
    const code = (part.properties as Record<string, { enum?: string[]; $ref?: string }> | undefined)?.code;
    for (const value of code?.enum ?? []) into.add(value);
  }
}

function readRpcMethod(id: string, name: string | undefined): RpcMethod | undefined {
  if (name === undefined) return undefined;
  if (!Object.hasOwn(RPC_METHODS, name)) throw new Error(`${id}: the chain's RPC has no method ${name}.`);
  return name as RpcMethod;
}

/** Scopes stand beside the requirement, because many tools take scopes in the requirement of a bearer token for a mistake. */
function withScopes(security: Record<string, string[]>[] | undefined, scopes: string[] = []): Record<string, string[]>[] | undefined {
  return security?.map((requirement) => Object.fromEntries(Object.entries(requirement).map(([scheme, own]) => [scheme, [...own, ...scopes]])));
}

/** An absent requirement or an empty one means public (OpenAPI 3.1 section 4.8.30); anything but one scheme is refused at boot. */
function readScopes(id: string, security: Record<string, string[]>[] | undefined): Scope[] | undefined {
  if (security === undefined || security.length === 0) return undefined;
  // Nothing, or a token: who needs which is the operator's decision, as everywhere under /rpc.
  if (security.length === 2 && Object.keys(security[0] ?? {}).length === 0 && security[1]?.bearerAuth?.length === 0) return undefined;
  const [requirement] = security;
  const [scheme, ...others] = Object.entries(requirement ?? {});
  if (security.length > 1 || scheme === undefined || others.length > 0) {
    throw new Error(`${id}: the server understands one security scheme per operation, or none at all.`);
  }
  return scheme[1].map((scope) => {
    const known = SCOPES.find((candidate) => candidate === scope);
    if (known === undefined) throw new Error(`${id}: the contract asks for the scope ${scope}, which no token can have.`);
    return known;
  });
}
