/**
 * Opens all event streams of one HTTP thread within their limits, and does their shared work.
 *
 * A stream is live or behind. A live stream gets new events at once (live-feed.ts). A stream whose socket is full reads the log from its
 * own place until it reaches the head again (catch-up.ts). So memory does not depend on the speed of the clients, and no stream misses or
 * repeats an event.
 */
import type { Clock, Logger } from '../../engine/ports.ts';
import { parsePlace } from '../../gateway/event-place.ts';
import { END_OF_BLOCK } from '../../gateway/event-types.ts';
import type { EventPage, EventPlace, Gateway, Principal } from '../../gateway/types.ts';
import { COST_EVENT_STREAM, costOfEventRows } from '../cost.ts';
import type { Exchange } from '../exchange.ts';
import {
  EVENT_PAGE_EVENTS,
  EVENT_STREAMS_DRAIN_MS,
  EVENT_STREAMS_MAX,
  EVENT_STREAMS_PER_ADDRESS_MAX,
  EVENT_STREAMS_PER_TOKEN_MAX,
} from '../limits.ts';
import { STREAM } from '../limits/classes.ts';
import { takePlace } from '../limits/places.ts';
import type { HttpMetrics } from '../metrics.ts';
import type { StreamBounds } from '../options.ts';
import { type ProblemInit, problemOfRefusal } from '../problem/problem.ts';
import type { SharedUses } from '../shared/uses.ts';
import type { Call } from '../typed/types.ts';

import { CatchUp } from './catch-up.ts';
import type { EventFilter } from './event-filter.ts';
import { EventStream } from './event-stream.ts';
import { heartbeatText, openingText, type StreamChain } from './event-text.ts';
import { Heartbeats } from './heartbeats.ts';
import { LiveFeed } from './live-feed.ts';
import { noPlace, noSuchPlace, notOfStreams, SHUTTING_DOWN } from './refusals.ts';
import type { EventStreams } from './streams.ts';
import { TokenWatch } from './token-watch.ts';

const BOUNDS: StreamBounds = {
  all: EVENT_STREAMS_MAX,
  perAddress: EVENT_STREAMS_PER_ADDRESS_MAX,
  perToken: EVENT_STREAMS_PER_TOKEN_MAX,
};
/** Number of steps in which the streams are ended at a stop. */
const DRAIN_STEPS = 20;

export interface EventHubParts {
  gateway: Pick<Gateway, 'chain' | 'events' | 'waitForHeight' | 'authenticate'>;
  clock: Clock;
  logger: Logger;
  metrics: HttpMetrics;
  /** Counts of the places of all threads. */
  shared: SharedUses;
  /** Only tests change them. */
  bounds?: Partial<StreamBounds> | undefined;
  heartbeatMs?: number | undefined;
}

const STREAM_MEDIA_TYPE = 'text/event-stream';
/** nginx buffers an answer before it forwards it, unless this header turns buffering off. */
const STREAM_HEADERS = { 'X-Accel-Buffering': 'no' };

type Asked = Pick<Call<'listEvents'>, 'query' | 'header' | 'principal'>;

/** The first place of a stream, and the first page from there. */
interface Start {
  filter: EventFilter;
  place: EventPlace;
  page: EventPage;
  chain: StreamChain;
}

export class EventHub implements EventStreams {
  readonly #parts: EventHubParts;
  readonly #bounds: StreamBounds;
  readonly #streams = new Set<EventStream>();
  readonly #feed: LiveFeed;
  readonly #catchUp: CatchUp;
  readonly #heartbeats: Heartbeats;
  readonly #tokens: TokenWatch;
  /** It never changes. */
  #chain: StreamChain | undefined;
  #closed = false;

