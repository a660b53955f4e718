/**
 * Logs one line for each request, when its answer has been sent or its client has disconnected; and one for each broadcast that shares its
 * request, or its websocket, with other calls. A line never holds a token, a signature or a body.
 */
import { hash } from 'node:crypto';

import type { Clock, Logger } from '../engine/ports.ts';
import type { RpcArguments, RpcMethod, RpcOutcome } from '../gateway/rpc/port.ts';
import type { Principal, Refusal } from '../gateway/types.ts';

import type { Exchange } from './exchange.ts';
import { isOwnRead, withoutTokens, type RequestLog } from './explorer/request-log.ts';
import type { HttpMetrics } from './metrics.ts';
import type { RefusalLog } from './refusal-log.ts';
import { endRequestSpan } from './request-span.ts';
import { traceparentOf } from './traceparent.ts';

/** Status logged for a request whose client disconnected before it was answered: nginx's 499. */
const CLIENT_GONE = 499;
const TX_HASH = /^[0-9A-Fa-f]{64}$/;

export interface Watching {
  logger: Logger;
  refusals: RefusalLog;
  metrics: HttpMetrics;
  clock: Clock;
  /** Keeps the last lines of a development server for the explorer. */
  requests?: RequestLog | undefined;
  /** See HttpOptions. */
  logsForPeople?: boolean;
}

export function watch(
  exchange: Exchange,
  { logger, refusals, metrics, clock, requests, logsForPeople = false }: Watching,
): void {
  const { request, response } = exchange;
  metrics.begin();
  let isCounted = false;
  const count = (status: number): number => {
    const durationMs = clock.monotonicMs() - exchange.startedMs;
    if (!isCounted) metrics.end(exchange.method, exchange.route, status, durationMs / 1000);
    isCounted = true;
    return durationMs;
  };
  // The duration of a stream is no measure of the service.
  exchange.onBegun = () => {
    count(response.statusCode);
    endRequestSpan(exchange, response.statusCode);
  };
  response.on('close', () => {
    const status = response.headersSent ? response.statusCode : CLIENT_GONE;
    const durationMs = count(status);
    if (exchange.code !== undefined) metrics.problem(exchange.code);
    endRequestSpan(exchange, status);
    const line = {
      requestId: exchange.requestId,
      client: exchange.client,
      method: request.method,
      route: exchange.route,
      operation: exchange.operation?.id,
      status,
      code: exchange.code,
      durationMs: Math.round(durationMs * 100) / 100,
      bytesOut: exchange.bytesOut,
      eventsSent: exchange.eventsSent,
      tokenId: exchange.principal?.tokenId,
      owner: exchange.principal?.owner,
      txHash: exchange.txHash ?? hashInPath(exchange),
      traceparent: traceparentOf(request.headers['traceparent']),
      traceId: exchange.span?.traceId,
      complete: response.writableFinished,
    };
    const isOwn = requests !== undefined && isOwnRead(request);
    if (requests !== undefined && !isOwn) {
      const { requestId, code, bytesOut: bytes, target: path } = exchange;
      requests.add({
        atMs: clock.nowMs(),
        method: request.method,
        path,
        status,
        code,
        bytes,
        durationMs: line.durationMs,
        requestId,
      });
    }
    if (logsForPeople) {
      // A page of the explorer reads every second; its successful reads are not logged.
      if (!isOwn || status >= 400) logger.info(forPeople(exchange, line), 'request');
    } else if (status >= 500) logger.warn(line, 'request');
    else if (status >= 400 && exchange.principal === undefined) refusals.info(line, 'request');
    else logger.info(line, 'request');
  });
}

/** Details of a request for people: its target, its payment, and the reason of a refusal. */
function forPeople(
  exchange: Exchange,
  {
    method,
    status,
    durationMs,
    code,
    requestId,
  }: { method: string | undefined; status: number; durationMs: number; code: string | undefined; requestId: string },
): object {
  const { detail } = exchange;
  const path = withoutTokens(exchange.target);
  const body: unknown = exchange.request.body;
  if (typeof body !== 'object' || body === null) return { method, path, status, durationMs, code, detail, requestId };
  const { from, to, amount, transactions } = body as Record<string, unknown>;
  const transfer = from === undefined && to === undefined ? undefined : { from, to, amount };
  const transfers = Array.isArray(transactions) ? transactions.length : undefined;
  return { method, path, status, durationMs, code, detail, requestId, transfer, transfers };
}

/** Used for a request that was refused before its transaction was looked up. The client wrote the path, so only a hash is taken from it. */
function hashInPath({ request }: Exchange): string | undefined {
  const id: unknown = request.params?.['txHash'];
  return typeof id === 'string' && TX_HASH.test(id) ? id.toUpperCase() : undefined;
}

/** The hash of the transaction that a call of the chain's RPC names or carries. */
export function hashOfCall(method: RpcMethod, { tx, hash: wanted }: RpcArguments): string | undefined {
  if (method === 'tx')
    return wanted instanceof Uint8Array && wanted.length === 32
      ? Buffer.from(wanted).toString('hex').toUpperCase()
      : undefined;
  return tx instanceof Uint8Array ? hash('sha256', tx, 'hex').toUpperCase() : undefined;
}

/** The request or websocket that several calls share. */
export interface CallOrigin {
  logger: Logger;
  refusals: RefusalLog;
  clock: Clock;
  requestId: string;
  client: string | undefined;
  /** `/rpc` or `/rpc/websocket`. */
  route: string;
  traceparent: string | undefined;
}

export interface LoggedBroadcast {
  method: RpcMethod;
  /** Absent if the token may not broadcast: then they are not read. */
  args?: RpcArguments;
  principal: Principal | undefined;
  /** By the origin's monotonic clock. */
  startedMs: number;
  /** `refused`: the token may not broadcast. */
  outcome: RpcOutcome | Refusal | 'refused';
}

/** The line of one broadcast: of an entry of a JSON-RPC request, or of a message of a websocket. */
export function logBroadcast(
  origin: CallOrigin,
  { method, args, principal, startedMs, outcome }: LoggedBroadcast,
): void {
  const { logger, refusals, clock, requestId, client, route, traceparent } = origin;
  const line = {
    requestId,
    client,
    route,
    method,
    ...(outcome === 'refused' ? { code: 'insufficient_scope' } : outcomeFields(outcome)),
    durationMs: Math.round((clock.monotonicMs() - startedMs) * 100) / 100,
    tokenId: principal?.tokenId,
    owner: principal?.owner,
    txHash: args && hashOfCall(method, args),
    traceparent,
  };
  if (outcome === 'refused' && principal === undefined) refusals.info(line, 'broadcast');
  else logger.info(line, 'broadcast');
}

/** `checkCode` is the answer of the mempool; 0: accepted. */
function outcomeFields(outcome: RpcOutcome | Refusal): { checkCode?: number; code?: string; rpcError?: number } {
  if ('code' in outcome) return { code: outcome.code };
  if (!outcome.ok) return { rpcError: outcome.error.code };
  const [, code] = /"code":(\d+)/.exec(outcome.json) ?? [];
  return code === undefined ? {} : { checkCode: Number(code) };
}
