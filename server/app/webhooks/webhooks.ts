/**
 * Delivers webhooks while there is an enabled endpoint, on the main thread: nearly all of it is waiting for receivers. When delivery fails it is
 * begun again after a pause, and what it had not written is sent once more.
 *
 * @module
 */
import type { Logger } from '../../engine/ports.ts';
import type { DeliveryNumbers } from '../../gateway/webhooks/delivery/counters.ts';
import { NO_WEBHOOKS, type WebhookCounts } from '../../store/webhooks/counts.ts';
import type { AdminLocation } from '../store-location.ts';
import { onWebhooksChanged } from '../threads/webhook-news.ts';
import type { OpenDelivery } from './open-delivery.ts';

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

export interface Webhooks {
  numbers(): Promise<WebhookNumbers>;
  /** Ends delivery, which begins again where the database is now. */
  relocate(location: AdminLocation): Promise<void>;
  /** Resolves when delivery has ended, its places written. */
  close(): Promise<void>;
}

/** How often it is asked whether there is an enabled endpoint; also one that another gateway made. */
const POLL_MS = 1000;
/** Delivery without an endpoint is kept for so many polls: one that is disabled and enabled again should not wait for a start. */
const IDLE_POLLS_MAX = 10;
/** The whole end: requests in flight get 3 s of it. What has not ended by then is waited for no longer. */
const CLOSE_MS_MAX = 5000;
/** Pause before delivery that failed is begun again; it doubles with each failure, because what it failed of may still be there. */
const RESTART_MS_MIN = 1000;
const RESTART_MS_MAX = 60_000;
/** Delivery that went on for so long is not of the kind that fails at once. */
const ALIVE_MS = RESTART_MS_MAX;
/** A look at the metrics waits no longer: delivery may be waiting for its database, and the other numbers are needed then most of all. */
const NUMBERS_MS_MAX = 1000;

/** Resolves after this time; a promise that is raced against it leaves no timer behind. */
async function within<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), ms)));
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

export interface WebhooksOptions {
  /** Where events and endpoints are. */
  location: AdminLocation;
  /** @param onFault delivery cannot go on; called by what is open at most once that counts. */
  open(location: AdminLocation, onFault: (error: unknown) => void): Promise<OpenDelivery>;
  counts: () => WebhookCounts | Promise<WebhookCounts>;
  logger: Logger;
  /** Tests have waits of their own. */
  waits?: { pollMs?: number; restartMs?: number; numbersMs?: number; closeMs?: number };
}

export function startWebhooks({ location: given, open, counts, logger, waits = {} }: WebhooksOptions): Webhooks {
  const { pollMs = POLL_MS, restartMs = RESTART_MS_MIN, numbersMs = NUMBERS_MS_MAX, closeMs = CLOSE_MS_MAX } = waits;
  let location = given;
  let running: Promise<OpenDelivery> | undefined;
  let failures = 0;
  let startAtMs = 0;
  let lastNumbers: DeliveryNumbers | undefined;
  let known: WebhookCounts = NO_WEBHOOKS;
  let idlePolls = 0;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  const begin = (): void => {
    const beganMs = performance.now();
    let hasFailed = false;
    const failed = (error: unknown): void => {
      if (running !== opening || hasFailed) return;
      hasFailed = true;
      logger.error({ err: error }, 'delivery of webhooks failed; it is begun again');
      failures = performance.now() - beganMs < ALIVE_MS ? failures + 1 : 1;
      startAtMs = performance.now() + Math.min(RESTART_MS_MAX, restartMs * 2 ** (failures - 1));
      void next(end);
    };
    const opening = open(location, failed);
    running = opening;
    opening.catch(failed);
  };

  const end = async (): Promise<void> => {
    const ending = running;
    running = undefined;
    // What opens only after the time is over is closed then.
    const ended = ending?.then(
      (delivery) =>
        delivery
          .close()
          .catch((error: unknown) => logger.warn({ err: error }, 'delivery of webhooks could not end in good order')),
      () => undefined,
    );
    if (ended !== undefined) await within(ended, closeMs);
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
      if (performance.now() >= startAtMs) begin();
    } else if (idlePolls > IDLE_POLLS_MAX) await end();
  };
  // One look or end at a time, and none is lost.
  let looks = look();
  const next = (step: () => Promise<void>): Promise<void> => (looks = looks.then(step));
  const schedule = (): void => {
    timer = setTimeout(() => {
      void next(look).finally(() => {
        if (!isClosed) schedule();
      });
    }, pollMs);
    timer.unref();
  };
  schedule();
  // What this process changes is in force at once; what another gateway changes, at the next look.
  const unwatch = onWebhooksChanged(() => {
    if (isClosed) return;
    void next(look);
    void running?.then(
      (delivery) => delivery.changed(),
      () => undefined,
    );
  });

  /** Undefined when it does not say: it has no database now, or is busy. What it said last is shown meanwhile. */
  const numbersOf = (delivery: Promise<OpenDelivery>): Promise<DeliveryNumbers | undefined> =>
    within(
      delivery.then((each) => each.numbers()).catch(() => undefined),
      numbersMs,
    );

  return {
    numbers: async () => {
      if (running === undefined) lastNumbers = undefined;
      else lastNumbers = (await numbersOf(running)) ?? lastNumbers;
      return { ...NO_NUMBERS, ...lastNumbers, endpoints: known };
    },
    relocate: async (to) => {
      location = to;
      void next(end);
      await next(look);
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
