/**
 * Builds the Express application from the contract. The HTTP layer translates between HTTP and the gateway's interface; no decision about
 * money is made in it.
 */
import express from 'express';
import type { Express, NextFunction, Request, Response } from 'express';
import type { Registry } from 'prom-client';

import type { Clock, Logger, Tracer } from '../engine/ports.ts';
import type { Gateway } from '../gateway/types.ts';

import { Answers, installJson } from './answer.ts';
import { limitPlain } from './charge.ts';
import { Connections } from './connections/connections.ts';
import type { ContractBundle } from './contract/bundle.ts';
import { readCatalogue } from './contract/catalogue.ts';
import { mayDeprecate } from './contract/deprecations.ts';
import { readOperations } from './contract/operations.ts';
import { registerPages } from './docs/pages.ts';
import { servedContract } from './contract/served.ts';
import { createEntry } from './entry.ts';
import { EventHub } from './events/hub.ts';
import { RequestLog } from './explorer/request-log.ts';
import { registerExplorer } from './explorer/routes.ts';
import { exchangeOf } from './exchange.ts';
import { Hosts } from './host.ts';
import { gatewayFamilies } from './gateway-metrics.ts';
import { familiesOf, type MetricFamily } from './metric-families.ts';
import { Searches } from './limits/searches.ts';
import { HttpMetrics } from './metrics.ts';
import { createHandlers } from './operations/index.ts';
import type { HttpOptions } from './options.ts';
import { RateLimits } from './rate-limit.ts';
import { RefusalLog } from './refusal-log.ts';
import { registerOperations } from './register.ts';
import { RequestIds } from './request-id.ts';
import { ownUses, type SharedUses } from './shared/uses.ts';
import { RpcSockets } from './rpc/websocket/sockets.ts';
import { createValidation } from './validation.ts';

export interface HttpAppParts {
  gateway: Gateway;
  /** From loadContract. */
  contract: ContractBundle;
  config: HttpOptions;
  logger: Logger;
  clock: Clock;
  /** The process's registry; the layer adds its own metrics to it and /metrics renders it. */
  metrics: Registry;
  /** Distinguishes request ids from those of other processes: a few random characters of `A-Za-z0-9`. */
  requestIdPrefix: string;
  /** State that all HTTP threads share; absent with a single one. */
  shared?: SharedUses | undefined;
  /** Returns the metrics for /metrics. Without it they are those of this thread and of the gateway. */
  metricFamilies?: () => Promise<MetricFamily[]>;
  /** Absent if nothing is traced. */
  tracer?: Tracer | undefined;
}

export interface HttpApp {
  app: Express;
  /** Resolves when the validators of the probes are compiled. Listen only after it: otherwise the first probe waits for them. */
  ready: Promise<void>;
  /** Makes /readyz answer 503 from now on; everything else continues. */
  announceEnd(): void;
  /** The websockets of the RPC; the server passes upgrades to them. */
  rpcSockets: RpcSockets;
  /** The event streams; end them before the server is stopped. */
  eventHub: EventHub;
  /** Bounds the connections of the server that carries the application. */
  connections: Connections;
  /** Log of refusals, also for bytes that never become a request. */
  refusals: RefusalLog;
}

