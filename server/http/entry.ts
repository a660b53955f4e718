/**
 * The first step of every request, whatever its target: gives it an id, begins its log line, and checks Host and Origin before any other
 * part of the request is used.
 */
import type { IncomingMessage } from 'node:http';

import type { Request, Response } from 'express';

import type { Clock, Logger, Tracer } from '../engine/ports.ts';

import { watch } from './access-log.ts';
import type { Answers } from './answer.ts';
import type { Sentence } from '../gateway/types.ts';

import { limitPlain } from './charge.ts';
import type { Connections } from './connections/connections.ts';
import { attachExchange, Exchange } from './exchange.ts';
import type { ServiceFacts } from './exchange.ts';
import type { RequestLog } from './explorer/request-log.ts';
import type { Hosts } from './host.ts';
import type { HttpMetrics } from './metrics.ts';
import type { ProblemInit } from './problem/problem.ts';
import type { RateLimits } from './rate-limit.ts';
import type { RefusalLog } from './refusal-log.ts';
import type { RequestIds } from './request-id.ts';
import { isUnreadableTarget } from './request-target.ts';
import { traceRequest } from './request-span.ts';

export interface EntryParts {
  service: ServiceFacts;
  answers: Answers;
  hosts: Hosts;
  connections: Connections;
  rateLimits: RateLimits | undefined;
  requestIds: RequestIds;
  metrics: HttpMetrics;
  logger: Logger;
  refusals: RefusalLog;
  clock: Clock;
  /** Returns the client's address, which may come from X-Forwarded-For of a trusted proxy. */
  clientOf(request: Request): string | undefined;
  /** Keeps the last requests of a development server. */
  requests: RequestLog | undefined;
  /** See HttpOptions. */
  logsForPeople: boolean;
  /** Absent if nothing is traced. */
  tracer: Tracer | undefined;
}

/** Behind a trusted proxy: the refusal of a client that opens too many connections. */
const TOO_MANY_IN_FLIGHT: ProblemInit = {
  code: 'server_busy',
  detail: 'Too many requests of this address are in flight. Wait for some of them to be answered.',
};

/** Headers that a request may carry only once. node:http silently keeps the first of several, and a proxy may keep the last. */
const SINGLE = new Set(['host', 'authorization', 'content-type']);

/** Headers that a page of an allowed origin may read. */
const EXPOSED =
  'Contract-Version, Deprecation, Link, Location, Idempotent-Replayed, Ledger-Height, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, Sunset, WWW-Authenticate, X-Request-Id';

/** Undefined if the request is already answered. Each route calls it first, so that a request passes only one layer of Express. */
export type Entry = (request: Request, response: Response) => Exchange | undefined;

export function createEntry(parts: EntryParts): Entry {
  const { service, requestIds, clock, hosts, connections, answers, rateLimits } = parts;
  return (request, response) => {
    const exchange = new Exchange(
      service,
      request,
      response,
      requestIds.of(request.headers['x-request-id']),
      clock.monotonicMs(),
    );
    attachExchange(response, exchange);
    // Read now, because the address is no longer available after a disconnect.
    exchange.client = parts.clientOf(request);
    if (parts.tracer !== undefined) traceRequest(exchange, parts.tracer);
    watch(exchange, parts);
    const refused = judge(exchange, hosts);
    if (refused === undefined && (exchange.isAlwaysSent || connections.tryBegin(response, exchange.client)))
      return exchange;
    void answers.refuse(exchange, limitPlain(exchange, rateLimits) ?? refused ?? TOO_MANY_IN_FLIGHT);
    return undefined;
  };
}

function judge(exchange: Exchange, hosts: Hosts): ProblemInit | undefined {
  const { request } = exchange;
  const refused = judgeOrigin(request, hosts);
  const { origin } = request.headers;
  if (refused === undefined && origin !== undefined && hosts.isCorsOrigin(origin)) {
    exchange.corsHeaders = [
      'Access-Control-Allow-Origin',
      origin,
      'Access-Control-Expose-Headers',
      EXPOSED,
      'Vary',
      'Origin',
    ];
  }
  return refused;
}

/** Checks that the request is meant for this service, and comes from a page that may call it. Undefined if it is accepted. */
export function judgeOrigin(request: IncomingMessage, hosts: Hosts): ProblemInit | undefined {
  const repeated = repeatedHeader(request.rawHeaders);
  if (repeated !== undefined) {
    const detail: Sentence = `The header ${repeated} is given more than once. Send it once.`;
    return { code: 'invalid_request', detail, errors: [{ pointer: `#/header/${repeated}`, message: detail }] };
  }
  if (isUnreadableTarget(request)) {
    const detail =
      'The request target cannot be read. It must be a path, or an absolute http URL, in visible ASCII without a fragment.';
    return { code: 'invalid_request', detail, errors: [{ pointer: '#/path/*', message: detail }] };
  }
  const { host, origin } = request.headers;
  const isAllowed = hosts.allowsHost(host);
  if (!isAllowed && isProbe(request)) {
    // No page is served under this name: only origins in CORS_ORIGINS may send requests.
    return origin === undefined || hosts.isCorsOrigin(origin) ? undefined : foreignOrigin(origin);
  }
  if (host === undefined) {
    const detail = 'The request names no host. Send a Host header.';
    return { code: 'invalid_request', detail, errors: [{ pointer: '#/header/host', message: detail }] };
  }
  if (!isAllowed) {
    return {
      code: 'host_not_allowed',
      detail: `This service does not answer to the host ${JSON.stringify(host.slice(0, 100))}. Use the base URL that the operator gave you.`,
    };
  }
  if (origin === undefined) return undefined;
  return hosts.allowsOrigin(origin, host) ? undefined : foreignOrigin(origin);
}

function foreignOrigin(origin: string): ProblemInit {
  return {
    code: 'origin_not_allowed',
    detail: `Pages of the origin ${JSON.stringify(origin.slice(0, 100))} may not call this service. Call from a server, or have the operator add the origin to CORS_ORIGINS.`,
  };
}

/**
 * Paths that supervisors, balancers and Prometheus request by address: with an unlisted Host, or in HTTP/1.0 without one. Their answers
 * hold no secret. An HTTP/1.1 request without Host is 400 everywhere (RFC 9112 section 3.2).
 */
const PROBES = /^\/(?:livez|readyz|metrics)(?:\?|$)/;
const isProbe = ({ url = '', headers, httpVersion }: IncomingMessage): boolean =>
  PROBES.test(url) && (headers.host !== undefined || httpVersion === '1.0');

function repeatedHeader(rawHeaders: readonly string[]): string | undefined {
  let seen: Set<string> | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const raw = rawHeaders[at] ?? '';
    // The three names have 4, 12 and 13 characters: the length alone excludes most headers.
    if (raw.length !== 4 && raw.length !== 13 && raw.length !== 12) continue;
    const name = raw.toLowerCase();
    if (!SINGLE.has(name)) continue;
    seen ??= new Set();
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}
