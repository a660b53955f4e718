/**
 * The threads below HTTP. With the embedded engine one thread owns the whole database. Over a network there are two: the engine calls the
 * nodes, while the gateway works on a database that it may share.
 *
 * @module
 */
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { EngineMetrics } from '../../engine/port.ts';
import type { Clock, Logger, RandomSource } from '../../engine/ports.ts';
import type { WebhookCounts } from '../../store/webhooks/counts.ts';
import type { Config } from '../config.ts';
import type { DataDir } from '../data-dir.ts';
import { DatabaseUnreachableError } from '../database-error.ts';
import type { ChainMaterials } from '../materials.ts';
import { NoRoomError, StartError } from '../start-error.ts';
import type { StartFacts } from '../start-facts.ts';
import type { AdminLocation } from '../store-location.ts';
import { webhookTargets } from '../webhook-targets.ts';
import { VERSION } from '../version.ts';
import type { CoreControl, CoreThreadData, LedgerWebhooksControl, NetworkControl } from './core-control.ts';
import type { EngineControl, EngineThreadData } from './engine.worker.ts';
import type { GatewayThreadData } from './gateway.worker.ts';
import type { ChainControl } from './jobs/chain.ts';
import { heapBounds } from './heap-bounds.ts';
import type { LedgerThreadData } from './ledger.worker.ts';
import { type Job, JOB_ENTRY } from './start-job.ts';
import { startStatements, type StatementsThread } from './statements.ts';
import type { DeliveryOptions } from '../webhooks/open-delivery.ts';
import { NO_NUMBERS, startWebhooks, type WebhookNumbers, type Webhooks } from '../webhooks/webhooks.ts';
import { onStatementsWanted } from './statements-wanted.ts';
import { spawnThread, type StartResult, type Thread, type ThreadControl } from './spawn.ts';

const MS_PER_S = 1000;

export interface CoreThreadsOptions {
  config: Config;
  dataDir: DataDir;
  location: AdminLocation;
  materials: ChainMaterials;
  clock: Clock;
  random: RandomSource;
  logger: Logger;
  startFacts: StartFacts;
  /** Id of this gateway among those on one database. */
  gatewayId: string;
  /** Ports to the HTTP threads, which call `GatewayCoreApi` over them. */
  frontPorts: readonly MessagePort[];
  /** Shared memory about chain.db, for its writer: see CommitCount. */
  commits: SharedArrayBuffer;
  /** Called when a thread has died. */
  onDeath: () => void;
}

export interface CoreThreads {
  /**
   * Starts the threads. The engine makes no block before the database is open and has a token; the gateway answers only when the engine is
   * running.
   */
  start(): Promise<void>;
  recordStart(): Promise<void>;
  recordRefusal(reason: string): Promise<void>;
  engineMetrics(): Promise<EngineMetrics>;
  /** Only over a network. @returns the reason why nothing changed, for the operator; undefined after a change. */
  replaceNodes(urls: readonly string[]): Promise<string | undefined>;
  relocateDatabase(url: string): Promise<string | undefined>;
  useReplicas(url: string | undefined): Promise<string | undefined>;
  /** Metrics of webhooks and their delivery. */
  webhookNumbers(): Promise<WebhookNumbers>;
  /** Runs on one thread after another, because a thread does nothing else meanwhile. */
  keepCompiled(): Promise<void>;
  stop(): Promise<void>;
}

export function spawnCoreThreads(options: CoreThreadsOptions): CoreThreads {
  return options.config.engine === 'embedded' ? ledgerThread(options) : networkThreads(options);
}

function ledgerThread(options: CoreThreadsOptions): CoreThreads {
  const { config, dataDir, materials, logger, onDeath } = options;
  const { validatorKey: validatorKeyFile } = materials.files;
  const { blockIntervalMs, keyFileGroup } = config;
  if (validatorKeyFile === undefined || blockIntervalMs === undefined)
    throw new TypeError('an embedded engine has a validator key and a block interval');
  const bounds = heapBounds(dataDir.files.chain, config.pendingMax);
  const between = new MessageChannel();
  const data: LedgerThreadData = {
    ...shared(options),
    chainPort: between.port1,
    dataDir: dataDir.path,
    databaseFile: dataDir.files.chain,
    validatorKeyFile,
    blockIntervalMs,
    idleBlockMs: config.idleBlockIntervalS * MS_PER_S,
    keyFileGroup,
    otherWitnessFile: config.logWitnessFile,
    webhookTargets: webhookTargets(config),
    commits: options.commits,
  };
  const thread = spawnThread<CoreControl & LedgerWebhooksControl & { metrics(): Promise<EngineMetrics> }>({
    name: 'ledger',
    module: new URL('./ledger.worker.ts', import.meta.url),
    data,
    ports: [between.port1, ...options.frontPorts],
    oldGenerationMibMax: bounds.ledgerMibMax,
    logger,
    onDeath,
  });
  const chainJob: Job<'chain'> = {
    job: 'chain',
    data: {
      file: dataDir.files.chain,
      chainId: materials.genesis.chainId,
      commits: options.commits,
      logLevel: config.logLevel,
      ledgerPort: between.port2,
    },
  };
  const chain = spawnThread<ChainControl>({
    name: 'chain',
    module: JOB_ENTRY,
    data: chainJob,
    ports: [between.port2],
    oldGenerationMibMax: bounds.chainMibMax,
    logger,
    onDeath,
  });
  let webhooks: Webhooks | undefined;
  const { chain: chainFile, statements: statementsFile } = dataDir.files;
  let statements: StatementsThread | undefined;
  const stopListening = onStatementsWanted(() => {
    statements ??= startStatements(
      { genesis: materials.genesis, chainFile, statementsFile, logLevel: config.logLevel },
      logger,
    );
  });
  return {
    start: async () => {
      checkStarted(await thread.control.start());
      webhooks = deliverWebhooks(options, () => thread.control.webhookCounts(), {
        writeWebhookRows: (writes) => chain.control.writeWebhookRows(writes),
        disableWebhook: (what) => thread.control.disableWebhook(what),
        moveWebhookPlaces: (places) => thread.control.moveWebhookPlaces(places),
      });
    },
    recordStart: async () => checkStarted(await thread.control.recordStart()),
    recordRefusal: (reason) => thread.control.recordRefusal(reason),
    engineMetrics: () => thread.control.metrics(),
    replaceNodes: async () => EMBEDDED,
    relocateDatabase: async () => EMBEDDED,
    useReplicas: async () => EMBEDDED,
    webhookNumbers: async () => (await webhooks?.numbers()) ?? NO_NUMBERS,
    keepCompiled: async () => {
      await thread.control.keepCompiled();
      await chain.control.keepCompiled();
    },
    stop: async () => {
      await webhooks?.close();
      stopListening();
      await statements?.close();
      await stopThread(thread);
      // The ledger thread has already waited until chain.db has the rest of the log.
      await chain.dismiss();
    },
  };
}