/** Throws when contract and handlers differ, or when an option is not valid. */
export function createHttpApp(parts: HttpAppParts): HttpApp {
  const { gateway, contract, config, logger, clock, shared = ownUses(config.connectionsMax) } = parts;
  const metrics = new HttpMetrics(parts.metrics);
  const catalogue = readCatalogue(contract.document, config.publicUrl);
  const answers = new Answers(catalogue, logger, config.validateResponses, clock);
  const hosts = new Hosts(config.allowedHosts, config.corsOrigins);
  const operations = readOperations(contract.document, mayDeprecate(contract.json));

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('strict routing');
  app.enable('case sensitive routing');
  // The pipeline reads queries itself; Express would make objects from `a[b]=c`.
  app.set('query parser', false);
  app.set('trust proxy', config.trustedProxies.length === 0 ? false : [...config.trustedProxies]);
  const connections = new Connections({ ...config, clock, shared });
  metrics.watchConnections(() => connections.figures);
  installJson(app, answers, config.development);

  const onViolation = (response: Response, fault: Error): void => {
    const exchange = exchangeOf(response);
    if (exchange !== undefined) exchange.violation = fault;
    metrics.violation();
    logger.error(
      { err: fault, requestId: exchange?.requestId, operation: exchange?.operation?.id },
      'an answer does not fit the contract',
    );
  };
  const validation = createValidation(
    app,
    contract.document,
    operations,
    config.validateResponses ? onViolation : undefined,
  );
  const rateLimits = config.rateLimits === undefined ? undefined : new RateLimits(config.rateLimits, clock, shared);
  const searches = new Searches(clock);
  const requestIds = new RequestIds(parts.requestIdPrefix);
  const refusals = new RefusalLog(logger, clock);

  const service = { contractVersion: contract.document.info.version, publicUrl: config.publicUrl };
  const tools = config.explorer?.development;
  const requests = tools && new RequestLog(tools.requests);
  const clientOf =
    config.trustedProxies.length === 0
      ? (request: Request) => request.socket.remoteAddress
      : (request: Request) => request.ip;
  const enter = createEntry({
    service,
    answers,
    hosts,
    connections,
    rateLimits,
    requestIds,
    metrics,
    logger,
    refusals,
    clock,
    clientOf,
    requests,
    logsForPeople: config.logsForPeople ?? false,
    tracer: parts.tracer,
  });
  const eventHub = new EventHub({
    gateway,
    clock,
    logger,
    metrics,
    shared,
    bounds: config.eventStreams,
    heartbeatMs: config.eventHeartbeatMs,
  });
  let isEnding = false;
  const announceEnd = (): void => {
    isEnding = true;
  };
  const handlers = createHandlers({
    gateway,
    eventStreams: eventHub,
    contract: { ...contract, ...servedContract(contract, config.publicUrl) },
    catalogue,
    transferFaults: validation.transferFaults,
    metricFamilies:
      parts.metricFamilies ??
      (async () => [...(await familiesOf(parts.metrics)), ...gatewayFamilies(await gateway.metrics())]),
    clock,
    publicUrl: config.publicUrl,
    build: config.build,
    isEnding: () => isEnding,
  });
  registerOperations(app, operations, handlers, hosts, enter, {
    gateway,
    answers,
    validation,
    connections,
    searches,
    rateLimits,
    clock,
    logger,
    refusals,
    access: config.rpcAccess,
  });
  if (config.explorer !== undefined)
    registerExplorer(app, { enter, answers, hosts, rateLimits, development: tools, requests });
  registerPages(app, {
    hasHome: config.explorer === undefined,
    enter,
    gateway,
    contract,
    catalogue,
    operations,
    answers,
    hosts,
    rateLimits,
    clock,
    securityContact: config.securityContact,
    publicUrl: config.publicUrl,
  });

  app.use((request: Request, response: Response) => {
    const exchange = enter(request, response);
    if (exchange === undefined) return;
    const detail = 'This path does not exist. Letter case and trailing slashes count.';
    void answers.refuse(exchange, limitPlain(exchange, rateLimits) ?? { code: 'not_found', detail });
  });
  // Express recognizes an error handler by its four parameters.
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    // A path that cannot be decoded has not reached a route.
    const exchange = exchangeOf(response) ?? enter(request, response);
    if (exchange === undefined) return;
    if (error instanceof URIError) {
      const detail = 'The path is not valid percent-encoded UTF-8.';
      void answers.refuse(
        exchange,
        limitPlain(exchange, rateLimits) ?? {
          code: 'invalid_request',
          detail,
          errors: [{ pointer: '#/path/*', message: detail }],
        },
      );
    } else answers.defect(exchange, error);
  });
  const rpcSockets = new RpcSockets({
    app,
    gateway,
    access: config.rpcAccess,
    hosts,
    connections,
    searches,
    rateLimits,
    perAddressMax: config.websocketsPerClientMax,
    catalogue,
    requestIds,
    metrics,
    clock,
    logger,
    refusals,
    shared,
  });
  return { app, ready: validation.ready, announceEnd, rpcSockets, eventHub, connections, refusals };
}
