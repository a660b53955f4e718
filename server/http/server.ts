/**
 * The node:http server around the application: its time limits, its header bound, and answers for what never becomes a
 * request.
 */
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import type { Express } from 'express';

import type { Logger } from '../engine/ports.ts';

import { answerClientError, rawProblem } from './client-error.ts';
import type { InFlight } from './client-error.ts';
import type { ContractBundle } from './contract/bundle.ts';
import { readCatalogue } from './contract/catalogue.ts';
import { HEADER_BYTES_MAX, KEEP_ALIVE_MS, REQUEST_CHECK_MS, REQUEST_MS_MAX } from './limits.ts';
import { RequestIds } from './request-id.ts';

export interface HttpServerOptions {
  contract: ContractBundle;
  logger: Logger;
  requestIdPrefix: string;
  /** Tests shorten the deadline; nothing else should. */
  requestMsMax?: number;
}

export interface HttpServer {
  server: Server;
  /**
   * Takes no new connections, lets requests in flight finish and closes each connection after its answer. Resolves
   * when all are closed; after `graceMs` those that are left are cut.
   */
  drain(graceMs: number): Promise<void>;
}

export function createHttpServer(app: Express, options: HttpServerOptions): HttpServer {
  const catalogue = readCatalogue(options.contract.document);
  const requestIds = new RequestIds(`${options.requestIdPrefix}c`);
  const requestMsMax = options.requestMsMax ?? REQUEST_MS_MAX;
  const inFlight = new WeakMap<Duplex, InFlight>();
  let draining = false;

  const server = createServer({
    maxHeaderSize: HEADER_BYTES_MAX,
    requestTimeout: requestMsMax,
    headersTimeout: requestMsMax,
    connectionsCheckingInterval: Math.min(REQUEST_CHECK_MS, requestMsMax),
    keepAliveTimeout: KEEP_ALIVE_MS,
    // The application answers a missing Host, with a body.
    requireHostHeader: false,
    noDelay: true,
  });
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    inFlight.set(request.socket, { request, response });
    if (draining) response.setHeader('Connection', 'close');
    app(request, response);
  };
  server.on('request', serve);
  // The body reader answers 100 Continue once it wants the body; other expectations are of no consequence to it.
  server.on('checkContinue', serve);
  server.on('checkExpectation', serve);

  server.on('clientError', (error: Error & { code?: string }, socket: Duplex) => {
    const requestId = requestIds.of(undefined);
    const code = answerClientError(catalogue, requestId, error, socket, inFlight.get(socket));
    if (code !== undefined) options.logger.info({ requestId, code, cause: error.code }, 'request refused before it was one');
  });
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    const detail = 'This is not a proxy: CONNECT has no path to go to.';
    socket.end(rawProblem(catalogue, requestIds.of(undefined), { code: 'method_not_allowed', detail, headers: { Allow: 'GET' } }));
  });

  const drain = (graceMs: number): Promise<void> => {
    draining = true;
    return new Promise((resolve) => {
      const cut = setTimeout(() => server.closeAllConnections(), graceMs);
      server.close(() => {
        clearTimeout(cut);
        resolve();
      });
      server.closeIdleConnections();
    });
  };
  return { server, drain };
}
