/**
 * The engine thread: makes blocks, and is the one writer of blocks.db, ledger.db and search.db.
 *
 * It answers the gateway thread directly over a port of its own, so that no block passes through the main thread.
 *
 * @module
 */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { createEmbeddedEngine, EngineStartError, parseValidatorKey, type EmbeddedEngineOptions } from '../../engine/embedded/index.ts';
import type { Engine, EngineMetrics } from '../../engine/port.ts';
import type { GenesisDocument } from '../../ledger/index.ts';
import type { LogLevel } from '../config.ts';
import { createClock } from '../environment.ts';
import { EXIT_DIED } from '../lifetime.ts';
import { createLogger } from '../logging.ts';
import { readSecretFile } from '../secret-file.ts';
import { link } from './link.ts';
import type { StartResult, ThreadControl } from './spawn.ts';

export interface EngineThreadData {
  genesis: GenesisDocument;
  dataDir: string;
  validatorKeyFile: string;
  blockIntervalMs: number;
  logLevel: LogLevel;
  /** The other end is in the gateway thread, which finds the functions of `EngineForGateway` there. */
  gatewayPort: MessagePort;
}

/** What the gateway may ask of the engine. It may not close it: that is the main thread's decision. */
export type EngineForGateway = Omit<Engine, 'close'>;

export interface EngineControl extends ThreadControl {
  metrics(): Promise<EngineMetrics>;
}

const data = workerData as EngineThreadData;
const logger = createLogger({ level: data.logLevel, thread: 'engine' });
let engine: Awaited<ReturnType<typeof createEmbeddedEngine>>;

function validatorKey(): EmbeddedEngineOptions['validatorKey'] {
  const parsed = parseValidatorKey(readSecretFile(data.validatorKeyFile, 'the validator key'));
  if (!parsed.ok) throw new EngineStartError(`The validator key at ${data.validatorKeyFile} ${parsed.message}.`);
  return parsed.key;
}

async function start(): Promise<StartResult> {
  try {
    engine = await createEmbeddedEngine({
      genesis: data.genesis,
      dataDir: data.dataDir,
      validatorKey: validatorKey(),
      blockIntervalMs: data.blockIntervalMs,
      clock: createClock(),
      logger,
      onFatal: (error) => {
        logger.error({ err: error }, 'no more blocks can be made');
        process.exit(EXIT_DIED); // ends this thread, and with it the process
      },
    });
  } catch (error) {
    if (error instanceof EngineStartError) return { ok: false, message: error.message };
    throw error;
  }
  const functions: EngineForGateway = {
    status: () => engine.status(),
    broadcast: (items) => engine.broadcast(items),
    blocks: (fromHeight, limit) => engine.blocks(fromHeight, limit),
    waitForHeight: (height, timeoutMs) => engine.waitForHeight(height, timeoutMs),
    rpc: (method, args) => engine.rpc(method, args),
    events: (fromHeight, limit) => engine.events(fromHeight, limit),
  };
  link(data.gatewayPort, functions);
  return { ok: true };
}

const control: EngineControl = {
  start,
  stop: () => engine.close(),
  metrics: () => engine.metrics(),
};
if (!parentPort) throw new Error('this module is the entry of a worker thread');
link(parentPort, control);
