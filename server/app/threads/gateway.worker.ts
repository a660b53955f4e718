/**
 * The gateway thread of a server over a network: accepts and broadcasts transfers, reads blocks and settles, on a database that several
 * gateways may share.
 *
 * @module
 */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { createGatewayCore, type FollowingCore } from '../../gateway/core.ts';
import { packingCore } from '../../gateway/packed-groups.ts';
import type { AccessApi } from '../../gateway/access/api.ts';
import { createAccessService } from '../../gateway/access/service.ts';
import { answeringStoreFaults } from '../../gateway/store-faults.ts';
import type { WebhookApi } from '../../gateway/webhooks/api.ts';
import { createWebhookService, type WebhookService } from '../../gateway/webhooks/service.ts';
import type { TargetRules } from '../../gateway/webhooks/target.ts';
import type { Engine } from '../../engine/port.ts';
import { RelocationRefusedError, StoreUnavailableError } from '../../store/errors.ts';
import type { Store } from '../../store/index.ts';
import type { WebhookLocation } from '../../store/webhooks/index.ts';
import { keepCompiled } from '../compile-cache.ts';
import { StoreTimes } from '../durations.ts';
import { createClock, createRandomSource } from '../environment.ts';
import { EXIT_DIED } from '../lifetime.ts';
import { createLogger } from '../logging.ts';
import { awaitStore, type StoreLocation } from '../store-location.ts';
import { choosePointCheck } from '../point-check.ts';
import { chooseSignatureLibrary } from '../signatures.ts';
import type { OpenTracer } from '../tracing/open-tracer.ts';
import type { CoreThreadData, NetworkControl } from './core-control.ts';
import { CoreStart } from './core-start.ts';
import type { EngineForGateway } from './engine.worker.ts';
import { link, type Remote } from './link.ts';
import { packItems, unpackBlock, unpackResults } from './packed-transactions.ts';
import type { StartResult } from './spawn.ts';
import { tellWebhooksChanged } from './webhook-news.ts';

export interface GatewayThreadData extends CoreThreadData {
  location: StoreLocation;
  webhookTargets: TargetRules;
  /** The other end is in the engine thread. */
  enginePort: MessagePort;
}

const MS_PER_S = 1000;

const data = workerData as GatewayThreadData;
const logger = createLogger({ level: data.logLevel, thread: 'gateway' });
// The main thread logs the chosen library.
chooseSignatureLibrary();
choosePointCheck();
const times = new StoreTimes();
/** Location of the database; it may change while the gateway runs. */
let { location } = data;
let store: Store;
let core: FollowingCore;
let webhooks: WebhookService | undefined;
let tracer: OpenTracer | undefined;

const coreStart = new CoreStart({
  data,
  thread: 'gateway',
  location: data.location,
  clock: createClock(),
  logger,
  append: (entries) => store.write((tx) => tx.appendAudit(entries)),
});

const open = (): Promise<StartResult> =>
  coreStart.told(async () => {
    store = await awaitStore(data.location, { clock: createClock(), logger, times });
    await coreStart.opened(store);
    await coreStart.checkToken(store);
    return { ok: true };
  });

/** The engine's functions in the form that the gateway calls. */
function engineOver(remote: Remote<EngineForGateway>): Omit<Engine, 'close'> {
  const { startFrom, validatorSets, rejectResults, status, receipt, waitForHeight, rpc, events } = remote;
  return {
    startFrom,
    validatorSets,
    rejectResults,
    status,
    receipt,
    waitForHeight,
    rpc,
    events,
    broadcast: async (items) => unpackResults(await remote.broadcast(packItems(items))),
    blocks: async (fromHeight, limit) => (await remote.blocks(fromHeight, limit)).map(unpackBlock),
  };
}

const webhookLocation = (of: StoreLocation): WebhookLocation =>
  of.kind === 'postgres' ? of : { kind: 'gateway', path: of.path };

/**
 * Webhooks are served here, because only this thread has the current location of the database. They have a connection of their own, opened
 * on demand.
 */
function webhookCalls(): WebhookApi {
  webhooks ??= createWebhookService({
    openStore: async () =>
      (await import('../../store/webhooks/index.ts')).openWebhookStore(webhookLocation(location), logger),
    height: async () => (await core.chain()).height,
    appendAudit: (entries) => core.appendAudit(entries),
    onChange: tellWebhooksChanged,
    targets: data.webhookTargets,
    chain: { chainId: data.genesis.chainId, addressPrefix: data.genesis.addressPrefix },
    clock: createClock(),
    random: createRandomSource(),
    logger,
  });
  // This thread closes and reopens the service itself, and the ledger service uses the name `close` for something else.
  const { close: _, reopen: __, ...calls } = webhooks;
  return calls;
}

function accessCalls(): AccessApi {
  return createAccessService({
    change: (change) => core.changeAccess(change),
    read: (work) => answeringStoreFaults(() => work(store.now), logger),
    chain: data.genesis,
    clock: createClock(),
    random: createRandomSource(),
  });
}

const start = (): Promise<StartResult> =>
  coreStart.told(async () => {
    if (data.tracing !== undefined)
      tracer = (await import('../tracing/open-tracer.ts')).openTracer(data.tracing, {
        clock: createClock(),
        logger,
        chainId: data.genesis.chainId,
      });
    core = await createGatewayCore({
      tracer,
      storeFigures: () => times.figures(store.connections?.(), store.standbys?.(), store.replicas?.()),
      store,
      engine: engineOver(link<EngineForGateway>(data.enginePort)),
      genesis: data.genesis,
      gatewayId: data.gatewayId,
      operatorSeed: data.operatorSeed,
      clock: createClock(),
      logger,
      onFatal: (error) => {
        logger.error({ err: error }, 'memory may be ahead of the disk');
        process.exit(EXIT_DIED); // ends this thread, and with it the process
      },
      limits: {
        pendingTtlMs: data.pendingTtlS * MS_PER_S,
        pendingMax: data.pendingMax,
        pendingPerOwnerMax: data.pendingPerOwnerMax,
      },
    });
    for (const port of data.frontPorts) link(port, Object.assign(packingCore(core), webhookCalls(), accessCalls()));
    return { ok: true };
  });

const control: NetworkControl = {
  open,
  start,
  recordStart: coreStart.recordStart,
  recordRefusal: coreStart.recordRefusal,
  appendAudit: (entries) => core.appendAudit(entries),
  webhookCounts: () => store.now.webhookCounts(),
  relocate: async (url) => {
    if (store.relocate === undefined)
      return { ok: false, message: 'the database of this gateway is a file in its DATA_DIR' };
    try {
      await store.relocate(url, core.place());
    } catch (error) {
      if (!(error instanceof RelocationRefusedError || error instanceof StoreUnavailableError)) throw error;
      return { ok: false, message: error.message };
    }
    location = { kind: 'postgres', url };
    await webhooks?.reopen();
    return { ok: true };
  },
  useReplicas: async (url) => {
    try {
      await store.useReplicas?.(url);
      return { ok: true };
    } catch (error) {
      // A file that the URL names cannot be read. The message repeats no part of the URL.
      return { ok: false, message: (error as Error).message };
    }
  },
  keepCompiled: async () => keepCompiled(),
  stop: async () => {
    await core.close();
    await webhooks?.close();
    await coreStart.recordStop();
    await store.close();
    await tracer?.close();
  },
};
if (!parentPort) throw new Error('this module is the entry of a worker thread');
link(parentPort, control);
