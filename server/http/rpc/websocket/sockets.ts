/**
 * The websocket at /rpc/websocket: who may open one, and what holds for all of them together.
 *
 * A websocket is a request like any other until it is upgraded, so Host, Origin and token are judged before it is: a
 * browser lets any page open one to any address, with no preflight.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

import type { Express, Request } from 'express';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';

import type { Clock, Logger, Timer } from '../../../engine/ports.ts';
import type { Gateway, Principal } from '../../../gateway/types.ts';
import { rawProblem } from '../../client-error.ts';
import type { ProblemCatalogue } from '../../contract/catalogue.ts';
import { judgeOrigin } from '../../entry.ts';
import type { Hosts } from '../../host.ts';
import { WS_CONNECTIONS_MAX, WS_MESSAGE_BYTES_MAX, WS_PING_MS } from '../../limits.ts';
import type { HttpMetrics } from '../../metrics.ts';
import type { ProblemInit } from '../../problem/problem.ts';
import type { RateLimits } from '../../rate-limit.ts';
import { normaliseTarget } from '../../request-target.ts';
import type { RequestIds } from '../../request-id.ts';
import { traceparentOf } from '../../traceparent.ts';

import { admit } from '../access.ts';
import type { RpcAccess } from '../access.ts';
import { plainRpcUrl } from '../path.ts';

import { Connection } from './connection.ts';
import { EventFeed } from './event-feed.ts';

const WEBSOCKET_PATH = '/rpc/websocket';
/** The server goes away (RFC 6455 section 7.4.1). */
const CLOSE_GOING_AWAY = 1001;

export interface RpcSocketsParts {
  app: Express;
  gateway: Gateway;
  access: RpcAccess;
  hosts: Hosts;
  rateLimits: RateLimits | undefined;
  catalogue: ProblemCatalogue;
  requestIds: RequestIds;
  metrics: HttpMetrics;
  clock: Clock;
  logger: Logger;
}

export class RpcSockets {
  readonly #parts: RpcSocketsParts;
  readonly #feed: EventFeed;
  readonly #connections = new Map<WebSocket, Connection>();
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    // Compression keeps a window for each connection, and answers to others are not for guessing by their length.
    perMessageDeflate: false,
    maxPayload: WS_MESSAGE_BYTES_MAX,
  });
  #pings: Timer | undefined;
  #closed = false;

  constructor(parts: RpcSocketsParts) {
    this.#parts = parts;
    this.#feed = new EventFeed(parts);
    parts.metrics.watchWebsockets(() => ({ connections: this.#connections.size, subscriptions: this.#feed.size }));
  }

  /** Whether the request asks for the websocket; any other upgrade is not done, and the request served as it is. */
  static wants(request: IncomingMessage): boolean {
    const url = request.url ?? '';
    const path = (plainRpcUrl(url) ?? url).split('?')[0];
    return path === WEBSOCKET_PATH && request.headers.upgrade?.toLowerCase() === 'websocket';
  }

  attach(server: Server): void {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on('error', () => socket.destroy());
      normaliseTarget(request);
      void this.#open(request, socket, head);
    });
  }

  /** Closes every connection and opens no more. */
  close(): void {
    this.#closed = true;
    this.#pings?.cancel();
    this.#feed.close();
    for (const [socket, connection] of this.#connections) {
      connection.close();
      socket.close(CLOSE_GOING_AWAY);
    }
  }

  /** Cuts off what has not closed by itself. */
  terminate(): void {
    for (const socket of this.#connections.keys()) socket.terminate();
  }

  async #open(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { catalogue, requestIds, logger } = this.#parts;
    const requestId = requestIds.of(request.headers['x-request-id']);
    const judged = await this.#judge(request).catch((error: unknown) => {
      logger.error({ err: error, requestId }, 'a websocket could not be judged');
      return { ok: false as const, problem: { code: 'internal', detail: `The service failed to answer. Its log names the cause under requestId ${requestId}.` } satisfies ProblemInit };
    });
    if (!judged.ok) {
      logger.info({ requestId, client: this.#addressOf(request), code: judged.problem.code, route: WEBSOCKET_PATH }, 'websocket refused');
      socket.end(rawProblem(catalogue, requestId, judged.problem));
      return;
    }
    this.#server.handleUpgrade(request, socket, head, (websocket) => this.#serve(websocket, request, requestId, judged.principal));
  }

  async #judge(request: IncomingMessage): Promise<{ ok: true; principal: Principal | undefined } | { ok: false; problem: ProblemInit }> {
    const { hosts, gateway, access } = this.#parts;
    const foreign = judgeOrigin(request, hosts);
    if (foreign !== undefined) return { ok: false, problem: foreign };
    const admitted = await admit(gateway, request.headers.authorization, access === 'token');
    if (!admitted.ok) return admitted;
    if (this.#closed) return { ok: false, problem: { code: 'shutting_down', detail: 'The service is shutting down.' } };
    if (this.#connections.size >= WS_CONNECTIONS_MAX) {
      return { ok: false, problem: { code: 'rate_limited', detail: `${WS_CONNECTIONS_MAX} websockets are open; no more are taken until some are closed.` } };
    }
    return admitted;
  }

  #serve(socket: WebSocket, request: IncomingMessage, requestId: string, principal: Principal | undefined): void {
    const { gateway, access, logger, rateLimits, clock } = this.#parts;
    const address = this.#addressOf(request);
    const traceparent = traceparentOf(request.headers['traceparent']);
    const openedMs = clock.monotonicMs();
    const connection = new Connection({
      socket,
      feed: this.#feed,
      gateway,
      access,
      principal,
      origin: { logger, clock, requestId, client: address, route: WEBSOCKET_PATH, traceparent },
      spend: async () => {
        const verdict = await rateLimits?.take(principal?.tokenId, address);
        return verdict === undefined || verdict.ok ? undefined : `the quota is used up, try again in ${verdict.retryAfterS} s`;
      },
      onSlow: (backlogBytes) => logger.warn({ requestId, backlogBytes }, 'a websocket reads too slowly and is cut off'),
      onDefect: (error) => logger.error({ err: error, requestId }, 'a websocket request failed because of a defect'),
    });
    this.#connections.set(socket, connection);
    logger.info({ requestId, client: address, tokenId: principal?.tokenId, owner: principal?.owner, traceparent, open: this.#connections.size }, 'websocket opened');
    socket.on('close', (code) => {
      this.#connections.delete(socket);
      logger.info({ requestId, code, durationMs: Math.round(clock.monotonicMs() - openedMs) }, 'websocket closed');
    });
    this.#pings ??= clock.setTimer(() => this.#ping(), WS_PING_MS);
  }

  /** Who has not answered the ping before is gone, whatever TCP thinks. */
  #ping(): void {
    for (const [socket, connection] of this.#connections) {
      if (!connection.alive) socket.terminate();
      else {
        connection.alive = false;
        socket.ping();
      }
    }
    this.#pings = this.#closed || this.#connections.size === 0 ? undefined : this.#parts.clock.setTimer(() => this.#ping(), WS_PING_MS);
  }

  /** As Express sees it: with X-Forwarded-For of a trusted proxy. */
  #addressOf(request: IncomingMessage): string | undefined {
    return (Object.setPrototypeOf(request, this.#parts.app.request) as Request).ip;
  }
}
