/** The texts of a stream (WHATWG HTML section 9.2.5). */
import { END_OF_BLOCK } from '../../gateway/event-types.ts';
import { placeText } from '../../gateway/event-place.ts';
import type { ChainEvent, EventPlace } from '../../gateway/types.ts';
import { EVENT_STREAM_RETRY_MS } from '../limits.ts';
import { eventResource } from '../operations/event-resource.ts';

/** JSON contains no line ends, so it fits into one line of data. */
export function eventText(event: ChainEvent): string {
  const resource = eventResource(event);
  return `id: ${resource.id}\nevent: ${resource.type}\ndata: ${JSON.stringify(resource)}\n\n`;
}

/**
 * A comment with the height up to which everything was sent or filtered out: never above `head`, the last block, also where a client has its
 * place from a gateway that was ahead of this one. At the end of a block an `id:` without data goes with it, which calls no listener: a stock
 * EventSource that reconnects continues there, even if it has never had an event.
 */
export function heartbeatText(place: EventPlace, head: number): string {
  const isEnd = place.index === END_OF_BLOCK;
  const height = Math.min(isEnd ? place.height : place.height - 1, head);
  return `: height ${height}\n${isEnd ? `id: ${placeText(place)}\n` : ''}\n`;
}

/** The chain of the log, by which a client that was pointed at another service notices it. */
export interface StreamChain {
  readonly chainId: string;
  readonly genesisHash: string;
}

/** The pause of a client before it reconnects, the chain, and the place where the stream begins. */
export function openingText(place: EventPlace, head: number, { chainId, genesisHash }: StreamChain): string {
  return `retry: ${EVENT_STREAM_RETRY_MS}\n: chain ${chainId} ${genesisHash}\n${heartbeatText(place, head)}`;
}
