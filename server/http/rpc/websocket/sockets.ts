/**
 * The websockets at /rpc/websocket: checks who may open one, and applies the bounds for all of them.
 *
 * Until its upgrade a websocket is a request like any other, so Host, Origin and token are checked before: browsers let any page open a
 * websocket to any address, without a preflight.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

import type { Express, Request } from 'express';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';

import type { Clock, Logger, Timer } from '../../../engine/ports.ts';
import type { Gateway, Principal, Sentence } from '../../../gateway/types.ts';
import { SERVER_BUSY } from '../../answer.ts';
import { rawProblem } from '../../client-error.ts';
import { connectionOf, type Connections } from '../../connections/connections.ts';
import type { ProblemCatalogue } from '../../contract/catalogue.ts';
import { COST_FAILED_AUTHENTICATION, COST_UPGRADE } from '../../cost.ts';
import { judgeOrigin } from '../../entry.ts';
import type { Hosts } from '../../host.ts';
import {
  WS_BACKLOG_ALL_BYTES_MAX,
  WS_CLOSE_MS_MAX,
  WS_CONNECTIONS_MAX,
  WS_MESSAGE_BYTES_MAX,
  WS_PING_MS,
  WS_SWEEP_MS,
  WS_TOKENS_AT_ONCE_MAX,
} from '../../limits.ts';
import { ANONYMOUS, callerOf, PAGE } from '../../limits/classes.ts';
import { takePlace } from '../../limits/places.ts';
import type { Searches } from '../../limits/searches.ts';
import type { SharedUses } from '../../shared/uses.ts';
import type { HttpMetrics } from '../../metrics.ts';
import type { ProblemInit } from '../../problem/problem.ts';
import type { RateLimits } from '../../rate-limit.ts';
import type { RefusalLog } from '../../refusal-log.ts';
import { normaliseTarget } from '../../request-target.ts';
import type { RequestIds } from '../../request-id.ts';
import { turnsOf } from '../../../gateway/turns.ts';
import { traceparentOf } from '../../traceparent.ts';

import { admit } from '../access.ts';
import type { RpcAccess } from '../access.ts';
import { plainRpcUrl } from '../path.ts';

import { Backlog } from './backlog.ts';
import { Connection } from './connection.ts';
import type { CutOff } from './connection.ts';
import { EventFeed } from './event-feed.ts';
import { Session } from './session.ts';

const WEBSOCKET_PATH = '/rpc/websocket';
/** Close code of a server that ends (RFC 6455 section 7.4.1). */
const CLOSE_GOING_AWAY = 1001;

const CUT_OFF: Readonly<Record<CutOff, string>> = {
  slow: 'a websocket reads too slowly and is cut off',
  stalled: 'a websocket reads nothing and is cut off',
  backlog: 'the websockets have too many unsent bytes together: the one with the most is cut off',
  token: 'a websocket is closed because its token no longer holds',
  flood: 'a websocket is closed because it sends too many requests at once',
};

export interface RpcSocketsParts {
  app: Express;
  gateway: Gateway;
  access: RpcAccess;
  hosts: Hosts;
  /** The connections, whose budget of unsent bytes must have room for another peer. */
  connections: Pick<Connections, 'isFullFor'>;
  searches: Searches;
  rateLimits: RateLimits | undefined;
  /** Bound of websockets for one client address. */
  perAddressMax: number;
  catalogue: ProblemCatalogue;
  requestIds: RequestIds;
  metrics: HttpMetrics;
  clock: Clock;
  logger: Logger;
  refusals: RefusalLog;
  /** Counts of the places of all threads. */
  shared: SharedUses;
}

interface Upgraded {
  socket: WebSocket;
  stream: Duplex;
  request: IncomingMessage;
  requestId: string;
  address: string | undefined;
}

/** One open websocket, with its token. */
interface Open {
  connection: Connection;
  session: Session;
}

/** Options of ws 8.23; its types lack `closeTimeout`: the time in which a peer has to answer the close frame. */
const SERVER_OPTIONS = {
  noServer: true,
  clientTracking: false,
  // Compression keeps a window for each connection, and the length of compressed answers could reveal their content.
  perMessageDeflate: false,
  maxPayload: WS_MESSAGE_BYTES_MAX,
  closeTimeout: WS_CLOSE_MS_MAX,
};

export class RpcSockets {
  readonly #parts: RpcSocketsParts;
  readonly #feed: EventFeed;
  readonly #backlog: Backlog;
  readonly #open = new Map<WebSocket, Open>();
  /** Websockets whose peer has ended its side, with the time when that was noticed. */
  readonly #closing = new Map<WebSocket, number>();
  readonly #server = new WebSocketServer(SERVER_OPTIONS);
  #pings: Timer | undefined;
  #sweeps: Timer | undefined;
  #checksTokens = false;
  #closed = false;