function networkThreads(options: CoreThreadsOptions): CoreThreads {
  const { config, dataDir, location, materials, logger, onDeath } = options;
  if (location.kind === 'chain') throw new TypeError('a gateway over a network has a database of its own');
  const between = new MessageChannel();
  const engineData: EngineThreadData = {
    genesis: materials.genesis,
    engine: {
      nodeUrls: config.nodeUrls,
      searchFile: dataDir.files.search,
      statementsFile: dataDir.files.statements,
      idleBlockMs: config.idleBlockIntervalS * MS_PER_S,
    },
    logLevel: config.logLevel,
    gatewayPort: between.port1,
  };
  const engine = spawnThread<EngineControl>({
    name: 'engine',
    module: new URL('./engine.worker.ts', import.meta.url),
    data: engineData,
    ports: [between.port1],
    logger,
    onDeath,
  });
  const gatewayData: GatewayThreadData = {
    ...shared(options),
    location,
    enginePort: between.port2,
    webhookTargets: webhookTargets(config),
  };
  let webhooks: Webhooks | undefined;
  const gateway = spawnThread<NetworkControl>({
    name: 'gateway',
    module: new URL('./gateway.worker.ts', import.meta.url),
    data: gatewayData,
    ports: [between.port2, ...options.frontPorts],
    logger,
    onDeath,
  });
  return {
    start: async () => {
      checkStarted(await gateway.control.open());
      checkStarted(await engine.control.start());
      checkStarted(await gateway.control.start());
      webhooks = deliverWebhooks(options, () => gateway.control.webhookCounts(), {
        appendAudit: (entries) => gateway.control.appendAudit(entries),
      });
    },
    recordStart: async () => checkStarted(await gateway.control.recordStart()),
    recordRefusal: (reason) => gateway.control.recordRefusal(reason),
    engineMetrics: () => engine.control.metrics(),
    replaceNodes: async (urls) => refusalOf(await engine.control.replaceNodes(urls)),
    relocateDatabase: async (url) => {
      const refusal = refusalOf(await gateway.control.relocate(url));
      if (refusal === undefined) await webhooks?.relocate({ kind: 'postgres', url });
      return refusal;
    },
    useReplicas: async (url) => refusalOf(await gateway.control.useReplicas(url)),
    webhookNumbers: async () => (await webhooks?.numbers()) ?? NO_NUMBERS,
    keepCompiled: async () => {
      await engine.control.keepCompiled();
      await gateway.control.keepCompiled();
    },
    stop: async () => {
      await webhooks?.close();
      await stopThread(gateway);
      await stopThread(engine);
    },
  };
}

function deliverWebhooks(
  { config, location, commits, materials, gatewayId, clock, random, logger }: CoreThreadsOptions,
  counts: () => Promise<WebhookCounts>,
  calls: DeliveryOptions['calls'],
): Webhooks {
  return startWebhooks({
    location,
    // Loaded with the first endpoint, because most services have none.
    open: async (at, onFault) =>
      (await import('../webhooks/open-delivery.ts')).openDelivery({
        location: at,
        commits,
        chainId: materials.genesis.chainId,
        gatewayId,
        targets: webhookTargets(config),
        version: VERSION,
        calls,
        clock,
        random,
        logger,
        onFault,
      }),
    counts,
    logger,
  });
}

function shared({ config, materials, startFacts, gatewayId, frontPorts }: CoreThreadsOptions): CoreThreadData {
  const { pendingTtlS, pendingMax, pendingPerOwnerMax, logLevel, tracing } = config;
  return {
    genesis: materials.genesis,
    operatorSeed: materials.operator.seed,
    tokenNeeded: config.mode === 'production' && config.jwt === undefined,
    pendingTtlS,
    pendingMax,
    pendingPerOwnerMax,
    logLevel,
    startFacts,
    gatewayId,
    frontPorts,
    tracing,
  };
}

const EMBEDDED = 'the embedded engine has neither nodes nor a shared database';

const refusalOf = (result: StartResult): string | undefined => (result.ok ? undefined : result.message);

function checkStarted(result: StartResult): void {
  if (result.ok) return;
  if (result.later === 'database') throw new DatabaseUnreachableError(result.message);
  throw result.later === 'room' ? new NoRoomError(result.message) : new StartError(result.message);
}

async function stopThread(thread: Thread<ThreadControl>): Promise<void> {
  await thread.control.stop();
  await thread.dismiss();
}
