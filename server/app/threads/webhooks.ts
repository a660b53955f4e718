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
import { onWebhooksChanged } from './webhook-news.ts';
import type { WebhooksControl, WebhooksThreadData } from './webhooks.worker.ts';

export interface WebhookNumbers extends DeliveryNumbers {
  endpoints: WebhookCounts;
}

export const NO_NUMBERS: WebhookNumbers = { deliveries: {}, disabled: 0, inFlight: 0, lagEvents: 0, lagS: 0, endpoints: NO_WEBHOOKS };

export interface WebhooksThread {
  numbers(): Promise<WebhookNumbers>;
  /** Resolves when the thread has ended, its places written. */
  close(): Promise<void>;
}

/** How often it is asked whether there is an enabled endpoint; also one that another gateway made. */
const POLL_MS = 1000;
/** A thread without an endpoint is kept for so many polls: one that is disabled and enabled again should not wait for a start. */
const IDLE_POLLS_MAX = 10;
/** The whole end: requests in flight get 3 s of it. A thread that has not ended by then is ended. */
const CLOSE_MS_MAX = 5000;
/** Its heap: events and messages on their way. */
const HEAP_MIB_MAX = 128;
const YOUNG_GENERATION_MIB_MAX = 12;

interface Running {
  worker: Worker;
  control: Remote<WebhooksControl>;
  ended: Promise<void>;
}

export function startWebhooks(data: WebhooksThreadData, counts: () => WebhookCounts | Promise<WebhookCounts>, logger: Logger): WebhooksThread {
  let running: Running | undefined;
  let known: WebhookCounts = NO_WEBHOOKS;
  let idlePolls = 0;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  const spawn = (): void => {
    const worker = new Worker(new URL('./webhooks.worker.ts', import.meta.url), {
      name: 'txledger-webhooks',
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB_MAX, maxYoungGenerationSizeMb: YOUNG_GENERATION_MIB_MAX },
    });
    worker.on('error', (error) => logger.error({ err: error }, 'the webhooks thread died; it is started again'));
    const ended = new Promise<void>((resolve) => {
      worker.once('exit', () => {
        if (running?.worker === worker) running = undefined;
        resolve();
      });
    });
    running = { worker, control: link<WebhooksControl>(worker as unknown as MessagePort), ended };
  };

  const end = async (): Promise<void> => {
    const ending = running;
    running = undefined;
    if (ending === undefined) return;
    // A thread that dies meanwhile never answers.
    void ending.control.stop().catch((error: unknown) => logger.warn({ err: error }, 'the webhooks thread could not end in good order'));
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
    if (known.enabled > 0 && running === undefined) spawn();
    else if (idlePolls > IDLE_POLLS_MAX && running !== undefined) await end();
  };
  // One look at a time, and none is lost.
  let looks = look();
  const schedule = (): void => {
    timer = setTimeout(() => {
      looks = looks.then(look);
      void looks.finally(() => {
        if (!isClosed) schedule();
      });
    }, POLL_MS);
    timer.unref();
  };
  schedule();
  // One that this process made is delivered to without waiting for the next look.
  const unwatch = onWebhooksChanged(() => {
    if (!isClosed) looks = looks.then(look);
  });

  return {
    numbers: async () => {
      const numbers = running && (await Promise.race([running.control.numbers(), running.ended]));
      return { ...NO_NUMBERS, ...numbers, endpoints: known };
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