  constructor(parts: RpcSocketsParts) {
    this.#parts = parts;
    const { gateway, clock, logger, metrics, shared } = parts;
    // Each thread has its part of the budget, because it can end only its own readers.
    this.#backlog = new Backlog(WS_BACKLOG_ALL_BYTES_MAX / shared.threads);
    this.#feed = new EventFeed({
      gateway,
      clock,
      logger,
      shared,
      onEnded: (count) => metrics.subscriptionsEnded(count),
    });
    metrics.watchWebsockets(() => ({
      connections: this.#open.size,
      subscriptions: this.#feed.size,
      unsentBytes: this.#backlog.bytes,
    }));
  }

  /** True if the request is an upgrade to the websocket; any other upgrade is ignored, and the request is served without it. */
  static wants(request: IncomingMessage): boolean {
    const url = request.url ?? '';
    const path = (plainRpcUrl(url) ?? url).split('?')[0];
    return path === WEBSOCKET_PATH && request.headers.upgrade?.toLowerCase() === 'websocket';
  }

  attach(server: Server): void {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on('error', () => socket.destroy());
      normaliseTarget(request);
      const carrier = connectionOf(request.socket);
      if (carrier !== undefined) carrier.isUpgraded = true;
      void this.#upgrade(request, socket, head);
    });
  }

  /** Closes every connection and opens no more. */
  close(): void {
    this.#closed = true;
    this.#pings?.cancel();
    this.#sweeps?.cancel();
    this.#feed.close();
    for (const [socket, { connection }] of this.#open) {
      connection.close();
      socket.resume();
      socket.close(CLOSE_GOING_AWAY);
    }
  }

  /** Cuts off the connections that have not closed. */
  terminate(): void {
    for (const socket of this.#open.keys()) socket.terminate();
  }

  async #upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    const { catalogue, requestIds, logger, refusals } = this.#parts;
    const requestId = requestIds.of(request.headers['x-request-id']);
    const target = request.url;
    const address = this.#addressOf(request);
    const refuse = (problem: ProblemInit): void => {
      const line = { requestId, client: address, code: problem.code, route: WEBSOCKET_PATH };
      // A failure of the service itself is always logged.
      const log = (catalogue.get(problem.code)?.status ?? 500) >= 500 ? logger : refusals;
      log.info(line, 'websocket refused');
      stream.end(rawProblem(catalogue, requestId, problem, target));
    };
    // Both opening a websocket and refusing it are work, so both take a turn.
    const caller = callerOf(undefined, address);
    await turnsOf(this.#parts.clock).enter(ANONYMOUS.kind, caller);
    if (stream.destroyed) return;
    const early =
      this.#charge(address) ??
      judgeOrigin(request, this.#parts.hosts) ??
      (this.#parts.connections.isFullFor(caller, ANONYMOUS) ? SERVER_BUSY : undefined);
    if (early !== undefined) return refuse(early);
    const bounds = { all: WS_CONNECTIONS_MAX, perAddress: this.#parts.perAddressMax };
    const place = takePlace(this.#parts.shared, 'websocket', bounds, address);
    if (!place.ok) return refuse(noPlace(place.full, this.#parts.perAddressMax));
    stream.once('close', place.release);
    const admitted = await this.#admit(request, address).catch((error: unknown) => {
      logger.error({ err: error, requestId }, 'the token of a websocket could not be checked');
      return {
        ok: false as const,
        problem: {
          code: 'internal',
          detail: `The service failed to answer. Its log names the cause under requestId ${requestId}.`,
        } satisfies ProblemInit,
      };
    });
    if (!admitted.ok) {
      place.release();
      return refuse(admitted.problem);
    }
    this.#server.handleUpgrade(request, stream, head, (socket) =>
      this.#serve({ socket, stream, request, requestId, address }, admitted.principal),
    );
  }

  /** Charges the address, before any look-up for it. */
  #charge(address: string | undefined): ProblemInit | undefined {
    const verdict = this.#parts.rateLimits?.takeAddress(address, COST_UPGRADE);
    if (verdict === undefined || verdict.ok) return undefined;
    const { retryAfterS } = verdict;
    return {
      code: 'rate_limited',
      detail: `The quota is used up (${verdict.headers.RateLimit}); a websocket can be opened again in ${retryAfterS} s.`,
      retryAfterS,
    };
  }

  async #admit(
    request: IncomingMessage,
    address: string | undefined,
  ): Promise<{ ok: true; principal: Principal | undefined } | { ok: false; problem: ProblemInit }> {
    const { gateway, access, rateLimits } = this.#parts;
    const admitted = await admit(gateway, request.headers.authorization, access === 'token');
    if (!admitted.ok) {
      if (admitted.problem.code === 'unauthenticated')
        rateLimits?.takeAddress(address, 0).charge(COST_FAILED_AUTHENTICATION);
      return admitted;
    }
    if (this.#closed)
      return {
        ok: false,
        problem: {
          code: 'shutting_down',
          detail: 'The service is shutting down. Send the request again in a moment, over a new connection.',
        },
      };
    return admitted;
  }

  #serve({ socket, stream, request, requestId, address }: Upgraded, principal: Principal | undefined): void {
    const { gateway, access, searches, logger, refusals, rateLimits, clock, metrics } = this.#parts;
    const openedMs = clock.monotonicMs();
    const traceparent = traceparentOf(request.headers['traceparent']);
    const session = new Session({
      gateway,
      clock,
      authorization: request.headers.authorization,
      required: access === 'token',
      principal,
    });
    const connection = new Connection({
      socket,
      stream,
      feed: this.#feed,
      backlog: this.#backlog,
      session,
      gateway,
      origin: { logger, refusals, clock, requestId, client: address, route: WEBSOCKET_PATH, traceparent },
      access,
      searches,
      rateLimits,
      address,
      clock,
      onCutOff: (reason, fields) => {
        metrics.websocketCutOff(reason);
        logger.warn({ requestId, reason, ...fields }, CUT_OFF[reason]);
      },
      onDefect: (error) => logger.error({ err: error, requestId }, 'a websocket request failed because of a defect'),
    });
    this.#open.set(socket, { connection, session });
    logger.info(
      {
        requestId,
        client: address,
        tokenId: principal?.tokenId,
        owner: principal?.owner,
        traceparent,
        open: this.#open.size,
      },
      'websocket opened',
    );
    socket.on('close', (code) => {
      this.#open.delete(socket);
      this.#closing.delete(socket);
      logger.info({ requestId, code, durationMs: Math.round(clock.monotonicMs() - openedMs) }, 'websocket closed');
    });
    this.#pings ??= clock.setTimer(() => this.#ping(), WS_PING_MS);
    this.#sweeps ??= clock.setTimer(() => this.#sweep(), WS_SWEEP_MS);
  }

  /** One timer for all websockets ends those that do not read, whose peer has disconnected, or whose token is no longer valid. */
  #sweep(): void {
    const { clock } = this.#parts;
    const nowMs = clock.monotonicMs();
    const withToken: Open[] = [];
    for (const [socket, open] of this.#open) {
      open.connection.checkProgress(nowMs);
      if (socket.readyState !== socket.OPEN) this.#endClosing(socket, nowMs);
      if (open.session.hasToken) withToken.push(open);
    }
    // A slow store must not delay the checks of this function.
    if (!this.#checksTokens) void this.#checkTokens(withToken);
    this.#sweeps = this.#closed || this.#open.size === 0 ? undefined : clock.setTimer(() => this.#sweep(), WS_SWEEP_MS);
  }

  async #checkTokens(withToken: readonly Open[]): Promise<void> {
    const { clock, logger } = this.#parts;
    this.#checksTokens = true;
    const turns = turnsOf(clock);
    try {
      for (let at = 0; at < withToken.length; at += WS_TOKENS_AT_ONCE_MAX) {
        await Promise.all(withToken.slice(at, at + WS_TOKENS_AT_ONCE_MAX).map((open) => checkAgain(open)));
        await turns.yield(PAGE.kind);
      }
    } catch (error) {
      logger.error({ err: error }, 'the tokens of open websockets could not be checked; trying again');
    }
    this.#checksTokens = false;
  }

  /** The library does not wait for a peer that ends its side without a close frame and does not read the rest. */
  #endClosing(socket: WebSocket, nowMs: number): void {
    const sinceMs = this.#closing.get(socket);
    if (sinceMs === undefined) this.#closing.set(socket, nowMs);
    else if (nowMs - sinceMs >= WS_CLOSE_MS_MAX) socket.terminate();
  }

  /** A peer that has not answered the previous ping has disconnected, whatever TCP reports. */
  #ping(): void {
    for (const [socket, { connection }] of this.#open) {
      if (!connection.alive) socket.terminate();
      else {
        connection.alive = false;
        socket.ping();
      }
    }
    this.#pings =
      this.#closed || this.#open.size === 0 ? undefined : this.#parts.clock.setTimer(() => this.#ping(), WS_PING_MS);
  }

  /** The client's address as Express computes it: with X-Forwarded-For of a trusted proxy. */
  #addressOf(request: IncomingMessage): string | undefined {
    return (Object.setPrototypeOf(request, this.#parts.app.request) as Request).ip;
  }
}

async function checkAgain({ connection, session }: Open): Promise<void> {
  const checked = await session.check();
  if (checked.kind === 'ended') connection.expire(checked.reason);
  else if (checked.kind === 'unknown' && checked.tooLong) connection.giveUp(checked.reason);
}

function noPlace(full: 'all' | 'address' | 'token', perAddressMax: number): ProblemInit {
  const detail: Sentence =
    full === 'all'
      ? `No more than ${WS_CONNECTIONS_MAX} websockets may be open. Wait until some are closed.`
      : `No more than ${perAddressMax} websockets of one address may be open. Close some, or subscribe to more on one of them.`;
  return { code: 'rate_limited', detail };
}
