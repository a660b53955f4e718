/**
 * Starts a thread and watches over it: a thread that dies on its own takes the process with it.
 *
 * There is no restart of a single thread. After a failed commit its memory may be ahead of its disk and of what the
 * other threads were told; starting the whole process again catches every store up from the one before, and that is
 * the one repair that is always right.
 *
 * @module
 */
import { Worker, type MessagePort, type Transferable } from 'node:worker_threads';
import type { Logger } from '../../engine/ports.ts';
import type { ThreadName } from '../logging.ts';
import { link, type Remote } from './link.ts';
import { watchThread } from './thread-times.ts';

/** `message` is for the operator: what does not fit, and what to do. `later` when the same start may succeed later: when there is a database, or room. */
export type StartResult = { ok: true } | { ok: false; message: string; later?: 'database' | 'room' };

/** What the main thread asks of every other thread. */
export interface ThreadControl {
  /** Opens the stores and begins to work. */
  start(): Promise<StartResult>;
  /** Writes what the thread compiled to disk, for the next start. */
  keepCompiled(): Promise<void>;
  /** Ends the work in good order; the thread then ends by itself. */
  stop(): Promise<void>;
}

export interface Thread<Control extends ThreadControl> {
  readonly control: Remote<Control>;
  /** Ends the thread without notice of its death, for after `control.stop()`. */
  dismiss(): Promise<void>;
}

/**
 * Of each thread: three semi-spaces of 8 MiB. V8 grows them to 16 MiB otherwise, and what they keep alive was half of the memory of a busy service.
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
  /** What the thread may ask of this one. */
  serves?: object;
  /**
   * What its heap holds at most; undefined: what V8 gives it. It is also how far the heap grows between two collections: V8 lets one with a
   * bound of 2 GiB or more become four times what is alive, one with less at most twice.
   */
  oldGenerationMibMax?: number | undefined;
  /** Called once, when the thread died without being dismissed. */
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
  // A Worker speaks the same messages as a MessagePort but is not one.
  const control = link<Control>(worker as unknown as MessagePort, options.serves);
  return {
    control,
    dismiss: async () => {
      expected = true;
      await worker.terminate();
    },
  };
}
