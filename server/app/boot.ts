/**
 * Puts the parts together: the engine thread, then the gateway thread above it, then HTTP on the main thread and those that
 * HTTP_THREADS adds; and takes them apart in the opposite order.
 *
 * @module
 */
import { MessageChannel } from 'node:worker_threads';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Clock, Logger, RandomSource } from '../engine/ports.ts';
import type { HttpOptions, TlsPair } from '../http/index.ts';
import { keepCompiled } from './compile-cache.ts';
import type { Config } from './config.ts';
import type { DataDir } from './data-dir.ts';
import { DatabaseUnreachableError } from './database-error.ts';
import { registerEngineMetrics } from './engine-metrics.ts';
import { coreChannels, createHttpThreads, threadsHere } from './http-threads.ts';
import { ListenError } from './listen.ts';
import { connectionsWithin } from './open-files.ts';
import type { ChainMaterials } from './materials.ts';
import { StartError } from './start-error.ts';
import type { StartFacts } from './start-facts.ts';
import type { StoreLocation } from './store-location.ts';
import type { EngineChoice } from './threads/engine-choice.ts';
import type { EngineControl, EngineThreadData } from './threads/engine.worker.ts';
import type { GatewayControl, GatewayThreadData } from './threads/gateway.worker.ts';
import { spawnThread, type StartResult, type Thread, type ThreadControl } from './threads/spawn.ts';

export interface BootOptions {
  config: Config;
  dataDir: DataDir;
  location: StoreLocation;
  materials: ChainMaterials;
  /** Checked: HTTPS with it, HTTP without. */
  tls: TlsPair | undefined;
  clock: Clock;
  random: RandomSource;
  logger: Logger;
  startFacts: StartFacts;
  /** Called when a thread died. */
  onDeath: () => void;
}

export interface Application {
  /** Refuses new work, lets what is in flight finish, and ends all threads. */
  drain(): Promise<void>;
  /** Writes what all threads compiled to disk, for the next start. */
  keepCompiled(): Promise<void>;
  /** New connections get this certificate; open ones stay. Only for a server that was started with a certificate. */
  replaceTls(pair: TlsPair): Promise<void>;
}

/** Request ids of two processes differ in these random bytes. */
const REQUEST_ID_PREFIX_BYTES = 4;
/** Gateways on one database tell each other apart by it. A restart is another gateway: what the one before held has to run out. */
const GATEWAY_ID_BYTES = 8;

function checkStarted(result: StartResult): void {
  if (!result.ok) throw result.later === true ? new DatabaseUnreachableError(result.message) : new StartError(result.message);
}

/** For the audit trail: the sentence that the operator reads, which holds no secret. The message of a defect may hold one. */
function reasonOf(error: unknown): string {
  const explained = error instanceof StartError || error instanceof DatabaseUnreachableError || error instanceof ListenError;
  return explained ? error.message : 'a defect, see the log';
}

/** The engine makes no block before there is a database and a token; the gateway starts only when there is an engine to ask. */
async function startInOrder(engine: Thread<ThreadControl>, gateway: Thread<GatewayControl>): Promise<void> {
  checkStarted(await gateway.control.open());
  checkStarted(await engine.control.start());
  checkStarted(await gateway.control.start());
}

async function stopThread(thread: Thread<ThreadControl>): Promise<void> {
  await thread.control.stop();
  await thread.dismiss();
}

function engineChoice({ config, dataDir, materials }: BootOptions): EngineChoice {
  if (config.engine === 'cometbft') return { kind: 'cometbft', nodeUrls: config.nodeUrls, searchFile: dataDir.files.search };
  const { validatorKey: validatorKeyFile } = materials.files;
  const { blockIntervalMs } = config;
  if (validatorKeyFile === undefined || blockIntervalMs === undefined) throw new TypeError('an embedded engine has a validator key and a block interval');
  return { kind: 'embedded', dataDir: dataDir.path, validatorKeyFile, blockIntervalMs };
}

export async function boot(options: BootOptions): Promise<Application> {
  const { config, dataDir, location, materials, logger, clock, random, startFacts, onDeath } = options;
  const { genesis } = materials;
  const engineLink = new MessageChannel();
  const httpThreads = threadsHere(config.httpThreads, logger);
  const corePorts = coreChannels(httpThreads);

  const engineData: EngineThreadData = {
    genesis,
    engine: engineChoice(options),
    logLevel: config.logLevel,
    gatewayPort: engineLink.port1,
  };
  const engine = spawnThread<EngineControl>({
    name: 'engine',
    module: new URL('./threads/engine.worker.ts', import.meta.url),
    data: engineData,
    ports: [engineLink.port1],
    logger,
    onDeath,
  });
  const gatewayData: GatewayThreadData = {
    genesis,
    location,
    tokenNeeded: config.mode === 'production',
    gatewayId: Buffer.from(random.bytes(GATEWAY_ID_BYTES)).toString('hex'),
    operatorSeed: materials.operator.seed,
    pendingTtlS: config.pendingTtlS,
    pendingMax: config.pendingMax,
    pendingPerOwnerMax: config.pendingPerOwnerMax,
    logLevel: config.logLevel,
    enginePort: engineLink.port2,
    frontPorts: corePorts.gateway,
    startFacts,
  };
  const gatewayThread = spawnThread<GatewayControl>({
    name: 'gateway',
    module: new URL('./threads/gateway.worker.ts', import.meta.url),
    data: gatewayData,
    ports: [engineLink.port2, ...corePorts.gateway],
    logger,
    onDeath,
  });
  // The threads start while this one compiles the contract: together they take most of a start. Calls wait in the port.
  const started = startInOrder(engine, gatewayThread);
  started.catch(() => undefined); // it is awaited below; a failure before that must not count as unhandled

  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const http = createHttpThreads({
    threads: httpThreads,
    corePorts: corePorts.http,
    chain: { chainId: genesis.chainId, addressPrefix: genesis.addressPrefix },
    config: httpOptions(config, logger),
    tls: options.tls && { cert: options.tls.cert, key: options.tls.key },
    clock,
    logger,
    logLevel: config.logLevel,
    registry,
    requestIdPrefix: Buffer.from(random.bytes(REQUEST_ID_PREFIX_BYTES)).toString('hex'),
    onDeath,
  });

  try {
    await Promise.all([started, http.ready]);
    await registerEngineMetrics(registry, () => engine.control.metrics());
    checkStarted(await gatewayThread.control.recordStart());
    await http.listen(config.host, config.port);
  } catch (error) {
    await gatewayThread.control.recordRefusal(reasonOf(error));
    throw error;
  }

  return {
    replaceTls: (pair) => http.replaceTls(pair),
    keepCompiled: async () => {
      // One after another: each thread does nothing else meanwhile.
      keepCompiled();
      await http.keepCompiled();
      await engine.control.keepCompiled();
      await gatewayThread.control.keepCompiled();
    },
    drain: async () => {
      await http.drain();
      await stopThread(gatewayThread);
      await stopThread(engine);
      dataDir.release();
    },
  };
}

/** Rates are promised per second. The requests of this many seconds may come at once, so that a short burst is allowed. A longer burst would hold up the other callers for as long. */
export const RATE_WINDOW_S = 2;

function httpOptions(config: Config, logger: Logger): HttpOptions {
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
    development: config.mode === 'development' || config.validateResponses,
  };
}
