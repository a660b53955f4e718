/**
 * The gateway thread of a server over a network: accepts, dispatches, follows and settles on a database that several gateways may share.
 *
 * @module
 */
import { hostname } from 'node:os';
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { AuditStream } from '../../gateway/audit/audit-stream.ts';
import { actorOfGateway } from '../../gateway/audit/entries.ts';
import { createGatewayCore, type GatewayCore } from '../../gateway/core.ts';
import { packingCore } from '../../gateway/packed-groups.ts';
import { WrongStoreError } from '../../gateway/initialise.ts';
import type { Engine } from '../../engine/port.ts';
import { StoreDamagedError, StoreUnavailableError } from '../../store/errors.ts';
import type { Store } from '../../store/index.ts';
import { keepCompiled } from '../compile-cache.ts';
import { DatabaseUnreachableError } from '../database-error.ts';
import { createClock } from '../environment.ts';
import { EXIT_DIED } from '../lifetime.ts';
import { createAuditLogger, createLogger } from '../logging.ts';
import { awaitStore, describeLocation, type StoreLocation } from '../store-location.ts';
import { choosePointCheck } from '../point-check.ts';
import { missingToken } from '../usable-token.ts';
import { chooseSignatureLibrary } from '../signatures.ts';
import type { CoreControl, CoreThreadData } from './core-control.ts';
import type { EngineForGateway } from './engine.worker.ts';
import { link, type Remote } from './link.ts';
import { packItems, unpackBlock, unpackResults } from './packed-transactions.ts';
import type { StartResult } from './spawn.ts';

export interface GatewayThreadData extends CoreThreadData {
  location: StoreLocation;
  /** The other end is in the engine thread. */
  enginePort: MessagePort;
}

const MS_PER_S = 1000;

const data = workerData as GatewayThreadData;
const logger = createLogger({ level: data.logLevel, thread: 'gateway' });
// The main thread logs which one it is.
chooseSignatureLibrary();
choosePointCheck();
let store: Store;
let core: GatewayCore;
let audit: AuditStream | undefined;

/** Turns what an operator can do something about into a sentence for them. */
async function told(work: () => Promise<StartResult>): Promise<StartResult> {
  try {
    return await work();
  } catch (error) {
    const where = describeLocation(data.location);
    if (error instanceof WrongStoreError) return { ok: false, message: `${where} does not belong to this chain: ${error.message}.` };
    if (error instanceof StoreDamagedError) return { ok: false, message: `${where} is damaged: ${error.message}.` };
    if (error instanceof StoreUnavailableError) return { ok: false, message: `${where} cannot be used: ${error.message}` };
    if (error instanceof DatabaseUnreachableError) return { ok: false, message: error.message, later: true };
    throw error;
  }
}

const open = (): Promise<StartResult> =>
  told(async () => {
    const clock = createClock();
    store = await awaitStore(data.location, { clock, logger });
    const stream = createAuditLogger({ level: data.logLevel, thread: 'gateway' });
    audit = await AuditStream.open({ store, clock, stream, logger });
    audit.start();
    const message = data.tokenNeeded ? await missingToken(store, data.location, clock) : undefined;
    return message === undefined ? { ok: true } : { ok: false, message };
  });

/** The engine's functions as the gateway knows them. */
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

const start = (): Promise<StartResult> =>
  told(async () => {
    core = await createGatewayCore({
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
      limits: { pendingTtlMs: data.pendingTtlS * MS_PER_S, pendingMax: data.pendingMax, pendingPerOwnerMax: data.pendingPerOwnerMax },
    });
    for (const port of data.frontPorts) link(port, packingCore(core));
    return { ok: true };
  });

/** One entry about this server. */
async function record(action: 'server.start' | 'server.refuse' | 'server.stop', details: Record<string, unknown>): Promise<void> {
  const entry = { atMs: createClock().nowMs(), actor: actorOfGateway(data.gatewayId), action, subject: hostname(), details };
  await store.write((tx) => tx.appendAudit([entry]));
}

/** For what goes on whether it can be recorded or not. */
async function recordIfPossible(...parameters: Parameters<typeof record>): Promise<void> {
  try {
    await record(...parameters);
  } catch (error) {
    logger.error({ err: error, action: parameters[0] }, 'the audit trail could not be written');
  }
  await audit?.stop();
}

const control: CoreControl = {
  open,
  start,
  recordStart: () =>
    told(async () => {
      await record('server.start', { ...data.startFacts });
      return { ok: true };
    }),
  recordRefusal: async (reason) => {
    if (audit !== undefined) await recordIfPossible('server.refuse', { ...data.startFacts, reason });
  },
  keepCompiled: async () => keepCompiled(),
  stop: async () => {
    await core.close();
    await recordIfPossible('server.stop', { version: data.startFacts.version });
    await store.close();
  },
};
if (!parentPort) throw new Error('this module is the entry of a worker thread');
link(parentPort, control);
