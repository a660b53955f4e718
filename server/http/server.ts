/** The node:http server around the application: its time limits, its header bound, and answers to bytes that never become a request. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import type { Express } from 'express';

import type { Logger } from '../engine/ports.ts';

import { basePathOf, isBasePath, withoutBasePath } from './base-path.ts';
import { answerClientError, rawProblem } from './client-error.ts';
import { connectionOf, type Connections } from './connections/connections.ts';
import type { ContractBundle } from './contract/bundle.ts';
import { readCatalogue } from './contract/catalogue.ts';
import { HEADER_BYTES_MAX, KEEP_ALIVE_MS, REQUEST_CHECK_MS, REQUEST_MS_MAX } from './limits.ts';
import { RpcSockets } from './rpc/websocket/sockets.ts';
import type { RefusalLog } from './refusal-log.ts';
import { RequestIds } from './request-id.ts';
import { messageClasses } from './message-classes.ts';
import { normaliseTarget, plainTarget } from './request-target.ts';
import { createPlainOrSecureServer, type TlsPair } from './secure-server.ts';

const TOO_MANY_CONNECTIONS =
  'Too many connections are open, altogether or from this address. Close some, keep the others for several requests, or wait.';

export interface HttpServerOptions {
  contract: ContractBundle;
  logger: Logger;
  requestIdPrefix: string;
  /** Applies the bounds of the server's connections. */
  connections: Connections;
  /** The log of refusals of the application; without it every refusal has its line. */
  refusals?: RefusalLog;
  /** Takes over upgrades to the websocket of the RPC; without it no upgrade is accepted. */
  rpcSockets?: RpcSockets;
  /** Only tests shorten the deadline. */
  requestMsMax?: number;
  /** The base URL for clients, ending in a slash. */
  publicUrl?: string | undefined;
  /** Serves HTTPS with this pair; without it HTTP. */
  tls?: TlsPair | undefined;
}

export function createHttpServer(app: Express, options: HttpServerOptions): Server {
  const catalogue = readCatalogue(options.contract.document, options.publicUrl);
  const requestIds = new RequestIds(`${options.requestIdPrefix}c`);
  const requestMsMax = options.requestMsMax ?? REQUEST_MS_MAX;
  const basePath = basePathOf(options.publicUrl);

  const server = createPlainOrSecureServer(
    {
      ...messageClasses(app),
      maxHeaderSize: HEADER_BYTES_MAX,
      requestTimeout: requestMsMax,
      headersTimeout: requestMsMax,
      connectionsCheckingInterval: Math.min(REQUEST_CHECK_MS, requestMsMax),
      keepAliveTimeout: KEEP_ALIVE_MS,
      // The application answers a missing Host header, with a body.
      requireHostHeader: false,
      noDelay: true,
      shouldUpgradeCallback: (request) => {
        withoutBasePath(request, basePath);
        return options.rpcSockets !== undefined && RpcSockets.wants(request);
      },
    },
    options.tls,
  );
  options.connections.guard(server, () =>
    rawProblem(catalogue, requestIds.of(undefined), { code: 'server_busy', detail: TOO_MANY_CONNECTIONS }),
  );
  options.rpcSockets?.attach(server);
  server.once('close', () => options.refusals?.close());
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    normaliseTarget(request);
    if (isBasePath(request, basePath)) {
      const requestId = requestIds.of(request.headers['x-request-id']);
      response
        .writeHead(308, {
          Location: `${basePath}/`,
          'X-Request-Id': requestId,
          'Contract-Version': catalogue.contractVersion,
          'X-Content-Type-Options': 'nosniff',
          'Content-Length': 0,
        })
        .end();
      return;
    }
    withoutBasePath(request, basePath);
    plainTarget(request);
    app(request, response);
  };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    // Every connection of this server has one: otherwise its bounds would not apply.
    connectionOf(request.socket)?.take(request, response, serve);
  });
  // The body reader answers 100 Continue once it reads the body; it ignores other expectations.
  const asRequest = (request: IncomingMessage, response: ServerResponse): unknown =>
    server.emit('request', request, response);
  server.on('checkContinue', asRequest);
  server.on('checkExpectation', asRequest);

  server.on('clientError', (error: Error & { code?: string }, socket: Duplex) => {
    const requestId = requestIds.of(undefined);
    const code = answerClientError(catalogue, requestId, error, socket, connectionOf(socket as Socket));
    if (code !== undefined)
      (options.refusals ?? options.logger).info(
        { requestId, code, cause: error.code },
        'request refused before it was one',
      );
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    const detail = 'This is not a proxy: CONNECT has no path to go to.';
    // node:http no longer listens to the socket, so an error would be uncaught.
    socket.on('error', () => socket.destroy());
    connectionOf(socket as Socket)?.end(
      rawProblem(catalogue, requestIds.of(undefined), {
        code: 'method_not_allowed',
        detail,
        headers: { Allow: 'GET, HEAD' },
      }),
    );
  });

  return server;
}
