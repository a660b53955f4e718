/**
 * The log of events as it grows: each event is yielded exactly once and in order, across all failures of the connection.
 *
 * The place of the last yielded event decides everything: a connection begins after it, so no event is lost, and events at or before it are
 * dropped, so none comes twice. Where a stream is not possible, pages of the same log are read.
 */
import { listEvents } from '../actions/listEvents.ts';
import type { Client } from '../client.ts';
import { type CallOptions, sleep } from '../deadline.ts';
import { AttemptTimeoutError } from '../errors/AttemptTimeoutError.ts';
import { OtherChainError } from '../errors/OtherChainError.ts';
import { RequestError } from '../errors/RequestError.ts';
import {
  BACKOFF_MS_BASE,
  BACKOFF_MS_MAX,
  EVENTS_POLL_MS,
  POLLING_MS,
  STREAM_PAUSE_MS_MAX,
  UNHEARD_STREAMS_MAX,
} from '../limits.ts';
import { pagesOf } from './pages.ts';
import { type EventFilter, isBehind, type Place, type Told } from './place.ts';
import { streamOf } from './stream.ts';

export interface FollowOptions extends Omit<CallOptions, 'timeoutMs'> {
  /** The place to begin after; undefined is the end of the log. */
  readonly place: Place | undefined;
  readonly filter: EventFilter;
  /**
   * Called when a stream has brought its first bytes and when it ends. With it no pages are read: the iteration ends where no stream is
   * possible.
   */
  readonly onLive?: (isLive: boolean) => void;
}

/** Statuses with which a service, or a proxy before it, answers that it has no stream. */
const NO_STREAM: ReadonlySet<unknown> = new Set([405, 406]);

export async function* follow(
  client: Client,
  { place: begin, filter, onLive, maxRetries = Infinity, ...options }: FollowOptions,
): AsyncGenerator<Told, void, undefined> {
  const { environment } = client;
  let place = begin;
  let failures = 0;
  let retryMs = BACKOFF_MS_BASE;
  let pollUntilMs = -Infinity;
  /** Streams since the last one that brought a byte. Each is followed by pages, so that events come even if no stream ever works. */
  let unheard = 0;
  let isPages = false;
  /** Of the first stream: a chain that was begun again has its id and another genesis. */
  let genesis: string | undefined;
  for (;;) {
    const isPolling = pollUntilMs > environment.nowMs();
    if (onLive && (isPolling || unheard >= UNHEARD_STREAMS_MAX)) return;
    isPages = isPolling || (unheard > 0 && !isPages);
    let isStream = false;
    let isHeard = false;
    let pauseMs = isPolling ? EVENTS_POLL_MS * (1 - environment.random() / 2) : 0;
    try {
      place ??= { height: (await listEvents(client, { ...options, maxRetries: 0, limit: 1 })).height, index: Infinity };
      isStream = !isPages;
      const source = isPages
        ? pagesOf(client, filter, place, options)
        : streamOf(client, filter, place, options, {
            heard: () => {
              if (!isHeard) onLive?.(true);
              isHeard = true;
            },
            chain: (chainId, genesisHash, exchange) => {
              const expected = client.chain?.chainId ?? chainId;
              if (chainId !== expected) throw new OtherChainError(exchange, chainId, expected);
              const found = `${chainId} with genesis ${genesisHash}`;
              genesis ??= found;
              if (found !== genesis) throw new OtherChainError(exchange, found, genesis);
            },
            retry: (ms) => (retryMs = Math.min(Math.max(ms, BACKOFF_MS_BASE), STREAM_PAUSE_MS_MAX)),
          });
      for await (const each of source) {
        if (!isPages) failures = 0;
        if (!isBehind(each.place, place)) continue;
        place = each.place;
        if (each.event) yield each;
      }
      // Only pages end without an error. They were answered, so the network works and something else lets no stream through.
      if (isPolling) failures = 0;
      else if (unheard >= UNHEARD_STREAMS_MAX) {
        pollUntilMs = environment.nowMs() + POLLING_MS;
        unheard = 0;
      }
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!(error instanceof RequestError)) throw error;
      if (isStream && NO_STREAM.has(error.status)) pollUntilMs = Infinity;
      else {
        if (!error.retriable || ++failures > maxRetries) throw error;
        unheard = !isStream || isHeard ? 0 : unheard + (error instanceof AttemptTimeoutError ? UNHEARD_STREAMS_MAX : 1);
        const jitter = environment.random();
        pauseMs =
          error.retryAfterMs === undefined
            ? jitter * Math.min(Math.max(retryMs, BACKOFF_MS_MAX), retryMs * 2 ** (failures - 1))
            : Math.min(error.retryAfterMs, STREAM_PAUSE_MS_MAX) + jitter * BACKOFF_MS_BASE;
      }
    } finally {
      if (isHeard) onLive?.(false);
    }
    await sleep(environment, pauseMs, options.signal);
  }
}
