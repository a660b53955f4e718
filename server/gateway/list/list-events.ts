/** One page of the event log from the gateway's own store. */
import { transferQuestions } from '../../store/transfer-questions.ts';
import type { Store } from '../../store/index.ts';
import type { EventPage, EventQuery, Refusal } from '../types.ts';
import { eventListQuery, eventPage } from './event-pages.ts';

export async function listEvents(store: Store, chainId: string, query: EventQuery): Promise<EventPage | Refusal> {
  const asked = eventListQuery(chainId, query);
  if (typeof asked === 'object' && 'ok' in asked) return asked;
  const { found, height } =
    asked === 'nothing'
      ? { found: { events: [], scanned: 0 }, height: (await store.read((tx) => tx.follower()))?.height ?? 0 }
      : await transferQuestions(store).events(asked);
  return eventPage(chainId, query, found, height);
}
