/**
 * HTTP in one thread: its own client of the gateway, its own application, its own listener. The main thread has one, and each further HTTP
 * thread (threads/http.worker.ts).
 *
 * @module
 */
import type { Server } from 'node:http';
import type { Registry } from 'prom-client';
import type { Clock, Logger } from '../engine/ports.ts';
import type { OpenTracer } from './tracing/open-tracer.ts';
import { createGatewayFront } from '../gateway/front.ts';
import type { Gateway, GatewayCoreApi } from '../gateway/index.ts';
import { FRONT_CALLS_MAX, FRONT_CALLS_TO_WRITER_MAX } from '../gateway/limits.ts';
import type { AccessApi } from '../gateway/access/api.ts';
import { createJwtAuthentication } from '../gateway/access/jwt.ts';
import type { JwtSettings } from '../gateway/access/jwt-settings.ts';
import type { WebhookApi } from '../gateway/webhooks/api.ts';
import type { ChainContext } from '../ledger/index.ts';
import {
  createHttpApp,
  createHttpServer,
  loadContract,
  replaceTlsPair,
  type HttpOptions,
  type MetricFamily,
  type SharedUses,
  type TlsPair,
} from '../http/index.ts';
import { closeServer, trackRequests } from './drain.ts';
import { issuerKeys } from './issuer-keys.ts';
import { statementReads } from './threads/statement-reads.ts';
import { type ReadableChain, ThreadReads } from './threads/thread-reads.ts';
import { threadWebhooks } from './threads/thread-webhooks.ts';
import { Verifiers } from './threads/verifiers.ts';

export interface HttpServiceOptions {
  core: GatewayCoreApi;
  chain: ChainContext;
  config: HttpOptions;
  tls: TlsPair | undefined;
  clock: Clock;
  logger: Logger;
  registry: Registry;
  requestIdPrefix: string;
  /** Undefined where the gateway answers what is read of the chain. */
  readableChain: ReadableChain | undefined;
  /** statements.db, which every HTTP thread reads itself. */
  statementsFile: string;
  /** Rules for JWTs that are accepted; undefined: JWTs are refused. */
  jwt: JwtSettings | undefined;
  /** Threads that verify signatures of batches beside this one. */
  verifiers: number;
  /** Index of this HTTP thread, from 0. */
  thread: number;
  /** State that several HTTP threads share. */
  shared?: SharedUses | undefined;
  metricFamilies?: (() => Promise<MetricFamily[]>) | undefined;
  /** Closed with the service. */
  tracer?: OpenTracer | undefined;
}

export interface HttpService {
  gateway: Gateway;
  server: Server;
  /** All validators are compiled: listen only after it. */
  ready: Promise<void>;
  /** /readyz answers 503 from now on; everything else continues. */
  announceEnd(): void;
  /** Websockets and event streams end, and what is in flight is answered, or cut off after a while. @returns how many requests were not answered. */
  finishRequests(): Promise<number>;
  /** After `finishRequests`. */
  close(): Promise<void>;
  replaceTls(pair: TlsPair): void;
}

/**
 * Longest time for requests in flight to finish. One that waits for a block is answered with its current state then; the two seconds that
 * are left of ten are for the threads.
 */
export const DRAIN_REQUESTS_MS_MAX = 7_000;
/** Connections without a request have nothing to lose, so the last step is short. */
const DRAIN_CONNECTIONS_MS_MAX = 200;
/** Waits of one thread: more than a process ever has, and few enough that 256 threads count within 2^53. */
const WAITS_PER_THREAD = 2 ** 45;

export function createHttpService(options: HttpServiceOptions): HttpService {
  const { core, chain, config, clock, logger, thread, shared, metricFamilies, tracer } = options;
  const reads =
    options.readableChain === undefined
      ? undefined
      : new ThreadReads({ chain: options.readableChain, chainId: chain.chainId, logger });
  // The height that a caller may have seen: over a network the gateway has it, which may share its database with others.
  const height = reads === undefined ? async () => (await core.chain()).height : () => reads.height();
  const statements = statementReads({
    file: options.statementsFile,
    want: reads?.want,
    chainId: chain.chainId,
    height,
    clock,
    logger,
  });
  // The thread that has the core has these methods beside its own.
  const coreWebhooks = core as GatewayCoreApi & WebhookApi;
  const ownWebhooks =
    options.readableChain &&
    threadWebhooks({ file: options.readableChain.file, ledger: coreWebhooks, chain, clock, logger });
  // On the thread that has the database.
  const access = core as GatewayCoreApi & AccessApi;
  const jwts =
    options.jwt &&
    createJwtAuthentication({ settings: options.jwt, fetchKeys: issuerKeys(options.jwt.keys), clock, logger });
  // Rows that are read on this thread are written by a core that owns its database.
  const callsMax = reads === undefined ? FRONT_CALLS_MAX : FRONT_CALLS_TO_WRITER_MAX;
  const verifiers = new Verifiers({ threads: options.verifiers, clock, logger });
  const gateway = createGatewayFront(core, {
    chain,
    clock,
    reads,
    statements,
    webhooks: ownWebhooks ?? coreWebhooks,
    access,
    jwts,
    verifySignatures: verifiers.verify,
    firstWait: thread * WAITS_PER_THREAD,
    callsMax,
    tracer,
  });
  const contract = loadContract();
  // Ids of two threads must not meet.
  const requestIdPrefix = thread === 0 ? options.requestIdPrefix : `${options.requestIdPrefix}t${thread + 1}`;
  const { app, ready, rpcSockets, eventHub, connections, refusals, announceEnd } = createHttpApp({
    gateway,
    contract,
    config,
    logger,
    clock,
    metrics: options.registry,
    requestIdPrefix,
    ...(shared && { shared }),
    ...(metricFamilies && { metricFamilies }),
    tracer,
  });
  const server = createHttpServer(app, {
    contract,
    logger,
    refusals,
    requestIdPrefix,
    rpcSockets,
    connections,
    tls: options.tls,
    publicUrl: config.publicUrl,
  });
  const tracker = trackRequests(server, clock);
  return {
    gateway,
    server,
    ready,
    announceEnd,
    finishRequests: async () => {
      rpcSockets.close();
      // Streams are requests in flight until they have ended, which is well within the time.
      const [unanswered] = await Promise.all([tracker.drain(DRAIN_REQUESTS_MS_MAX), eventHub.close()]);
      return unanswered;
    },
    close: async () => {
      rpcSockets.terminate();
      await closeServer(server, clock, DRAIN_CONNECTIONS_MS_MAX);
      await verifiers.close();
      reads?.close();
      statements.close();
      await ownWebhooks?.close();
      await tracer?.close();
    },
    replaceTls: (pair) => replaceTlsPair(server, pair),
  };
}
