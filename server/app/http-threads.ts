/**
 * The HTTP threads of the process as one: the main thread's, and the further ones of HTTP_THREADS.
 *
 * Each listens at the port with a socket of its own (SO_REUSEPORT). State that applies to all of them is in shared memory
 * (server/http/shared).
 *
 * @module
 */
import type { MessagePort } from 'node:worker_threads';
import { Registry } from 'prom-client';
import type { Clock, Logger } from '../engine/ports.ts';
import type { GatewayCoreApi } from '../gateway/index.ts';
import { type PackedCoreApi, unpackingCore } from '../gateway/packed-groups.ts';
import type { JwtSettings } from '../gateway/access/jwt-settings.ts';
import {
  addUp,
  familiesOf,
  gatewayFamilies,
  SharedUses,
  sharedMemory,
  type HttpOptions,
  type MetricFamily,
  type TlsPair,
} from '../http/index.ts';
import type { Readiness } from '../gateway/types.ts';
import type { ChainContext } from '../ledger/index.ts';
import type { LogLevel } from './config.ts';
import { createHttpService } from './http-service.ts';
import { listen, ListenError, probePort } from './listen.ts';
import { createMirror } from './log-mirror.ts';
import { writeLinesAtExit } from './log-stream.ts';
import type { TracingConfig } from './tracing/config.ts';
import type { OpenTracer } from './tracing/open-tracer.ts';
import { link } from './threads/link.ts';
import { spawnThread, type Thread } from './threads/spawn.ts';
import type { ReadableChain } from './threads/thread-reads.ts';
import type { HttpControl, HttpThreadData, MainForHttp } from './threads/http.worker.ts';

export interface HttpThreadsOptions {
  /** At least 1. */
  threads: number;
  /** Ports to the gateway thread, one for each HTTP thread. */
  corePorts: readonly MessagePort[];
  chain: ChainContext;
  config: HttpOptions;
  /** See HttpServiceOptions. */
  readableChain: ReadableChain | undefined;
  statementsFile: string;
  /** Rules for JWTs that are accepted; undefined: JWTs are refused. */
  jwt: JwtSettings | undefined;
  /** Number of verifier threads of each HTTP thread. */
  verifiers: number;
  tls: TlsPair | undefined;
  clock: Clock;
  logger: Logger;
  logLevel: LogLevel;
  /** Registry of the process; the counts of the HTTP layer are added to it. */
  registry: Registry;
  requestIdPrefix: string;
  /** Tracing options of the further threads; `tracer` is the main thread's. Undefined: nothing is traced. */
  tracing: TracingConfig | undefined;
  tracer: OpenTracer | undefined;
  onDeath: () => void;
}

export interface HttpThreads {
  /** Resolves when all threads can listen. */
  ready: Promise<void>;
  /** @returns the port: for port 0 the system chooses a free one, and all threads listen there. */
  listen(host: string, port: number): Promise<number>;
  readiness(): Promise<Readiness>;
  keepCompiled(): Promise<void>;
  replaceTls(pair: TlsPair): Promise<void>;
  /** Makes /readyz answer 503 from now on, on every thread. */
  announceEnd(): Promise<void>;
  /** Refuses new work, waits for requests in flight, and ends the gateway and the further threads. */
  drain(): Promise<void>;
}

