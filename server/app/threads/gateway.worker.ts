/**
 * The gateway thread: accepts, dispatches, follows and settles, and is the one writer of transfers in gateway.db.
 *
 * @module
 */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { createGatewayCore, WrongStoreError, type GatewayCore } from '../../gateway/index.ts';
import type { GenesisDocument } from '../../ledger/index.ts';
import { StoreUnavailableError, type Store } from '../../store/index.ts';
import type { LogLevel } from '../config.ts';
import { createClock } from '../environment.ts';
import { EXIT_DIED } from '../lifetime.ts';
import { createLogger } from '../logging.ts';
import { DatabaseUnreachableError, describeLocation, openStore, type StoreLocation } from '../store-location.ts';
import type { EngineForGateway } from './engine.worker.ts';
import { link } from './link.ts';
import type { StartResult, ThreadControl } from './spawn.ts';

export interface GatewayThreadData {
  genesis: GenesisDocument;
  location: StoreLocation;
  /** Which of the gateways on one database this is. */
  gatewayId: string;
  /** 32 bytes; signs cancels. */
  operatorSeed: Uint8Array;
  pendingTtlS: number;
  pendingMax: number;
  pendingPerOwnerMax: number;
  logLevel: LogLevel;
  /** The other end is in the engine thread. */
  enginePort: MessagePort;
  /** The other end is in the main thread, which finds the functions of `GatewayCoreApi` here. */
  frontPort: MessagePort;
}

export type GatewayControl = ThreadControl;

const MS_PER_S = 1000;

const data = workerData as GatewayThreadData;
const logger = createLogger({ level: data.logLevel, thread: 'gateway' });
let store: Store;
let core: GatewayCore;

async function start(): Promise<StartResult> {
  try {
    store = await openStore(data.location, logger);
    core = await createGatewayCore({
      store,
      engine: link<EngineForGateway>(data.enginePort),
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
  } catch (error) {
    const where = describeLocation(data.location);
    if (error instanceof WrongStoreError) return { ok: false, message: `${where} does not belong to this chain: ${error.message}.` };
    if (error instanceof StoreUnavailableError) return { ok: false, message: `${where} cannot be used: ${error.message}` };
    if (error instanceof DatabaseUnreachableError) return { ok: false, message: error.message };
    throw error;
  }
  link(data.frontPort, core);
  return { ok: true };
}

const control: GatewayControl = {
  start,
  stop: async () => {
    await core.close();
    await store.close();
  },
};
if (!parentPort) throw new Error('this module is the entry of a worker thread');
link(parentPort, control);
