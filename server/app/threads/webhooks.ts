/**
 * Starts the webhooks thread while there is an enabled endpoint, and starts it again when it dies: what it had not written is sent once more.
 *
 * @module
 */
import { Worker, type MessagePort } from 'node:worker_threads';
import type { Logger } from '../../engine/ports.ts';
import type { DeliveryNumbers } from '../../gateway/webhooks/delivery/counters.ts';
import { NO_WEBHOOKS, type WebhookCounts } from '../../store/webhooks/counts.ts';
import { link, type Remote } from './link.ts';
import { watchThread } from './thread-times.ts';
import { onWebhooksChanged } from './webhook-news.ts';
import type { WebhooksCalls, WebhooksControl, WebhooksThreadData } from './webhooks.worker.ts';

export interface WebhookNumbers extends DeliveryNumbers {
  endpoints: WebhookCounts;
}

export const NO_NUMBERS: WebhookNumbers = {
  deliveries: {},
  disabled: 0,
  inFlight: 0,
  lagEvents: 0,
  lagS: 0,
  endpoints: NO_WEBHOOKS,
};

export interface WebhooksThread {
  numbers(): Promise<WebhookNumbers>;
  /** Ends a running thread, which begins again where the database is now. */
  relocate(location: WebhooksThreadData['location']): Promise<void>;
  /** Resolves when the thread has ended, its places written. */
  close(): Promise<void>;
}

/** How often it is asked whether there is an enabled endpoint; also one that another gateway made. */
const POLL_MS = 1000;
/** A thread without an endpoint is kept for so many polls: one that is disabled and enabled again should not wait for a start. */
const IDLE_POLLS_MAX = 10;
/** The whole end: requests in flight get 3 s of it. A thread that has not ended by then is ended. */
const CLOSE_MS_MAX = 5000;
/** Pause before a thread that died is started again; it doubles with each death, because what killed it may still be there. */
const RESTART_MS_MIN = 1000;
const RESTART_MS_MAX = 60_000;
/** One that lived for so long is not one of those that die at once. */
const ALIVE_MS = RESTART_MS_MAX;
/** A look at the metrics waits no longer: the thread may be waiting for its database, and the other numbers are needed then most of all. */
const NUMBERS_MS_MAX = 1000;
/** Its heap: events and messages on their way. */
const HEAP_MIB_MAX = 128;
const YOUNG_GENERATION_MIB_MAX = 12;

interface Running {
  worker: Worker;
  control: Remote<WebhooksControl>;
  ended: Promise<void>;
}

export interface WebhooksOptions {
  data: WebhooksThreadData;
  calls: WebhooksCalls;
  counts: () => WebhookCounts | Promise<WebhookCounts>;
  logger: Logger;
  /** Tests have threads and waits of their own. */
  module?: URL;
  waits?: { pollMs?: number; restartMs?: number; numbersMs?: number };
}

export function startWebhooks({
  data: given,
  counts,
  calls,
  logger,
  module = new URL('./webhooks.worker.ts', import.meta.url),
  waits = {},
}: WebhooksOptions): WebhooksThread {
  const { pollMs = POLL_MS, restartMs = RESTART_MS_MIN, numbersMs = NUMBERS_MS_MAX } = waits;
  let data = given;
  let running: Running | undefined;
  let deaths = 0;
  let startAtMs = 0;
  let lastNumbers: DeliveryNumbers | undefined;
  let known: WebhookCounts = NO_WEBHOOKS;
  let idlePolls = 0;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  const spawn = (): void => {
    const beganMs = performance.now();
    const worker = new Worker(module, {
      name: 'txledger-webhooks',
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB_MAX, maxYoungGenerationSizeMb: YOUNG_GENERATION_MIB_MAX },
    });
    watchThread('webhooks', worker);
    worker.on('error', (error) => logger.error({ err: error }, 'the webhooks thread died; it is started again'));
    const ended = new Promise<void>((resolve) => {
      worker.once('exit', () => {
        resolve();
        if (running?.worker !== worker) return;
        running = undefined;
        deaths = performance.now() - beganMs < ALIVE_MS ? deaths + 1 : 1;
        startAtMs = performance.now() + Math.min(RESTART_MS_MAX, restartMs * 2 ** (deaths - 1));
      });
    });
    running = { worker, control: link<WebhooksControl>(worker as unknown as MessagePort, calls), ended };
  };

  const end = async (): Promise<void> => {
    const ending = running;
    running = undefined;
    if (ending === undefined) return;
    // A thread that dies meanwhile never answers.
    void ending.control
      .stop()
      .catch((error: unknown) => logger.warn({ err: error }, 'the webhooks thread could not end in good order'));
    const cut = setTimeout(() => void ending.worker.terminate(), CLOSE_MS_MAX);
    await ending.ended;
    clearTimeout(cut);
  };

  const look = async (): Promise<void> => {
    try {
      known = await counts();
    } catch (error) {
      logger.debug({ err: error }, 'webhooks could not be counted');
    }
    if (isClosed) return;
    idlePolls = known.enabled > 0 ? 0 : idlePolls + 1;
    if (known.enabled > 0 && running === undefined) {
      if (performance.now() >= startAtMs) spawn();
    } else if (idlePolls > IDLE_POLLS_MAX && running !== undefined) await end();
  };
  // One look at a time, and none is lost.
  let looks = look();
  const schedule = (): void => {
    timer = setTimeout(() => {
      looks = looks.then(look);
      void looks.finally(() => {
        if (!isClosed) schedule();
      });
    }, pollMs);
    timer.unref();
  };
  schedule();
  // One that this process made is delivered to without waiting for the next look.
  const unwatch = onWebhooksChanged(() => {
    if (!isClosed) looks = looks.then(look);
  });

  return {
    numbers: async () => {
      if (running === undefined) lastNumbers = undefined;
      else lastNumbers = (await numbersOf(running, numbersMs)) ?? lastNumbers;
      return { ...NO_NUMBERS, ...lastNumbers, endpoints: known };
    },
    relocate: async (location) => {
      data = { ...data, location };
      looks = looks.then(end).then(look);
      await looks;
    },
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      unwatch();
      await looks;
      await end();
    },
  };
}

/** Undefined when it does not say: it has no database now, is busy, or has died. What it said last is shown meanwhile. */
async function numbersOf({ control, ended }: Running, ms: number): Promise<DeliveryNumbers | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  try {
    return (await Promise.race([control.numbers().catch(() => undefined), ended, late])) ?? undefined;
  } finally {
    clearTimeout(timer);
  }
}
