/**
 * Delivers webhooks while an endpoint is enabled, on the main thread: nearly all of its time is waiting for receivers. Delivery that failed
 * begins again after a pause, and events whose places were not written are sent once more.
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
  /** Ends delivery, which begins again at the new location of the database. */
  relocate(location: AdminLocation): Promise<void>;
  /** Resolves when delivery has ended and its places are written. */
  close(): Promise<void>;
}

/** Interval at which enabled endpoints are counted, including those that another gateway made. */
const POLL_MS = 1000;
/**
 * Delivery without an enabled endpoint is kept for this many polls: an endpoint that is disabled and enabled again should not wait for a
 * start.
 */
const IDLE_POLLS_MAX = 10;
/** Time for the whole end, of which requests in flight get 3 s. After it the end no longer waits. */
const CLOSE_MS_MAX = 5000;
/** Pause before failed delivery begins again; it doubles with each failure, because the cause may persist. */
const RESTART_MS_MIN = 1000;
const RESTART_MS_MAX = 60_000;
/** Delivery that ran for this long is not counted as failing at once. */
const ALIVE_MS = RESTART_MS_MAX;
/** Longest wait of a scrape: delivery may be waiting for its database, and the other metrics are most needed then. */
const NUMBERS_MS_MAX = 1000;

/** Resolves after this time at the latest, and leaves no timer behind. */
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
  /** Location of events and endpoints. */
  location: AdminLocation;
  /** @param onFault called when delivery cannot continue; only the first call of an open delivery counts. */
  open(location: AdminLocation, onFault: (error: unknown) => void): Promise<OpenDelivery>;
  counts: () => WebhookCounts | Promise<WebhookCounts>;
  logger: Logger;
  /** Tests set waits of their own. */
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
    // Delivery that opens only after this time is closed then.
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
  // Polls and ends run one after another, and none is lost.
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
  // A change by this process has effect at once; a change by another gateway, at the next poll.
  const unwatch = onWebhooksChanged(() => {
    if (isClosed) return;
    void next(look);
    void running?.then(
      (delivery) => delivery.changed(),
      () => undefined,
    );
  });

  /** Undefined if delivery does not answer: it has no database now, or is busy. Meanwhile the last numbers are shown. */
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
