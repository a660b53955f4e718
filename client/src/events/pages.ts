/** Reads the log of events in pages, from a place to its end. */
import { listEvents } from '../actions/listEvents.ts';
import type { Client } from '../client.ts';
import type { CallOptions } from '../deadline.ts';
import { EVENTS_PAGE_SIZE } from '../limits.ts';
import { type EventFilter, type Place, placeText, readPlace, type Told } from './place.ts';

export async function* pagesOf(
  client: Client,
  filter: EventFilter,
  place: Place,
  options: CallOptions,
): AsyncGenerator<Told, void, undefined> {
  let cursor: string | undefined;
  do {
    const page = await listEvents(client, {
      ...options,
      ...filter,
      maxRetries: 0,
      order: 'asc',
      after: placeText(place),
      limit: EVENTS_PAGE_SIZE,
      ...(cursor && { cursor }),
    });
    for (const event of page.events) yield { place: readPlace(event.id) as Place, event };
    cursor = page.nextCursor;
    if (!cursor) yield { place: { height: page.height, index: Infinity } };
  } while (cursor);
}
