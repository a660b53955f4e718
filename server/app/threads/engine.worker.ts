/**
 * The engine thread of a server over a network: calls its nodes and writes search.db.
 *
 * It answers the gateway thread directly over a port of its own, so that no block passes through the main thread.
 *
 * @module
 */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import type { Engine, EngineMetrics } from '../../engine/port.ts';
import { EngineStartError } from '../../engine/start-error.ts';
import type { GenesisDocument } from '../../ledger/index.ts';
import { keepCompiled } from '../compile-cache.ts';
import type { LogLevel } from '../config.ts';
import { EXIT_DIED } from '../lifetime.ts';
import { createLogger } from '../logging.ts';
import { StartError } from '../start-error.ts';
import { chooseSignatureLibrary } from '../signatures.ts';
import { openEngine, type EngineChoice, type OpenEngine } from './open-engine.ts';
import { link } from './link.ts';
import {
  packBlock,
  type PackedBlock,
  type PackedItems,
  type PackedResults,
  packResults,
  unpackItems,
} from './packed-transactions.ts';
import type { StartResult, ThreadControl } from './spawn.ts';

export interface EngineThreadData {
  genesis: GenesisDocument;
  engine: EngineChoice;
  logLevel: LogLevel;
  /** The other end is in the gateway thread, which calls `EngineForGateway` over this port. */
  gatewayPort: MessagePort;
}

/** Calls from the gateway to the engine. Closing is not among them: only the main thread does that. */
export type EngineForGateway = Omit<Engine, 'close' | 'broadcast' | 'blocks'> & {
  broadcast(items: PackedItems): Promise<PackedResults>;
  blocks(fromHeight: number, limit: number): Promise<PackedBlock[]>;
};

export interface EngineControl extends ThreadControl {
  metrics(): Promise<EngineMetrics>;
  /** Uses other nodes from now on. Nothing changes if one of them is of another chain. */
  replaceNodes(urls: readonly string[]): Promise<StartResult>;
}

const data = workerData as EngineThreadData;
const logger = createLogger({ level: data.logLevel, thread: 'engine' });
// The main thread logs the chosen library.
chooseSignatureLibrary();
let engine: OpenEngine;

async function start(): Promise<StartResult> {
  try {
    engine = await openEngine(data.engine, {
      genesis: data.genesis,
      logger,
      onFatal: (error) => {
        logger.error({ err: error }, 'the engine cannot go on');
        process.exit(EXIT_DIED); // ends this thread, and with it the process
      },
    });
  } catch (error) {
    if (error instanceof StartError) return { ok: false, message: error.message };
    throw error;
  }
  const functions: EngineForGateway = {
    startFrom: (checkpoint) => engine.startFrom(checkpoint),
    validatorSets: (height) => engine.validatorSets(height),
    rejectResults: (height) => engine.rejectResults(height),
    status: () => engine.status(),
    broadcast: async (items) => packResults(await engine.broadcast(unpackItems(items))),
    blocks: async (fromHeight, limit) => (await engine.blocks(fromHeight, limit)).map(packBlock),
    receipt: (height, txHash) => engine.receipt(height, txHash),
    waitForHeight: (height, timeoutMs) => engine.waitForHeight(height, timeoutMs),
    rpc: (method, args) => engine.rpc(method, args),
    events: (request) => engine.events(request),
  };
  link(data.gatewayPort, functions);
  return { ok: true };
}

const control: EngineControl = {
  start,
  keepCompiled: async () => keepCompiled(),
  stop: () => engine.close(),
  metrics: () => engine.metrics(),
  replaceNodes: async (urls) => {
    try {
      await engine.replaceNodes(urls);
      return { ok: true };
    } catch (error) {
      if (error instanceof EngineStartError) return { ok: false, message: error.message };
      throw error;
    }
  },
};
if (!parentPort) throw new Error('this module is the entry of a worker thread');
link(parentPort, control);
