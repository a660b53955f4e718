/**
 * Delivers webhooks: a serial queue for each enabled endpoint, with a common number of requests in flight.
 *
 * Endpoints are read again when any gateway has changed them. Two deliveries on one store, as after a lease that ran out, repeat messages
 * but lose none and never send a later event before an earlier one.
 */
import type { Clock, Logger, RandomSource, Timer } from '../../../engine/ports.ts';
import type { DeliveryContext } from './context.ts';
import { DeliveryCounters, type DeliveryNumbers } from './counters.ts';
import { EventTail } from './event-tail.ts';
import { Lane } from './lane.ts';
import {
  ENDPOINTS_POLL_MS,
  IN_FLIGHT_MAX,
  IN_FLIGHT_SLOW_MAX,
  LAG_EVENTS_MAX,
  READ_EVENTS_MAX,
  STOP_MS_MAX,
} from './limits.ts';
import { samePlace } from './place.ts';
import type { DeliveredEvent, EndpointStore, EventPlace, EventSource, Sender, SideJob } from './ports.ts';
import { ProgressWriter } from './progress-writer.ts';
import { Slots, type SlotLimits } from './slots.ts';

export interface WebhookDeliveryOptions {
  store: EndpointStore;
  events: EventSource;
  sender: Sender;
  clock: Clock;
  random: RandomSource;
  logger: Logger;
  /** The message for this event. */
  bodyOf(event: DeliveredEvent): string;
  slots?: SlotLimits;
  /** Interval of the polls for changes; ENDPOINTS_POLL_MS by default. */
  pollMs?: number;
}

const MS_PER_S = 1000;

export class WebhookDelivery {
  readonly #context: DeliveryContext;
  readonly #pollMs: number;
  readonly #lanes = new Map<string, Lane>();
  #version: string | number | undefined;
  #poll: Timer | undefined;
  #looking: Promise<void> | undefined;
  #lookAgain = false;
  #isStopped = false;
  #unwatch: () => void = () => undefined;

  constructor({ slots, pollMs = ENDPOINTS_POLL_MS, ...options }: WebhookDeliveryOptions) {
    this.#pollMs = pollMs;
    this.#context = {
      ...options,
      tail: new EventTail(options.events),
      slots: new Slots(slots ?? { max: IN_FLIGHT_MAX, slowMax: IN_FLIGHT_SLOW_MAX }),
      progress: new ProgressWriter(options),
      counters: new DeliveryCounters(),
      changed: () => this.changed(),
    };
  }

  /** Number of endpoints that it delivers to. */
  get size(): number {
    return this.#lanes.size;
  }

  /** Resolves after the first read of the endpoints, also when it failed. */
  async start(): Promise<void> {
    this.#unwatch = this.#context.events.watch(() => {
      for (const lane of this.#lanes.values()) lane.kick();
    });
    await this.#look();
    this.#schedule();
  }

  /** Reads endpoints and jobs now, because they were changed. */
  changed(): void {
    this.#version = undefined;
    void this.#look();
  }

  async numbers(): Promise<DeliveryNumbers> {
    const { clock, counters, slots } = this.#context;
    const waiting = [...this.#lanes.values()].filter(({ next }) => next !== undefined);
    const last = waiting.toSorted((a, b) => (a.next?.blockTimeMs ?? 0) - (b.next?.blockTimeMs ?? 0))[0];
    const lagEvents = last === undefined ? 0 : await this.#eventsBehind(last.place);
    const lagS = last?.next === undefined ? 0 : Math.max(0, clock.nowMs() - last.next.blockTimeMs) / MS_PER_S;
    return {
      deliveries: { ...counters.deliveries },
      disabled: counters.disabled,
      inFlight: slots.taken,
      lagEvents,
      lagS,
    };
  }

  /** Counted in short reads, and no further than LAG_EVENTS_MAX. */
  async #eventsBehind(place: EventPlace): Promise<number> {
    let count = 0;
    for (let from = place; count < LAG_EVENTS_MAX;) {
      const read = await this.#context.events.after(from, READ_EVENTS_MAX);
      count += read.events.length;
      if (samePlace(read.place, from)) break;
      from = read.place;
    }
    return Math.min(count, LAG_EVENTS_MAX);
  }

  /** Begins nothing more, gives the requests in flight a bounded time, and writes the places. */
  async stop(msMax: number = STOP_MS_MAX): Promise<void> {
    this.#isStopped = true;
    this.#poll?.cancel();
    this.#unwatch();
    const lanes = [...this.#lanes.values()];
    for (const lane of lanes) lane.close();
    const deadline = this.#context.clock.setTimer(() => {
      this.#context.progress.hurry();
      for (const lane of lanes) lane.abort();
    }, msMax);
    await Promise.all(lanes.map((lane) => lane.ended()));
    deadline.cancel();
    await this.#looking;
    await this.#context.progress.stop();
  }

  #schedule(): void {
    this.#poll = this.#context.clock.setTimer(() => {
      void this.#look().then(() => {
        if (!this.#isStopped) this.#schedule();
      });
    }, this.#pollMs);
  }

  async #look(): Promise<void> {
    this.#lookAgain = true;
    this.#looking ??= this.#lookUntilSame().finally(() => (this.#looking = undefined));
    await this.#looking;
  }

  async #lookUntilSame(): Promise<void> {
    const { store, progress, logger } = this.#context;
    while (this.#lookAgain && !this.#isStopped) {
      this.#lookAgain = false;
      try {
        const version = await store.version();
        if (version === this.#version) continue;
        // The store has older places than the queues until these are written.
        if (!(await progress.flush())) continue;
        const { endpoints, jobs } = await store.load();
        this.#version = version;
        if (!this.#isStopped) this.#apply(endpoints, jobs);
      } catch (error) {
        logger.warn({ err: error }, 'webhooks could not be read; trying again soon');
      }
    }
  }

  #apply(endpoints: Awaited<ReturnType<EndpointStore['load']>>['endpoints'], jobs: readonly SideJob[]): void {
    const jobsOf = Map.groupBy(jobs, ({ endpointId }) => endpointId);
    const ids = new Set(endpoints.map(({ id }) => id));
    for (const [id, lane] of this.#lanes) {
      if (ids.has(id)) continue;
      lane.abort();
      this.#lanes.delete(id);
      this.#context.sender.forget(id);
    }
    for (const endpoint of endpoints) {
      let lane = this.#lanes.get(endpoint.id);
      if (lane === undefined) this.#lanes.set(endpoint.id, (lane = new Lane(this.#context, endpoint)));
      lane.update(endpoint, jobsOf.get(endpoint.id) ?? []);
    }
  }
}
