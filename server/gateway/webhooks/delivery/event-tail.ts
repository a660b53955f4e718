/**
 * Reads of the event log for the queues of all endpoints. Those at its end, most of the time all of them, share one read of each block and
 * keep its events until the slowest of them is far behind; one that is further behind reads for itself.
 */
import { READ_EVENTS_MAX, TAIL_EVENTS_MAX } from './limits.ts';
import { isBehind, samePlace } from './place.ts';
import type { DeliveredEvent, EventPlace, EventSource } from './ports.ts';

export interface EventSlice {
  readonly events: readonly DeliveredEvent[];
  readonly place: EventPlace;
}

export class EventTail {
  readonly #source: EventSource;
  /** Cached events: all behind `#from` up to `#to`. */
  #events: DeliveredEvent[] = [];
  #from: EventPlace | undefined;
  #to: EventPlace | undefined;
  /** The current read, at most one; a tail that was started again drops it. */
  #reading: Promise<void> | undefined;

  constructor(source: EventSource) {
    this.#source = source;
  }

  async after(place: EventPlace): Promise<EventSlice> {
    if (this.#to === undefined || isBehind(place, this.#to)) {
      this.#from = this.#to = place;
      this.#events = [];
      this.#reading = undefined;
    }
    if (this.#from !== undefined && isBehind(this.#from, place))
      return await this.#source.after(place, READ_EVENTS_MAX);
    // A read that was under way may have begun before the events that were announced to this caller.
    if (this.#isAtEnd(place)) await this.#reading;
    if (this.#isAtEnd(place)) await (this.#reading ?? this.#beginReading(place));
    return this.#kept(place) ?? (await this.#source.after(place, READ_EVENTS_MAX));
  }

  #isAtEnd(place: EventPlace): boolean {
    return this.#to !== undefined && samePlace(place, this.#to);
  }

  #beginReading(from: EventPlace): Promise<void> {
    const reading = this.#readOn(from).finally(() => {
      if (this.#reading === reading) this.#reading = undefined;
    });
    return (this.#reading = reading);
  }

  async #readOn(from: EventPlace): Promise<void> {
    const { events, place } = await this.#source.after(from, READ_EVENTS_MAX);
    // The tail was started again meanwhile, at a later place.
    if (!this.#isAtEnd(from)) return;
    this.#events.push(...events);
    this.#to = place;
    const surplus = this.#events.length - TAIL_EVENTS_MAX;
    if (surplus <= 0) return;
    const last = this.#events[surplus - 1] as DeliveredEvent;
    this.#from = { height: last.height, index: last.index };
    this.#events.splice(0, surplus);
  }

  /** Undefined when the place is no longer in the cache. */
  #kept(place: EventPlace): EventSlice | undefined {
    const [from, to] = [this.#from, this.#to];
    if (from === undefined || to === undefined || isBehind(from, place) || isBehind(place, to)) return undefined;
    const first = firstBehind(this.#events, place);
    const events = this.#events.slice(first, first + READ_EVENTS_MAX);
    const last = events.at(-1);
    const isAll = first + events.length === this.#events.length;
    return { events, place: isAll || last === undefined ? to : { height: last.height, index: last.index } };
  }
}

/** A binary search: the events are in order. */
function firstBehind(events: readonly DeliveredEvent[], place: EventPlace): number {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBehind(events[middle] as DeliveredEvent, place)) high = middle;
    else low = middle + 1;
  }
  return low;
}
