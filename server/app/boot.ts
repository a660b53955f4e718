/**
 * Starts the parts in order: the threads below HTTP, then HTTP on the main thread and on those that HTTP_THREADS adds. Ends them in the
 * opposite order.
 *
 * @module
 */
import type { TlsPair } from '../http/index.ts';
import { commitCountMemory } from '../store/embedded/commit-count.ts';
import { keepCompiled } from './compile-cache.ts';
import { DatabaseUnreachableError } from './database-error.ts';
import { coreChannels, threadsHere } from './http-channels.ts';
import { ListenError } from './listen.ts';
import type { OpenHttpOptions } from './open-http.ts';
import { NoRoomError, StartError } from './start-error.ts';
import type { StartFacts } from './start-facts.ts';
import type { AdminLocation } from './store-location.ts';
import { spawnCoreThreads } from './threads/core-threads.ts';

export interface BootOptions extends Omit<OpenHttpOptions, 'core' | 'httpThreads' | 'corePorts' | 'commits'> {
  location: AdminLocation;
  startFacts: StartFacts;
}

export interface Application {
  /** The port that the server listens on: PORT, or the free one that the system chose for PORT 0. */
  readonly port: number;
  /** /readyz answers 503 from now on; everything else continues. */
  announceEnd(): Promise<void>;
  /** Refuses new work, waits for requests in flight, and ends all threads. */
  drain(): Promise<void>;
  /** Writes the compiled code of all threads to disk, for the next start. */
  keepCompiled(): Promise<void>;
  /** Uses this certificate for new connections; open ones keep theirs. Only for a server that was started with a certificate. */
  replaceTls(pair: TlsPair): Promise<void>;
  /** Only of a gateway in front of nodes. @returns the reason of a failure, for the operator. */
  replaceNodes(urls: readonly string[]): Promise<string | undefined>;
  relocateDatabase(url: string): Promise<string | undefined>;
  /** Reads settled transfers from these replicas from now on, or from the primary alone. @returns the reason of a failure. */
  useReplicas(url: string | undefined): Promise<string | undefined>;
}

/** Distinguishes gateways on one database. A restart is another gateway: the leases of the one before have to expire. */
const GATEWAY_ID_BYTES = 8;

/** The sentence that the operator reads, for the audit trail: it holds no secret. The message of a defect may hold one. */
function reasonOf(error: unknown): string {
  const explained =
    error instanceof StartError ||
    error instanceof NoRoomError ||
    error instanceof DatabaseUnreachableError ||
    error instanceof ListenError;
  return explained ? error.message : 'a defect, see the log';
}

export async function boot(options: BootOptions): Promise<Application> {
  const { config, dataDir, location, materials, clock, logger, random, startFacts, onDeath } = options;
  const gatewayId = Buffer.from(random.bytes(GATEWAY_ID_BYTES)).toString('hex');
  const httpThreads = threadsHere(config.httpThreads, logger);
  const corePorts = coreChannels(httpThreads);
  const commits = commitCountMemory();
  const core = spawnCoreThreads({
    config,
    dataDir,
    location,
    materials,
    clock,
    random,
    logger,
    startFacts,
    gatewayId,
    frontPorts: corePorts.gateway,
    commits,
    onDeath,
  });
  // The threads start while this one compiles the contract: together they take most of a start. Calls wait in the port.
  const started = core.start();
  started.catch(() => undefined); // it is awaited below; a failure before that must not count as unhandled

  // Loaded only now that the other threads are on their way: it takes as long as theirs to load.
  const { openHttp } = await import('./open-http.ts');
  const { http, registerMetrics } = await openHttp({
    ...options,
    core,
    httpThreads,
    corePorts: corePorts.http,
    commits,
  });

  let port: number;
  try {
    await Promise.all([started, http.ready]);
    await registerMetrics();
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
