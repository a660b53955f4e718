/**
 * A further HTTP thread: it listens at the port of the main thread, and the system distributes the connections among them.
 *
 * @module
 */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { Registry } from 'prom-client';
import type { GatewayCoreApi } from '../../gateway/index.ts';
import { type PackedCoreApi, unpackingCore } from '../../gateway/packed-groups.ts';
import type { GatewayMetrics } from '../../gateway/types.ts';
import type { JwtSettings } from '../../gateway/access/jwt-settings.ts';
import {
  familiesOf,
  SharedUses,
  type HttpOptions,
  type MetricFamily,
  type SharedMemory,
  type TlsPair,
} from '../../http/index.ts';
import type { ChainContext } from '../../ledger/index.ts';
import { keepCompiled } from '../compile-cache.ts';
import type { LogLevel } from '../config.ts';
import { createClock } from '../environment.ts';
import { createHttpService, type HttpService } from '../http-service.ts';
import { listen, ListenError } from '../listen.ts';
import type { LineMirror } from '../log-mirror.ts';
import { createLogger } from '../logging.ts';
import { chooseSignatureLibrary } from '../signatures.ts';
import type { TracingConfig } from '../tracing/config.ts';
import { link } from './link.ts';
import type { StartResult, ThreadControl } from './spawn.ts';
import type { ReadableChain } from './thread-reads.ts';

export interface HttpThreadData {
  /** From 1; the main thread is 0. */
  thread: number;
  chain: ChainContext;
  config: HttpOptions;
  readableChain: ReadableChain | undefined;
  statementsFile: string;
  jwt: JwtSettings | undefined;
  verifiers: number;
  tls: TlsPair | undefined;
  logLevel: LogLevel;
  /** Shared memory for the unwritten log lines of this thread. */
  lines: LineMirror;
  requestIdPrefix: string;
  shared: SharedMemory;
  /** The other end is in the gateway thread. */
  corePort: MessagePort;
  /** Undefined: nothing is traced. */
  tracing: TracingConfig | undefined;
}

/** The counts of a thread: its metrics, and the lookups of its tokens. */
export interface HttpThreadMetrics {
  families: MetricFamily[];
  gateway: GatewayMetrics;
}

export interface HttpControl extends ThreadControl {
  /** To be called after `start`, and after the main thread listens there. */
  listen(address: string, port: number): Promise<StartResult>;
  metrics(): Promise<HttpThreadMetrics>;
  replaceTls(pair: TlsPair): Promise<void>;
  announceEnd(): Promise<void>;
  /** Refuses submissions from now on. Resolves when the gateway has answered the earlier ones. */
  drainGateway(): Promise<void>;
  /** @returns the number of unanswered requests. */
  finishRequests(): Promise<number>;
}

/** Calls from an HTTP thread to the main thread. */
export interface MainForHttp {
  /** Metrics of all threads. */
  metricFamilies(): Promise<MetricFamily[]>;
}

const data = workerData as HttpThreadData;
const logger = createLogger({ level: data.logLevel, thread: `http-${data.thread + 1}`, lines: data.lines });
// The main thread logs the chosen library.
chooseSignatureLibrary();
const registry = new Registry();
let service: HttpService;

/**
 * A client of the ledger service that all HTTP threads share. The main thread ends it after all of them, so `drain` and `close` do nothing
 * here.
 */
function gatewayOfAll(): GatewayCoreApi {
  const core = unpackingCore(link<PackedCoreApi>(data.corePort));
  const nothing = async (): Promise<void> => undefined;
  return Object.create(core, { drain: { value: nothing }, close: { value: nothing } }) as GatewayCoreApi;
}

const control: HttpControl = {
  start: async () => {
    service = createHttpService({
      core: gatewayOfAll(),
      chain: data.chain,
      config: data.config,
      readableChain: data.readableChain,
      statementsFile: data.statementsFile,
      jwt: data.jwt,
      verifiers: data.verifiers,
      tls: data.tls,
      clock: createClock(),
      logger,
      registry,
      requestIdPrefix: data.requestIdPrefix,
      thread: data.thread,
      shared: new SharedUses(data.shared),
      metricFamilies: () => main.metricFamilies(),
      tracer:
        data.tracing &&
        (await import('../tracing/open-tracer.ts')).openTracer(data.tracing, {
          clock: createClock(),
          logger,
          chainId: data.chain.chainId,
        }),
    });
    await service.ready;
    return { ok: true };
  },
  listen: async (address, port) => {
    try {
      await listen(service.server, address, port, { shared: true });
      return { ok: true };
    } catch (error) {
      if (error instanceof ListenError) return { ok: false, message: error.message };
      throw error;
    }
  },
  metrics: async () => ({ families: await familiesOf(registry), gateway: await service.gateway.metrics() }),
  replaceTls: async (pair) => service.replaceTls(pair),
  announceEnd: async () => service.announceEnd(),
  drainGateway: () => service.gateway.drain(),
  finishRequests: () => service.finishRequests(),
  keepCompiled: async () => keepCompiled(),
  stop: async () => await service.close(),
};
if (!parentPort) throw new Error('this module is the entry of a worker thread');
const main = link<MainForHttp>(parentPort, control);
