/** The event log for delivery, from whichever database has it. */
import type { Clock, Timer } from '../../../engine/ports.ts';
import { type Kind, turnsOf } from '../../turns.ts';
import type { EventPage, EventQuery } from '../../event-types.ts';
import type { Refusal } from '../../types.ts';
import { samePlace } from './place.ts';
import type { EventPlace, EventSource } from './ports.ts';

/** Requests of HTTP share the thread, and payments come before events of them. */
const EVENTS: Kind = { weight: 1, share: 0.2 };

export interface EventSourceOptions {
  list(query: EventQuery): EventPage | Refusal | Promise<EventPage | Refusal>;
  /** Interval of the looks at the end of the log. */
  pollMs: number;
  clock: Clock;
  /** Announces blocks, where there is a source of announcements. Returns a function that ends it. */
  watch?: ((listener: () => void) => () => void) | undefined;
}

export function eventSource({ list, pollMs, clock, watch }: EventSourceOptions): EventSource {
  const turns = turnsOf(clock);
  const read = async (query: EventQuery): Promise<EventPage> => {
    // A list that answers at once would let a reader of a long part of the log keep the thread.
    await turns.enter(EVENTS);
    const page = await list(query);
    if (!page.ok) throw new Error(`the event log cannot be read: ${page.code}`);
    await turns.yield(EVENTS);
    return page;
  };
  return {
    after: async (place, limit) => {
      const { events, nextCursor, place: reached } = await read({ limit, order: 'asc', after: place });
      const last = events.at(-1);
      // Blocks without events move no place, or every one of them would be written for every endpoint.
      if (nextCursor !== undefined) return { events, place: reached };
      return { events, place: last === undefined ? place : { height: last.height, index: last.index } };
    },
    watch: (listener) => {
      let newest: EventPlace = { height: 0, index: 0 };
      let timer: Timer | undefined;
      let isOver = false;
      const look = async (): Promise<void> => {
        try {
          const [event] = (await read({ limit: 1, order: 'desc' })).events;
          if (event && !samePlace(event, newest)) {
            newest = { height: event.height, index: event.index };
            listener();
          }
        } catch {
          // The queues that read get the same error and log it.
        }
        if (!isOver) timer = clock.setTimer(() => void look(), pollMs);
      };
      void look();
      const unwatch = watch?.(listener);
      return () => {
        isOver = true;
        timer?.cancel();
        unwatch?.();
      };
    },
  };
}