  constructor(parts: EventHubParts) {
    this.#parts = parts;
    this.#bounds = { ...BOUNDS, ...parts.bounds };
    const { clock, logger, gateway, metrics } = parts;
    this.#feed = new LiveFeed({ gateway, clock, logger, onBehind: (stream) => this.#readOn(stream) });
    this.#catchUp = new CatchUp({ gateway, clock, logger, join: (stream, height) => this.#feed.join(stream, height) });
    this.#tokens = new TokenWatch({ gateway, clock, logger });
    this.#heartbeats = new Heartbeats({
      clock,
      heartbeatMs: parts.heartbeatMs,
      beat: (stream) => this.#beat(stream),
      onTick: () => void this.#tokens.check(),
    });
    metrics.watchEventStreams(() => ({ open: this.#streams.size, behind: this.#streams.size - this.#feed.size }));
  }

  open: EventStreams['open'] = async (call) => ({
    status: 200,
    mediaType: 'text/event-stream',
    body: { live: (exchange: Exchange) => this.#begin(exchange, call) },
  });

  /** Ends every stream, in steps so that not all clients reconnect elsewhere at once, and opens no more. */
  async close(): Promise<void> {
    this.#closed = true;
    const streams = [...this.#streams];
    for (let step = 0; step < DRAIN_STEPS && streams.length > 0; step += 1) {
      for (const stream of streams.splice(0, Math.ceil(streams.length / (DRAIN_STEPS - step)))) stream.end('drain');
      if (streams.length > 0)
        await new Promise<void>((resolve) => this.#parts.clock.setTimer(resolve, EVENT_STREAMS_DRAIN_MS / DRAIN_STEPS));
    }
    this.#feed.close();
  }

  /** Begins a stream. Everything that can be refused is checked before anything is sent. */
  async #begin(exchange: Exchange, asked: Asked): Promise<ProblemInit | undefined> {
    const fault = notOfStreams(exchange.request.url);
    if (fault !== undefined) return fault;
    if (this.#closed) return SHUTTING_DOWN;
    // HEAD answers whether a stream would begin, without beginning one: it would occupy a place, and never end.
    if (exchange.request.method === 'HEAD') return this.#onlyHead(exchange, asked);
    const token = asked.principal.quotaKey ?? asked.principal.tokenId;
    const held = takePlace(this.#parts.shared, 'eventStream', this.#bounds, exchange.client, token);
    if (!held.ok) return noPlace(held.full, this.#bounds);
    let isOpen = false;
    try {
      const start = await this.#start(asked);
      if ('code' in start) return start;
      if (this.#closed) return SHUTTING_DOWN;
      if (exchange.over) return undefined;
      this.#open(exchange, asked.principal, start, held.release);
      isOpen = true;
    } finally {
      if (!isOpen) held.release();
    }
    return undefined;
  }

  async #onlyHead(exchange: Exchange, asked: Asked): Promise<ProblemInit | undefined> {
    const start = await this.#start(asked);
    if ('code' in start) return start;
    exchange.head(200, STREAM_MEDIA_TYPE, STREAM_HEADERS);
    return undefined;
  }

  async #start({ query, header }: Asked): Promise<Start | ProblemInit> {
    const { gateway } = this.#parts;
    const { account, owner, type, reference, status, after } = query;
    const lastId = header['Last-Event-ID'];
    const asked = lastId ?? after;
    const place =
      asked === undefined ? { height: await gateway.waitForHeight(0, 0), index: END_OF_BLOCK } : parsePlace(asked);
    if (place === undefined) return noSuchPlace(lastId === undefined ? 'after' : 'Last-Event-ID');
    const filter: EventFilter = { account, owner, type, reference, status };
    const page = await gateway.events({ ...filter, order: 'asc', after: place, limit: EVENT_PAGE_EVENTS });
    if (!page.ok) return problemOfRefusal(page);
    return { filter, place, page, chain: (this.#chain ??= await gateway.chain()) };
  }

  #open(exchange: Exchange, principal: Principal, { filter, place, page, chain }: Start, release: () => void): void {
    const { metrics } = this.#parts;
    const stream = new EventStream({
      exchange,
      principal,
      filter,
      place,
      head: page.height,
      onSent: (events) => metrics.eventsSent(events),
      onTaken: (taken) => this.#readOn(taken),
    });
    exchange.rate?.charge(COST_EVENT_STREAM + costOfEventRows(page.scanned));
    exchange.response.once('close', () => {
      release();
      this.#forget(stream);
      metrics.eventStreamEnded(stream.endedFor ?? (exchange.wasCutOff ? 'stalled' : 'client'));
    });
    exchange.class = STREAM;
    exchange.begin(200, STREAM_MEDIA_TYPE, STREAM_HEADERS);
    this.#streams.add(stream);
    this.#heartbeats.add(stream);
    this.#tokens.add(stream);
    const opening = openingText(place, page.height, chain);
    if (this.#catchUp.take(stream, page, opening)) return;
    // If a page has no room, a short text has; the page is sent later.
    exchange.response.write(opening);
    this.#catchUp.add(stream);
  }

  #forget(stream: EventStream): void {
    this.#streams.delete(stream);
    this.#feed.leave(stream);
    this.#catchUp.remove(stream);
    this.#heartbeats.remove(stream);
    this.#tokens.remove(stream);
  }

  /** Called when the stream has fallen behind, or its socket has room again. */
  #readOn(stream: EventStream): void {
    if (!stream.isLive && !stream.isBusy && !stream.isOver) this.#catchUp.add(stream);
  }

  #beat(stream: EventStream): void {
    if (stream.isBusy || stream.isOver) return;
    const head = Math.max(stream.head, this.#feed.head);
    stream.write(Buffer.from(heartbeatText(this.#feed.placeOf(stream), head)), 0);
  }
}
