import type { Clock, Logger, RandomSource } from '../../../engine/ports.ts';
import type { DeliveryCounters } from './counters.ts';
import type { EventTail } from './event-tail.ts';
import type { DeliveredEvent, EndpointStore, EventSource, Sender } from './ports.ts';
import type { ProgressWriter } from './progress-writer.ts';
import type { Slots } from './slots.ts';

/** Context that the queues of all endpoints share. */
export interface DeliveryContext {
  readonly store: EndpointStore;
  readonly events: EventSource;
  readonly sender: Sender;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly logger: Logger;
  readonly tail: EventTail;
  readonly slots: Slots;
  readonly progress: ProgressWriter;
  readonly counters: DeliveryCounters;
  /** The message for this event: the same in every repetition. */
  bodyOf(event: DeliveredEvent): string;
  /** Endpoints or jobs were changed: they have to be read again. */
  changed(): void;
}
