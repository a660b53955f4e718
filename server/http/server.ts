/**
 * The node:http server around the application: its time limits, its header bound, and answers for what never becomes a
 * request.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import type { Express } from 'express';

import type { Logger } from '../engine/ports.ts';

import { answerClientError, rawProblem } from './client-error.ts';
import type { InFlight } from './client-error.ts';
import type { ContractBundle } from './contract/bundle.ts';
import { readCatalogue } from './contract/catalogue.ts';
import { HEADER_BYTES_MAX, KEEP_ALIVE_MS, REQUEST_CHECK_MS, REQUEST_MS_MAX } from './limits.ts';
import { RpcSockets } from './rpc/websocket/sockets.ts';
import { RequestIds } from './request-id.ts';
import { normaliseTarget } from './request-target.ts';
import { createPlainOrSecureServer, type TlsPair } from './secure-server.ts';

export interface HttpServerOptions {
  contract: ContractBundle;
  logger: Logger;
  requestIdPrefix: string;
  /** Takes over upgrades to the websocket of the RPC; without it nothing is upgraded. */
  rpcSockets?: RpcSockets;
  /** Tests shorten the deadline; nothing else should. */
  requestMsMax?: number;
  /** Speaks HTTPS with it; HTTP without. */
  tls?: TlsPair | undefined;
}

export function createHttpServer(app: Express, options: HttpServerOptions): Server {
  const catalogue = readCatalogue(options.contract.document);
  const requestIds = new RequestIds(`${options.requestIdPrefix}c`);
  const requestMsMax = options.requestMsMax ?? REQUEST_MS_MAX;
  const inFlight = new WeakMap<Duplex, InFlight>();

  const server = createPlainOrSecureServer({
    maxHeaderSize: HEADER_BYTES_MAX,
    requestTimeout: requestMsMax,
    headersTimeout: requestMsMax,
    connectionsCheckingInterval: Math.min(REQUEST_CHECK_MS, requestMsMax),
    keepAliveTimeout: KEEP_ALIVE_MS,
    // The application answers a missing Host, with a body.
    requireHostHeader: false,
    noDelay: true,
    shouldUpgradeCallback: (request) => options.rpcSockets !== undefined && RpcSockets.wants(request),
  }, options.tls);
  options.rpcSockets?.attach(server);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    inFlight.set(request.socket, { request, response });
    normaliseTarget(request);
    app(request, response);
  });
  // The body reader answers 100 Continue once it wants the body; other expectations are of no consequence to it.
  const asRequest = (request: IncomingMessage, response: ServerResponse): unknown => server.emit('request', request, response);
  server.on('checkContinue', asRequest);
  server.on('checkExpectation', asRequest);

  server.on('clientError', (error: Error & { code?: string }, socket: Duplex) => {
    const requestId = requestIds.of(undefined);
    const code = answerClientError(catalogue, requestId, error, socket, inFlight.get(socket));
    if (code !== undefined) options.logger.info({ requestId, code, cause: error.code }, 'request refused before it was one');
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    const detail = 'This is not a proxy: CONNECT has no path to go to.';
    socket.end(rawProblem(catalogue, requestIds.of(undefined), { code: 'method_not_allowed', detail, headers: { Allow: 'GET' } }));
  });

  return server;
}
