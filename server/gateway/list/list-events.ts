/** One page of the event log from the gateway's own store. */
import type { Store } from '../../store/index.ts';
import type { EventPage, EventQuery, Refusal } from '../types.ts';
import { eventListQuery, eventPage } from './event-pages.ts';

export async function listEvents(store: Store, chainId: string, query: EventQuery): Promise<EventPage | Refusal> {
  const asked = eventListQuery(chainId, query);
  if (typeof asked === 'object' && 'ok' in asked) return asked;
  const { found, height } = await store.read(async (tx) => ({
    // The events of a block are written with the follower's step to it, so on one snapshot neither is without the other.
    height: (await tx.follower())?.height ?? 0,
    found: asked === 'nothing' ? { events: [], scanned: 0 } : await tx.events(asked),
  }));
  return eventPage(chainId, query, found, height);
}
