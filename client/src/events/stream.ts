/** One connection to the stream of events, read until it ends, is cut or has been silent for too long. */
import type { Client } from '../client.ts';
import { after, type CallOptions } from '../deadline.ts';
import { AttemptTimeoutError } from '../errors/AttemptTimeoutError.ts';
import { ConnectionError } from '../errors/ConnectionError.ts';
import type { Exchange } from '../errors/exchange.ts';
import { LedgerClientError } from '../errors/LedgerClientError.ts';
import { UnexpectedAnswerError } from '../errors/UnexpectedAnswerError.ts';
import { EVENT_STREAM } from '../http/seen-height.ts';
import { STREAM_SILENCE_MS_MAX } from '../limits.ts';
import { EventStreamParser } from './parser.ts';
import { type EventFilter, type Place, placeText, readPlace, type Told } from './place.ts';

/** Callbacks for signs of a connection. */
export interface StreamSigns {
  /** Bytes have arrived, so no proxy holds them back. */
  heard(): void;
  /** The pause before the next connection that the service requests. */
  retry(ms: number): void;
  /** @throws LedgerClientError which ends the stream. */
  chain(chainId: string, genesisHash: string, exchange: Exchange): void;
}

/**
 * Reads the next chunk only after the caller's loop has consumed the previous one, so a slow reader makes the service send more slowly and
 * fills no memory. However that loop ends, the connection is closed. The generator never completes: it rejects, with a ConnectionError also
 * when the service ends the stream normally.
 */
export async function* streamOf(
  client: Client,
  filter: EventFilter,
  place: Place,
  options: CallOptions,
  { heard, retry, chain }: StreamSigns,
): AsyncGenerator<Told, void, undefined> {
  const { environment, baseUrl } = client;
  const { signal } = options;
  const { response } = await client.call({
    options: { ...options, maxRetries: 0, timeoutMs: STREAM_SILENCE_MS_MAX },
    heldMs: STREAM_SILENCE_MS_MAX,
    fits: () => true,
    // `after` and not Last-Event-ID, which a page of another origin could send only where the service allows it.
    send: (api, init) =>
      api.GET('/events', {
        ...init,
        parseAs: 'stream',
        headers: { Accept: EVENT_STREAM },
        params: { query: { ...filter, after: placeText(place) } },
      }),
  });
  const exchange: Exchange = { method: 'GET', url: `${baseUrl}/events`, attempts: 1, baseUrl, status: response.status };
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const close = (): void => void reader.cancel().catch(() => undefined);
  const parser = new EventStreamParser();
  try {
    if (!response.headers.get('content-type')?.startsWith(EVENT_STREAM))
      throw new UnexpectedAnswerError({ ...exchange, status: 406 }, 'not a stream of events');
    for (;;) {
      let isSilent = false;
      const stop = after(environment, STREAM_SILENCE_MS_MAX, signal, () => {
        isSilent = true;
        close();
      });
      const { done, value } = await reader.read().finally(stop);
      signal?.throwIfAborted();
      if (isSilent) throw new AttemptTimeoutError(exchange, STREAM_SILENCE_MS_MAX);
      if (done) throw new Error('the stream ended');
      heard();
      for (const item of parser.push(value)) {
        if (item.kind === 'retry') retry(item.ms);
        else if (item.kind === 'event') yield eventOf(item.id, item.data);
        else {
          const [, chainId, genesisHash] = /^ ?chain (\S+) (\S+)$/.exec(item.text) ?? [];
          if (chainId && genesisHash) chain(chainId, genesisHash, exchange);
          const seen = readPlace(/^ ?height (\d+)$/.exec(item.text)?.[1]);
          if (seen) yield { place: seen };
        }
      }
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof LedgerClientError) throw error;
    // Bytes that cannot be parsed now cannot be parsed the next time either.
    throw error instanceof SyntaxError || error instanceof RangeError
      ? new UnexpectedAnswerError(exchange, error.message)
      : new ConnectionError(exchange, error);
  } finally {
    close();
  }
}

function eventOf(id: string, data: string): Told {
  const place = readPlace(id);
  if (!place) throw new SyntaxError('an event without a place');
  return { place, event: JSON.parse(data) };
}