export function createHttpThreads(options: HttpThreadsOptions): HttpThreads {
  const {
    threads,
    chain,
    config,
    readableChain,
    statementsFile,
    jwt,
    verifiers,
    tls,
    clock,
    logger,
    logLevel,
    registry,
    requestIdPrefix,
    tracing,
    tracer,
    onDeath,
  } = options;
  const [corePort, ...otherPorts] = options.corePorts;
  if (corePort === undefined) throw new TypeError('the main thread has a port to the gateway');
  const memory = threads === 1 ? undefined : sharedMemory({ threads, connectionsMax: config.connectionsMax });
  // Counts of the threads are added up; metrics of the process are counted once.
  const own = memory === undefined ? registry : new Registry();

  const metricFamilies = async (): Promise<MetricFamily[]> => {
    const [process, mine, gateway, ...others] = await Promise.all([
      familiesOf(registry),
      own === registry ? [] : familiesOf(own),
      service.gateway.metrics(),
      ...workers.map(({ control }) => control.metrics()),
    ]);
    for (const other of others) {
      gateway.token_lookups_known_total += other.gateway.token_lookups_known_total;
      gateway.token_lookups_unknown_total += other.gateway.token_lookups_unknown_total;
    }
    return [
      ...process,
      ...(await addUp([mine, ...others.map(({ families }) => families)])),
      ...gatewayFamilies(gateway),
    ];
  };
  const serves: MainForHttp = { metricFamilies };
  const workers: Thread<HttpControl>[] = otherPorts.map((port, index) => {
    const lines = createMirror();
    writeLinesAtExit(lines);
    if (memory === undefined) throw new TypeError('several threads share memory');
    const data: HttpThreadData = {
      thread: index + 1,
      chain,
      config,
      readableChain,
      statementsFile,
      jwt,
      verifiers,
      tls,
      logLevel,
      lines,
      requestIdPrefix,
      shared: memory,
      corePort: port,
      tracing,
    };
    return spawnThread<HttpControl>({
      name: `http-${index + 2}`,
      module: new URL('./threads/http.worker.ts', import.meta.url),
      data,
      ports: [port],
      logger,
      serves,
      onDeath,
    });
  });

  const core = unpackingCore(link<PackedCoreApi>(corePort));
  // Requests that the other threads sent before are still accepted; the ledger service stops accepting after them.
  const drainCore = async (): Promise<void> => {
    await othersDrained;
    await core.drain();
  };
  let othersDrained: Promise<unknown> = Promise.resolve();
  const service = createHttpService({
    core: Object.create(core, { drain: { value: drainCore } }) as GatewayCoreApi,
    chain,
    config,
    readableChain,
    statementsFile,
    jwt,
    verifiers,
    tls,
    clock,
    logger,
    registry: own,
    requestIdPrefix,
    thread: 0,
    tracer,
    ...(memory && { shared: new SharedUses(memory), metricFamilies }),
  });

  return {
    ready: Promise.all([service.ready, ...workers.map(({ control }) => control.start())]).then(() => undefined),
    listen: async (host, port) => {
      if (memory === undefined) return await listen(service.server, host, port);
      const address = await probePort(host, port);
      const opened = await listen(service.server, address, port, { shared: true });
      for (const { control } of workers) {
        const listened = await control.listen(address, opened);
        if (!listened.ok) throw new ListenError(listened.message);
      }
      return opened;
    },
    readiness: () => service.gateway.readiness(),
    keepCompiled: async () => {
      for (const { control } of workers) await control.keepCompiled();
    },
    replaceTls: async (pair) => {
      service.replaceTls(pair);
      await Promise.all(workers.map(({ control }) => control.replaceTls(pair)));
    },
    announceEnd: async () => {
      service.announceEnd();
      await Promise.all(workers.map(({ control }) => control.announceEnd()));
    },
    drain: async () => {
      // /readyz answers 503 and submissions are refused at once; the promise resolves after the requests in flight.
      othersDrained = Promise.all(workers.map(({ control }) => control.drainGateway()));
      const drained = service.gateway.drain();
      const unanswered = await Promise.all([
        service.finishRequests(),
        ...workers.map(({ control }) => control.finishRequests()),
      ]);
      const count = unanswered.reduce((sum, each) => sum + each, 0);
      if (count > 0)
        logger.warn({ unanswered: count }, 'requests were cut off: they took longer than the drain may take');
      // All at the same time: if one thread closed first, its connections would have no thread left to serve them.
      await Promise.all([service.close(), ...workers.map(({ control }) => control.stop())]);
      await drained;
      await service.gateway.close();
      await Promise.all(workers.map((worker) => worker.dismiss()));
      corePort.close();
    },
  };
}
