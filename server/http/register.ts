/**
 * Routes the operations: walks the contract and gives each operation the handler of its name. The server does not start if contract and
 * handlers differ, or if the contract does not declare an answer of the pipeline.
 */
import type { Express, NextFunction, Request, RequestHandler, Response } from 'express';

import { REQUEST_HEADERS } from '../../generated/request-headers.ts';
import type { Answers } from './answer.ts';
import { limitPlain } from './charge.ts';
import type { OperationSpec } from './contract/operations.ts';
import type { Entry } from './entry.ts';
import type { Exchange } from './exchange.ts';
import type { Hosts } from './host.ts';
import { classOfOperation } from './limits/classes.ts';
import { isBroadcast } from './rpc/access.ts';
import { isRpcPath } from './rpc/path.ts';
import { serveRpc } from './rpc/serve.ts';
import type { RpcParts } from './rpc/serve.ts';
import { serve } from './pipeline.ts';
import type { AnyHandler } from './pipeline.ts';
import type { RateLimits } from './rate-limit.ts';
import type { Handlers, PublicOperationId } from './typed/types.ts';

/** The type PublicOperationId of typed/types.ts as values: each name once, checked by the compiler. */
const PUBLIC: Record<PublicOperationId, true> = {
  getChain: true,
  getLiveness: true,
  getReadiness: true,
  getMetrics: true,
  getApiCatalog: true,
  getOpenapiJson: true,
  getOpenapiYaml: true,
  getOpenapiClientJson: true,
};

/** Headers that event-source libraries and tracers send from a browser, beside those that the contract declares. */
const SENT_BY_LIBRARIES = ['Cache-Control', 'baggage', 'traceparent', 'tracestate'];
const CORS_HEADERS = [...new Set([...REQUEST_HEADERS, ...SENT_BY_LIBRARIES])].join(', ');

/** Codes that the pipeline itself answers, by the parts of an operation. */
const ALWAYS = [
  'invalid_request',
  'origin_not_allowed',
  'not_acceptable',
  'request_timeout',
  'host_not_allowed',
  'headers_too_large',
  'internal',
  'server_busy',
];
/** Operations that never answer `server_busy` (entry.ts). A refused connection has no request yet. */
const NEVER_BUSY: ReadonlySet<string> = new Set<PublicOperationId>([
  'getReadiness',
  'getOpenapiJson',
  'getOpenapiYaml',
  'getOpenapiClientJson',
]);
const WITH_TOKEN = ['unauthenticated', 'insufficient_scope', 'rate_limited'];
const WITH_BODY = ['malformed_json', 'body_too_large', 'unsupported_media_type'];
/** Allowed methods of a path with a GET. */
const READ_METHODS: readonly string[] = ['GET', 'HEAD'];
/** Codes of the RPC operations. Their own 400 and 503 are in CometBFT's envelope, which has no codes of the catalogue. */
const RPC_ALWAYS = [...ALWAYS.filter((code) => code !== 'invalid_request'), 'unauthenticated', 'rate_limited'];
const RPC_WITH_BODY = WITH_BODY.filter((code) => code !== 'malformed_json');
const RPC_STATUSES = [200, 400, 503];

/** Throws with all differences at once. */
export function assertContract(operations: readonly OperationSpec[], handlers: object): void {
  const faults: string[] = [];
  const names = new Set(operations.map((operation) => operation.id));
  if (names.size !== operations.length) faults.push('an operationId stands twice in the contract');
  for (const name of Object.keys(handlers))
    if (!names.has(name)) faults.push(`the handler ${name} has no operation in the contract`);
  for (const operation of operations) {
    const { id, codes, listedCodes, scopes, body } = operation;
    for (const code of listedCodes)
      if (!codes.has(code))
        faults.push(`${id} lists ${code} among its answers, which its catalogue entry does not say`);
    if (isRpcPath(operation.path)) {
      faults.push(...rpcFaults(operation));
      continue;
    }
    if (operation.schemes.includes('basicAuth'))
      faults.push(`${id} takes tokens by Basic authentication in the contract, which only operations under /rpc do`);
    // Otherwise any valid token would be accepted.
    if (scopes?.length === 0) faults.push(`${id} needs a token in the contract, and names no scope of it`);
    if (!Object.hasOwn(handlers, id)) faults.push(`the operation ${id} has no handler`);
    if (Object.hasOwn(PUBLIC, id) !== (scopes === undefined)) {
      faults.push(
        `${id} ${scopes === undefined ? 'needs no token' : 'needs a token'} in the contract, and the server's types say otherwise`,
      );
    }
    const needed = [...ALWAYS, ...(scopes === undefined ? [] : WITH_TOKEN), ...(body ? WITH_BODY : [])];
    for (const code of needed) {
      if (!codes.has(code) && !(code === 'server_busy' && NEVER_BUSY.has(id)))
        faults.push(`${id} can answer ${code}, which the contract does not declare`);
    }
  }
  if (faults.length > 0) throw new Error(`Contract and server differ: ${faults.join('; ')}.`);
}

