/**
 * Puts the parts together: the threads below, then HTTP above them on the main thread and those that HTTP_THREADS adds; and takes them apart
 * in the opposite order.
 *
 * @module
 */
import { availableParallelism } from 'node:os';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Clock, Logger, RandomSource } from '../engine/ports.ts';
import { requestLogMemory, type HttpOptions, type TlsPair } from '../http/index.ts';
import { commitCountMemory } from '../store/embedded/commit-count.ts';
import { keepCompiled } from './compile-cache.ts';
import type { Config } from './config.ts';
import type { DataDir } from './data-dir.ts';
import type { DevelopmentFile } from './dev-file.ts';
import { DatabaseUnreachableError } from './database-error.ts';
import { registerEngineMetrics } from './engine-metrics.ts';
import { coreChannels, createHttpThreads, threadsHere } from './http-threads.ts';
import { registerBuildInfo } from './build-info.ts';
import { ListenError } from './listen.ts';
import { connectionsWithin } from './open-files.ts';
import type { ChainMaterials } from './materials.ts';
import { NoRoomError, StartError } from './start-error.ts';
import type { StartFacts } from './start-facts.ts';
import type { AdminLocation } from './store-location.ts';
import { spawnCoreThreads } from './threads/core-threads.ts';
import { registerProcessMetrics } from './process-metrics.ts';
import { buildOf } from './version.ts';
import { registerWebhookMetrics } from './webhooks/metrics.ts';
import { webhookTargets } from './webhook-targets.ts';

export interface BootOptions {
  config: Config;
  dataDir: DataDir;
  location: AdminLocation;
  materials: ChainMaterials;
  /** Checked: HTTPS with it, HTTP without. */
  tls: TlsPair | undefined;
  clock: Clock;
  random: RandomSource;
  logger: Logger;
  startFacts: StartFacts;
  /** Only on a development server: what its explorer may know. */
  development: Pick<DevelopmentFile, 'token' | 'accounts'> | undefined;
  /** Called when a thread died. */
  onDeath: () => void;
}

export interface Application {
  /** Where it listens: PORT, or the free one that PORT 0 found. */
  readonly port: number;
  /** /readyz answers 503 from now on; everything else goes on. */
  announceEnd(): Promise<void>;
  /** Refuses new work, lets what is in flight finish, and ends all threads. */
  drain(): Promise<void>;
  /** Writes what all threads compiled to disk, for the next start. */
  keepCompiled(): Promise<void>;
  /** New connections get this certificate; open ones stay. Only for a server that was started with a certificate. */
  replaceTls(pair: TlsPair): Promise<void>;
  /** Only of a gateway before nodes. @returns why not, for the operator. */
  replaceNodes(urls: readonly string[]): Promise<string | undefined>;
  relocateDatabase(url: string): Promise<string | undefined>;
  /** Settled transfers are read from these from now on, or from the primary alone. @returns why not. */
  useReplicas(url: string | undefined): Promise<string | undefined>;
}

/** Threads that verify signatures of batches, beside those of HTTP: one for each further core, and no more than a writer can be fed by. */
const VERIFIERS_MAX = 15;
/** Request ids of two processes differ in these random bytes. */
const REQUEST_ID_PREFIX_BYTES = 4;
/** Gateways on one database tell each other apart by it. A restart is another gateway: what the one before held has to run out. */
const GATEWAY_ID_BYTES = 8;

/** For the audit trail: the sentence that the operator reads, which holds no secret. The message of a defect may hold one. */
function reasonOf(error: unknown): string {
  const explained = error instanceof StartError || error instanceof NoRoomError || error instanceof DatabaseUnreachableError || error instanceof ListenError;
  return explained ? error.message : 'a defect, see the log';
}

export async function boot(options: BootOptions): Promise<Application> {
  const { config, dataDir, location, materials, logger, clock, random, startFacts, onDeath } = options;
  const { genesis } = materials;
  const gatewayId = Buffer.from(random.bytes(GATEWAY_ID_BYTES)).toString('hex');
  const httpThreads = threadsHere(config.httpThreads, logger);
  const corePorts = coreChannels(httpThreads);
  const commits = commitCountMemory();
  const core = spawnCoreThreads({ config, dataDir, location, materials, logger, startFacts, gatewayId, frontPorts: corePorts.gateway, commits, onDeath });
  // The threads start while this one compiles the contract: together they take most of a start. Calls wait in the port.
  const started = core.start();
  started.catch(() => undefined); // it is awaited below; a failure before that must not count as unhandled

  const { tracing } = config;
  const tracer = tracing && (await import('./tracing/open-tracer.ts')).openTracer(tracing, { clock, logger, chainId: genesis.chainId });
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const http = createHttpThreads({
    threads: httpThreads,
    corePorts: corePorts.http,
    chain: { chainId: genesis.chainId, addressPrefix: genesis.addressPrefix },
    config: httpOptions(config, options.development, logger),
    readableChain: config.engine === 'embedded' ? { file: dataDir.files.chain, commits } : undefined,
    statementsFile: dataDir.files.statements,
    webhooksFile: config.engine === 'embedded' ? dataDir.files.webhooks : undefined,
    webhookTargets: webhookTargets(config),
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
    onDeath,
  });

  let port: number;
  try {
    await Promise.all([started, http.ready]);
    registerBuildInfo(registry, config);
    await registerEngineMetrics(registry, () => core.engineMetrics());
    registerWebhookMetrics(registry, () => core.webhookNumbers());
    registerProcessMetrics(registry, { dataDir: dataDir.path, pendingMax: config.pendingMax, readiness: http.readiness });
    await core.recordStart();
    port = await http.listen(config.host, config.port);
  } catch (error) {
    await core.recordRefusal(reasonOf(error));
    throw error;
  }

  return {
    port,
    replaceTls: (pair) => http.replaceTls(pair),
    replaceNodes: (urls) => core.replaceNodes(urls),
    relocateDatabase: (url) => core.relocateDatabase(url),
    useReplicas: (url) => core.useReplicas(url),
    keepCompiled: async () => {
      keepCompiled();
      await http.keepCompiled();
      await core.keepCompiled();
    },
    announceEnd: () => http.announceEnd(),
    drain: async () => {
      await http.drain();
      await core.stop();
      dataDir.release();
    },
  };
}

/** Rates are promised per second. The requests of this many seconds may come at once, so that a short burst is allowed. A longer burst would hold up the other callers for as long. */
export const RATE_WINDOW_S = 2;

function httpOptions(config: Config, development: BootOptions['development'], logger: Logger): HttpOptions {
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
    explorer: config.explorer === 'on' ? { development: development && { token: development.token, accounts: development.accounts, requests: requestLogMemory(), isPublic: config.publicDev } } : undefined,
    logsForPeople: config.logFormat === 'text',
    development: config.mode === 'development' || config.validateResponses,
  };
}
