/** The texts of a stream (WHATWG HTML section 9.2.5). */
import { END_OF_BLOCK } from '../../gateway/event-types.ts';
import { placeText } from '../../gateway/event-place.ts';
import type { ChainEvent, EventPlace } from '../../gateway/types.ts';
import { EVENT_STREAM_RETRY_MS } from '../limits.ts';
import { eventResource } from '../operations/event-resource.ts';

/** JSON has no line ends, so one line of data holds it. */
export function eventText(event: ChainEvent): string {
  const resource = eventResource(event);
  return `id: ${resource.id}\nevent: ${resource.type}\ndata: ${JSON.stringify(resource)}\n\n`;
}

/**
 * A comment with the height up to which everything was sent or filtered out. At the end of a block an `id:` without data goes with it,
 * which calls no listener: a stock EventSource that reconnects continues there, even if it has never had an event.
 */
export function heartbeatText(place: EventPlace): string {
  if (place.index !== END_OF_BLOCK) return `: height ${place.height - 1}\n\n`;
  return `: height ${place.height}\nid: ${placeText(place)}\n\n`;
}

/** The pause of a client before it reconnects, and the place where the stream begins. */
export function openingText(place: EventPlace): string {
  return `retry: ${EVENT_STREAM_RETRY_MS}\n${heartbeatText(place)}`;
}
