/**
 * The first step of every request, whatever it asks for: names it, begins its log line, and settles Host and Origin
 * before anything of the request is acted upon.
 */
import type { IncomingMessage } from 'node:http';

import type { NextFunction, Request, RequestHandler, Response } from 'express';

import type { Clock, Logger } from '../engine/ports.ts';

import { watch } from './access-log.ts';
import type { Answers } from './answer.ts';
import type { Sentence } from '../gateway/types.ts';

import { limitPlain } from './charge.ts';
import type { Connections } from './connections/connections.ts';
import { Exchange } from './exchange.ts';
import type { Hosts } from './host.ts';
import type { HttpMetrics } from './metrics.ts';
import type { ProblemInit } from './problem/problem.ts';
import type { RateLimits } from './rate-limit.ts';
import type { RequestIds } from './request-id.ts';
import { isUnreadableTarget } from './request-target.ts';

export interface EntryParts {
  /** The contract that answers follow, as its `info.version`. */
  contractVersion: string;
  answers: Answers;
  hosts: Hosts;
  connections: Connections;
  rateLimits: RateLimits | undefined;
  requestIds: RequestIds;
  metrics: HttpMetrics;
  logger: Logger;
  clock: Clock;
}

/** Headers of which a request may carry one only. node:http silently keeps the first of several, a proxy perhaps the last. */
const SINGLE = new Set(['host', 'authorization', 'content-type']);

/** Answered however many bytes wait to be sent: an operator needs the first three most then, and each rendition of the contract is one buffer for everyone. */
const ALWAYS_ANSWERED = new Set(['/livez', '/readyz', '/metrics', '/openapi.json', '/openapi.yaml', '/openapi.client.json']);

/** What a page of an allowed origin may read beside the body. */
const EXPOSED = 'Contract-Version, Deprecation, Location, Idempotent-Replayed, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, Sunset, WWW-Authenticate, X-Request-Id';

export function createEntry(parts: EntryParts): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    const exchange = new Exchange(request, response, parts.requestIds.of(request.headers['x-request-id']), parts.clock.monotonicMs());
    (response.locals as { exchange: Exchange }).exchange = exchange;
    exchange.headers['Contract-Version'] = parts.contractVersion;
    watch(exchange, parts.logger, parts.metrics, parts.clock);
    const refused = judge(exchange, parts.hosts);
    exchange.isAlwaysSent = ALWAYS_ANSWERED.has(request.path);
    if (refused === undefined && parts.connections.full && !exchange.isAlwaysSent) parts.answers.busy(exchange);
    else if (refused === undefined) next();
    else parts.answers.problem(exchange, limitPlain(exchange, parts.rateLimits) ?? refused);
  };
}

function judge(exchange: Exchange, hosts: Hosts): ProblemInit | undefined {
  const { request } = exchange;
  const refused = judgeOrigin(request, hosts);
  const { origin } = request.headers;
  if (refused === undefined && origin !== undefined && hosts.isCorsOrigin(origin)) {
    Object.assign(exchange.headers, { 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED, Vary: 'Origin' });
  }
  return refused;
}

/** Whether the request is meant for this service, and by a page that may call it. */
export function judgeOrigin(request: IncomingMessage, hosts: Hosts): ProblemInit | undefined {
  const repeated = repeatedHeader(request.rawHeaders);
  if (repeated !== undefined) {
    const detail: Sentence = `The header ${repeated} is given more than once. Send it once.`;
    return { code: 'invalid_request', detail, errors: [{ pointer: `#/header/${repeated}`, message: detail }] };
  }
  if (isUnreadableTarget(request)) {
    const detail = 'The request target cannot be read. It must be a path, or an absolute http URL, in visible ASCII without a fragment.';
    return { code: 'invalid_request', detail, errors: [{ pointer: '#/path/*', message: detail }] };
  }
  const { host, origin } = request.headers;
  if (host === undefined) {
    const detail = 'The request names no host. Send a Host header.';
    return { code: 'invalid_request', detail, errors: [{ pointer: '#/header/host', message: detail }] };
  }
  if (!hosts.allowsHost(host)) {
    return { code: 'host_not_allowed', detail: `This service does not answer to the host ${JSON.stringify(host.slice(0, 100))}. Use the base URL that the operator gave you.` };
  }
  if (origin === undefined) return undefined;
  if (!hosts.allowsOrigin(origin, host)) {
    return { code: 'origin_not_allowed', detail: `Pages of the origin ${JSON.stringify(origin.slice(0, 100))} may not call this service. Call from a server, or have the operator add the origin to CORS_ORIGINS.` };
  }
  return undefined;
}

function repeatedHeader(rawHeaders: readonly string[]): string | undefined {
  let seen: Set<string> | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const raw = rawHeaders[at] ?? '';
    // Four to thirteen characters: most headers are told apart by their length.
    if (raw.length !== 4 && raw.length !== 13 && raw.length !== 12) continue;
    const name = raw.toLowerCase();
    if (!SINGLE.has(name)) continue;
    seen ??= new Set();
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}
