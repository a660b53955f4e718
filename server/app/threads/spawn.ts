/**
 * Starts a thread and monitors it: a thread that dies without being dismissed ends the process.
 *
 * A single thread is never restarted. After a failed commit its memory may be ahead of its disk, and may differ from the results that other
 * threads have received. A restart of the whole process brings every store up to date from the one before it; no other repair is always
 * right.
 *
 * @module
 */
import { Worker, type MessagePort, type Transferable } from 'node:worker_threads';
import type { Logger } from '../../engine/ports.ts';
import type { ThreadName } from '../logging.ts';
import { link, type Remote } from './link.ts';
import { watchThread } from './thread-times.ts';

/**
 * `message` is for the operator: the fault and the remedy. `later`: the same start may succeed later, when the database can be reached or
 * the disk has room.
 */
export type StartResult = { ok: true } | { ok: false; message: string; later?: 'database' | 'room' };

/** Calls from the main thread to every other thread. */
export interface ThreadControl {
  /** Opens the stores and begins to work. */
  start(): Promise<StartResult>;
  /** Writes what the thread compiled to disk, for the next start. */
  keepCompiled(): Promise<void>;
  /** Ends the work in order; the thread then ends by itself. */
  stop(): Promise<void>;
}

export interface Thread<Control extends ThreadControl> {
  readonly control: Remote<Control>;
  /** Ends the thread without calling `onDeath`; to be called after `control.stop()`. */
  dismiss(): Promise<void>;
}

/**
 * Bound for each thread: three semi-spaces of 8 MiB. Otherwise V8 grows them to 16 MiB, and the objects that they keep alive were half of
 * the memory of a busy service.
 */
const YOUNG_GENERATION_MIB_MAX = 24;

export interface SpawnOptions {
  name: Exclude<ThreadName, 'main'>;
  module: URL;
  /** Structured-cloneable; the thread reads it as `workerData`. */
  data: object;
  /** The ports inside `data`. */
  ports: readonly MessagePort[];
  logger: Logger;
  /** Functions that the thread may call here. */
  serves?: object;
  /**
   * Bound of its heap; undefined: V8's default. It also bounds the growth between two collections: with a bound of 2 GiB or more V8 lets a
   * heap grow to four times its live objects, with a lower one at most to twice.
   */
  oldGenerationMibMax?: number | undefined;
  /** Called once, if the thread dies without being dismissed. */
  onDeath: () => void;
}

export function spawnThread<Control extends ThreadControl>(options: SpawnOptions): Thread<Control> {
  const { name, logger, oldGenerationMibMax } = options;
  const worker = new Worker(options.module, {
    name: `txledger-${name}`,
    workerData: options.data,
    resourceLimits: {
      maxYoungGenerationSizeMb: YOUNG_GENERATION_MIB_MAX,
      ...(oldGenerationMibMax !== undefined && { maxOldGenerationSizeMb: oldGenerationMibMax }),
    },
    transferList: [...options.ports] as Transferable[],
  });
  watchThread(name, worker);
  let expected = false;
  let reported = false;
  const died = (fields: object): void => {
    if (expected || reported) return;
    reported = true;
    logger.error({ deadThread: name, ...fields }, `the ${name} thread died; the process ends`);
    options.onDeath();
  };
  worker.on('error', (error) => died({ err: error }));
  worker.on('exit', (code) => died({ exitCode: code }));
  // A Worker has the same message methods as a MessagePort, but is not one.
  const control = link<Control>(worker as unknown as MessagePort, options.serves);
  return {
    control,
    dismiss: async () => {
      expected = true;
      await worker.terminate();
    },
  };
}
