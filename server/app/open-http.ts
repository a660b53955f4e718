/**
 * Opens HTTP and the metrics of the whole process. Most modules of the product are loaded with this one, so it is imported while the other
 * threads start.
 *
 * @module
 */
import { availableParallelism } from 'node:os';
import type { MessagePort } from 'node:worker_threads';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Clock, Logger, RandomSource } from '../engine/ports.ts';
import { requestLogMemory, type HttpOptions, type TlsPair } from '../http/index.ts';
import { registerBuildInfo } from './build-info.ts';
import type { Config } from './config.ts';
import type { DataDir } from './data-dir.ts';
import type { DevelopmentFile } from './dev-file.ts';
import { registerEngineMetrics } from './engine-metrics.ts';
import { createHttpThreads, type HttpThreads } from './http-threads.ts';
import type { ChainMaterials } from './materials.ts';
import { connectionsWithin } from './open-files.ts';
import { registerProcessMetrics } from './process-metrics.ts';
import type { CoreThreads } from './threads/core-threads.ts';
import { buildOf } from './version.ts';
import { registerWebhookMetrics } from './webhooks/metrics.ts';

export interface OpenHttpOptions {
  config: Config;
  dataDir: DataDir;
  materials: ChainMaterials;
  /** The checked certificate for HTTPS; HTTP without it. */
  tls: TlsPair | undefined;
  clock: Clock;
  random: RandomSource;
  logger: Logger;
  /** Only on a development server: the facts that its explorer may show. */
  development: Pick<DevelopmentFile, 'token' | 'accounts'> | undefined;
  /** Called when a thread died. */
  onDeath: () => void;
  core: CoreThreads;
  httpThreads: number;
  /** Ports to the ledger service, one for each HTTP thread. */
  corePorts: readonly MessagePort[];
  /** Shared memory about chain.db: see CommitCount. */
  commits: SharedArrayBuffer;
}

export interface OpenHttp {
  http: HttpThreads;
  /** To be called once the ledger service has started, which reports these counts. */
  registerMetrics(): Promise<void>;
}

/** Threads that verify signatures of batches, beside those of HTTP: one for each further core, and no more than one writer can use. */
const VERIFIERS_MAX = 15;
/** Random bytes by which the request ids of two processes differ. */
const REQUEST_ID_PREFIX_BYTES = 4;

export async function openHttp(options: OpenHttpOptions): Promise<OpenHttp> {
  const { config, dataDir, clock, logger, random, core, httpThreads, commits } = options;
  const { genesis } = options.materials;
  const { tracing } = config;
  const tracer =
    tracing &&
    (await import('./tracing/open-tracer.ts')).openTracer(tracing, { clock, logger, chainId: genesis.chainId });
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const http = createHttpThreads({
    threads: httpThreads,
    corePorts: options.corePorts,
    chain: { chainId: genesis.chainId, addressPrefix: genesis.addressPrefix },
    config: httpOptions(config, options.development, logger),
    readableChain: config.engine === 'embedded' ? { file: dataDir.files.chain, commits } : undefined,
    statementsFile: dataDir.files.statements,
    jwt: config.jwt,
    verifiers: Math.floor(Math.min(availableParallelism() - 1, VERIFIERS_MAX) / httpThreads),
    tls: options.tls && { cert: options.tls.cert, key: options.tls.key },
    clock,
    logger,
    logLevel: config.logLevel,
    registry,
    tracing,
    tracer,
    requestIdPrefix: Buffer.from(random.bytes(REQUEST_ID_PREFIX_BYTES)).toString('hex'),
    onDeath: options.onDeath,
  });
  return {
    http,
    registerMetrics: async () => {
      registerBuildInfo(registry, config);
      await registerEngineMetrics(registry, () => core.engineMetrics());
      registerWebhookMetrics(registry, () => core.webhookNumbers());
      registerProcessMetrics(registry, {
        dataDir: dataDir.path,
        pendingMax: config.pendingMax,
        readiness: http.readiness,
      });
    },
  };
}

/**
 * Rates are promised per second. The requests of this many seconds may come at once, so that a short burst is allowed. A longer burst would
 * delay the other callers for as long.
 */
export const RATE_WINDOW_S = 2;

function httpOptions(config: Config, development: OpenHttpOptions['development'], logger: Logger): HttpOptions {
  const { rateLimits } = config;
  const window = (perS: number) => ({ requests: perS * RATE_WINDOW_S, windowS: RATE_WINDOW_S });
  return {
    allowedHosts: config.allowedHosts,
    corsOrigins: config.corsOrigins,
    trustedProxies: config.trustedProxies,
    connectionsMax: connectionsWithin(config.connectionsMax, logger),
    connectionsPerAddressMax: config.connectionsPerIpMax,
    rpcAccess: config.rpcAccess,
    websocketsPerClientMax: config.websocketsPerIpMax,
    rateLimits: rateLimits && { perToken: window(rateLimits.perTokenPerS), perClient: window(rateLimits.perIpPerS) },
    validateResponses: config.validateResponses,
    securityContact: config.securityContact,
    publicUrl: config.publicUrl,
    build: buildOf(),
    explorer:
      config.explorer === 'on'
        ? {
            development: development && {
              token: development.token,
              accounts: development.accounts,
              requests: requestLogMemory(),
              isPublic: config.publicDev,
            },
          }
        : undefined,
    logsForPeople: config.logFormat === 'text',
    development: config.mode === 'development' || config.validateResponses,
  };
}
