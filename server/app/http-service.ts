/**
 * HTTP in one thread: a client of the ledger service, an HTTP application and a listener. The main thread has one, and so has each further
 * HTTP thread (threads/http.worker.ts).
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
  /** Undefined if the gateway's thread answers reads of the chain. */
  readableChain: ReadableChain | undefined;
  /** statements.db, which every HTTP thread reads itself. */
  statementsFile: string;
  /** Rules for JWTs that are accepted; undefined: JWTs are refused. */
  jwt: JwtSettings | undefined;
  /** Number of threads that verify signatures of batches beside this one. */
  verifiers: number;
  /** Index of this HTTP thread, from 0. */
  thread: number;
  /** State that several HTTP threads share. */
  shared?: SharedUses | undefined;
  metricFamilies?: (() => Promise<MetricFamily[]>) | undefined;
  /** The tracer; it is closed with the service. */
  tracer?: OpenTracer | undefined;
}

export interface HttpService {
  gateway: Gateway;
  server: Server;
  /** Resolves when all validators are compiled: listen only after it. */
  ready: Promise<void>;
  /** Makes /readyz answer 503 from now on; everything else continues. */
  announceEnd(): void;
  /**
   * Ends websockets and event streams, and waits for requests in flight, which are cut off after DRAIN_REQUESTS_MS_MAX. @returns the number
   * of unanswered requests.
   */
  finishRequests(): Promise<number>;
  /** To be called after `finishRequests`. */
  close(): Promise<void>;
  replaceTls(pair: TlsPair): void;
}

/**
 * Longest time for requests in flight to finish. A request that waits for a block is then answered with its current state. The two seconds
 * that are left of ten are for the threads.
 */
export const DRAIN_REQUESTS_MS_MAX = 7_000;
/** Connections without a request lose nothing, so the last step is short. */
const DRAIN_CONNECTIONS_MS_MAX = 200;
/** Number of waits of one thread: more than a process ever has, and few enough that 256 threads count within 2^53. */
const WAITS_PER_THREAD = 2 ** 45;

export function createHttpService(options: HttpServiceOptions): HttpService {
  const { core, chain, config, clock, logger, thread, shared, metricFamilies, tracer } = options;
  const reads =
    options.readableChain === undefined
      ? undefined
      : new ThreadReads({ chain: options.readableChain, chainId: chain.chainId, logger });
  // The height that a caller may have seen. Over a network the gateway's thread has it, whose database other gateways may share.
  const height = reads === undefined ? async () => (await core.chain()).height : () => reads.height();
  const statements = statementReads({
    file: options.statementsFile,
    want: reads?.want,
    chainId: chain.chainId,
    height,
    clock,
    logger,
  });
  // The thread of the ledger service offers these methods beside its own.
  const coreWebhooks = core as GatewayCoreApi & WebhookApi;
  const ownWebhooks =
    options.readableChain &&
    threadWebhooks({ file: options.readableChain.file, ledger: coreWebhooks, chain, clock, logger });
  // On the thread that opens the database.
  const access = core as GatewayCoreApi & AccessApi;
  const jwts =
    options.jwt &&
    createJwtAuthentication({ settings: options.jwt, fetchKeys: issuerKeys(options.jwt.keys), clock, logger });
  // If this thread reads rows itself, a ledger service that owns its database writes them.
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
  // Ids of two threads must differ.
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
      // Streams count as requests in flight until they have ended, which is well within the time.
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
