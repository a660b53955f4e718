/** The log of events of a test ledger, in memory. */
import { comparePlaces } from '../../../server/gateway/event-place.ts';
import type { EventList, EventListQuery, StoredEvent } from '../../../server/store/event-types.ts';

export class MemoryEvents {
  /** In the order of the log. */
  readonly #events: StoredEvent[] = [];

  add(events: readonly StoredEvent[]): void {
    this.#events.push(...[...events].sort(comparePlaces));
  }

  /** A linear search over all events: the log of a test is short. */
  list({ limit, order, after, before, account, owner, status, reference }: EventListQuery): EventList {
    const fits = (event: StoredEvent): boolean => {
      const { from, to } = { to: undefined, ...(event.transfer ?? event.voided) };
      return (
        (after === undefined || comparePlaces(event, after) > 0) &&
        (before === undefined || comparePlaces(event, before) < 0) &&
        (account === undefined || account === from || account === to) &&
        (owner === undefined || owner === event.transfer?.owner) &&
        (status === undefined || status === (event.transfer?.status ?? 'cancelled')) &&
        (reference === undefined || reference === event.transfer?.reference)
      );
    };
    const found = this.#events.filter(fits);
    if (order === 'desc') found.reverse();
    const events = found.slice(0, limit);
    const last = events.at(-1);
    return {
      events,
      scanned: events.length,
      ...(found.length > limit && last && { reached: { height: last.height, index: last.index } }),
    };
  }
}