function rpcFaults({ id, codes, scopes, schemes, body, statuses, rpcMethod }: OperationSpec): string[] {
  const faults: string[] = [];
  const broadcasts = rpcMethod !== undefined && isBroadcast(rpcMethod);
  if (broadcasts !== (scopes?.join() === 'rpc:broadcast'))
    faults.push(`${id} ${broadcasts ? 'broadcasts' : 'does not broadcast'}, and the contract says otherwise`);
  if (schemes.toSorted().join() !== 'basicAuth,bearerAuth')
    faults.push(`${id} takes tokens as Bearer and by Basic authentication, and the contract says otherwise`);
  const needed = [...RPC_ALWAYS, ...(broadcasts ? ['insufficient_scope'] : []), ...(body ? RPC_WITH_BODY : [])];
  for (const code of needed)
    if (!codes.has(code)) faults.push(`${id} can answer ${code}, which the contract does not declare`);
  for (const status of RPC_STATUSES)
    if (!statuses.has(status)) faults.push(`${id} can answer ${status}, which the contract does not declare`);
  return faults;
}

export function registerOperations(
  app: Express,
  operations: readonly OperationSpec[],
  handlers: Handlers,
  hosts: Hosts,
  enter: Entry,
  parts: RpcParts,
): void {
  assertContract(operations, handlers);
  const byRoute = new Map<string, OperationSpec[]>();
  for (const operation of operations)
    byRoute.set(operation.route, [...(byRoute.get(operation.route) ?? []), operation]);
  for (const [route, methods] of byRoute) {
    const table = new Map(
      methods.flatMap((operation) =>
        methodsOf(operation).map(
          (method) =>
            [
              method,
              { operation, handler: handlers[operation.id as keyof Handlers] as AnyHandler | undefined },
            ] as const,
        ),
      ),
    );
    const allow = [...table.keys()];
    const begin = (request: Request, response: Response, next: NextFunction): Promise<void> | undefined => {
      const exchange = enter(request, response);
      if (exchange === undefined) return undefined;
      exchange.route = methods[0]?.path ?? route;
      const found = table.get(request.method);
      if (found === undefined) return refuseMethod(exchange, { ...parts, hosts }, allow);
      exchange.operation = found.operation;
      exchange.method = request.method;
      exchange.class = classOfOperation(found.operation);
      exchange.next = next;
      return found.handler === undefined
        ? serveRpc(exchange, found.operation, parts)
        : serve(exchange, found.operation, found.handler, parts);
    };
    // All operations of a path have the same tag.
    const validator = methods
      .map((operation) => parts.validation.middleware(operation))
      .find(({ length }) => length > 0);
    // `app.all` would make a layer for each of HTTP's 35 methods.
    app.route(route).all(begin, ...((validator ?? []) as RequestHandler[]));
  }
}

/**
 * HEAD is answered like its GET (RFC 9110 section 9.3.2); node:http itself leaves the body out. A broadcast has no HEAD: that method
 * changes nothing (section 9.2.1) and is sent by monitors and link checkers, but CometBFT's broadcast by GET is a payment.
 */
const methodsOf = ({ method, rpcMethod }: OperationSpec): readonly string[] => {
  if (method !== 'GET') return [method];
  return rpcMethod !== undefined && isBroadcast(rpcMethod) ? ['GET'] : READ_METHODS;
};

interface RefusalParts {
  answers: Answers;
  hosts: Hosts;
  rateLimits: RateLimits | undefined;
}

export interface PlainParts extends RefusalParts {
  enter: Entry;
}

/**
 * Registers a page: anyone may read it, it is charged to the address, and it takes a turn of anonymous requests. `label` replaces its path
 * in logs and metrics.
 */
export function registerPlain(
  app: Express,
  path: string | RegExp,
  label: string,
  parts: PlainParts,
  show: (exchange: Exchange) => Promise<void> | void,
): void {
  const { answers, enter, rateLimits } = parts;
  app.route(path).all((request: Request, response: Response): Promise<void> | void => {
    const exchange = enter(request, response);
    if (exchange === undefined) return undefined;
    exchange.route = label;
    if (!READ_METHODS.includes(request.method)) return refuseMethod(exchange, parts, READ_METHODS);
    exchange.method = request.method;
    const limited = limitPlain(exchange, rateLimits);
    if (limited !== undefined) return answers.refuse(exchange, limited);
    const turn = answers.turn(exchange);
    return turn === undefined ? show(exchange) : turn.then(() => show(exchange));
  });
}

/** Answers 405 with Allow; to OPTIONS from a page of an allowed origin, the answer to the browser's CORS preflight (Fetch standard). */
function refuseMethod(
  exchange: Exchange,
  { answers, hosts, rateLimits }: RefusalParts,
  allow: readonly string[],
): Promise<void> | undefined {
  const limited = limitPlain(exchange, rateLimits);
  if (limited !== undefined) return answers.refuse(exchange, limited);
  const { method, headers } = exchange.request;
  const asked = headers['access-control-request-method'];
  if (
    method === 'OPTIONS' &&
    asked !== undefined &&
    headers.origin !== undefined &&
    hosts.isCorsOrigin(headers.origin)
  ) {
    exchange.send(204, undefined, '', {
      'Access-Control-Allow-Methods': allow.join(', '),
      'Access-Control-Allow-Headers': CORS_HEADERS,
      'Access-Control-Max-Age': '600',
    });
    return undefined;
  }
  const list = allow.join(', ');
  return answers.refuse(exchange, {
    code: 'method_not_allowed',
    detail: `This path has no ${method}; it has ${list}.`,
    headers: { Allow: list },
  });
}
