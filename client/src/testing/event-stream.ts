/** The stream of events of a test ledger: as a service sends it, without its limits. */
import { Buffer } from 'node:buffer';
import { parsePlace } from '../../../server/gateway/event-place.ts';
import { END_OF_BLOCK } from '../../../server/gateway/event-types.ts';
import { HEIGHT_AHEAD_MAX } from '../../../server/gateway/limits.ts';
import { placeAhead } from '../../../server/gateway/refusals.ts';
import type { EventPlace, EventQuery } from '../../../server/gateway/types.ts';
import { eventText, heartbeatText, openingText } from '../../../server/http/events/event-text.ts';
import { noSuchPlace, notOfStreams } from '../../../server/http/events/refusals.ts';
import { EVENT_HEARTBEAT_MS, EVENT_PAGE_EVENTS } from '../../../server/http/limits.ts';
import { type ProblemInit, problemOfRefusal } from '../../../server/http/problem/problem.ts';
import type { MemoryGateway } from './memory-gateway.ts';

export type StreamFilter = Pick<EventQuery, 'account' | 'owner' | 'type' | 'reference' | 'status'>;

/** Query and headers of a request for a stream, by the names of the contract. */
export interface StreamCall {
  readonly query: StreamFilter & { readonly after?: string } & Readonly<Record<string, unknown>>;
  readonly header: Readonly<Record<string, string>>;
}

/** Answers a request for a stream. */
export function openEventStream(
  gateway: MemoryGateway,
  { query, header }: StreamCall,
): { stream: ReadableStream<Uint8Array> } | { problem: ProblemInit } {
  const problem = notOfStreams(
    `?${Object.keys(query)
      .map((name) => `${name}=`)
      .join('&')}`,
  );
  if (problem !== undefined) return { problem };
  const { after, account, owner, type, reference, status } = query;
  const lastId = header['Last-Event-ID'];
  const asked = lastId ?? after;
  const begin = asked === undefined ? { height: gateway.height, index: END_OF_BLOCK } : parsePlace(asked);
  if (begin === undefined) return { problem: noSuchPlace(lastId === undefined ? 'after' : 'Last-Event-ID') };
  if (begin.height - gateway.height > HEIGHT_AHEAD_MAX)
    return { problem: problemOfRefusal(placeAhead(gateway.height, begin.height)) };
  return { stream: eventStream(gateway, { account, owner, type, reference, status }, begin) };
}

/** The bytes of a stream, until the reader cancels it. */
function eventStream(gateway: MemoryGateway, filter: StreamFilter, begin: EventPlace): ReadableStream<Uint8Array> {
  const ended = new AbortController();
  const texts = textsOf(gateway, filter, begin, ended.signal);
  return new ReadableStream(
    {
      pull: async (controller) => {
        const { value } = await texts.next();
        if (value === undefined) controller.close();
        else controller.enqueue(new Uint8Array(Buffer.from(value)));
      },
      cancel: () => ended.abort(),
    },
    { highWaterMark: 0 },
  );
}

async function* textsOf(
  gateway: MemoryGateway,
  filter: StreamFilter,
  begin: EventPlace,
  signal: AbortSignal,
): AsyncGenerator<string, undefined> {
  let place = begin;
  yield openingText(place, gateway.height, await gateway.chain());
  while (!signal.aborted) {
    const page = await gateway.events({ ...filter, order: 'asc', after: place, limit: EVENT_PAGE_EVENTS });
    if (!page.ok) return undefined;
    for (const event of page.events) yield eventText(event);
    ({ place } = page);
    if (page.nextCursor !== undefined) continue;
    const isNew = await gateway.waitForBlock(page.height + 1, EVENT_HEARTBEAT_MS, signal);
    if (!isNew) yield heartbeatText(place, page.height);
  }
  return undefined;
}
