/**
 * Reads a page of the event log in pieces: a thousand events at once would delay every other request of the thread.
 *
 * The log only grows, so the pieces together are one page: in ascending order it reflects the state at the last piece, in descending order
 * the state at the first.
 */
import { EVENTS_SCANNED_MAX } from '../../gateway/limits.ts';
import type { EventPage, EventQuery, Gateway, Refusal } from '../../gateway/types.ts';
import { EVENT_LIVE_EVENTS } from '../limits.ts';

export async function longPage(gateway: Pick<Gateway, 'events'>, query: EventQuery): Promise<EventPage | Refusal> {
  const first = await gateway.events({ ...query, limit: Math.min(query.limit, EVENT_LIVE_EVENTS) });
  if (!first.ok) return first;
  const events = [...first.events];
  let { height, scanned, place, nextCursor } = first;
  // A short piece has reached the bound of scanned rows.
  for (
    let isFull = events.length === EVENT_LIVE_EVENTS;
    isFull && nextCursor !== undefined && events.length < query.limit && scanned < EVENTS_SCANNED_MAX;
  ) {
    await new Promise(setImmediate);
    const limit = Math.min(query.limit - events.length, EVENT_LIVE_EVENTS);
    const piece = await gateway.events({ ...query, limit, cursor: nextCursor, scanMax: EVENTS_SCANNED_MAX - scanned });
    if (!piece.ok) return piece;
    events.push(...piece.events);
    scanned += piece.scanned;
    if (query.order === 'asc') ({ height } = piece);
    ({ place, nextCursor } = piece);
    isFull = piece.events.length === limit;
  }
  return { ok: true, events, height, scanned, place, ...(nextCursor !== undefined && { nextCursor }) };
}
