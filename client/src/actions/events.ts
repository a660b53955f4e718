import type { Client } from '../client.ts';
import type { LedgerEvent } from '../contract.ts';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.ts';
import { follow } from '../events/follow.ts';
import { readPlace } from '../events/place.ts';
import type { Hooks } from '../hooks.ts';

export interface EventsOptions extends Hooks {
  /**
   * The id of the last event that you have dealt with, or a height whose events you have all seen: it begins behind that. `'0'` is the whole chain.
   * @default now
   */
  readonly after?: string | undefined;
  /** Only of transfers that this account pays or receives. */
  readonly account?: string;
  /** Only of transfers that this owner submitted to the service: the token's own, unless it may act for all. */
  readonly owner?: string;
  /** Only of this type. */
  readonly type?: LedgerEvent['type'];
  /** Only of transfers with exactly this reference. */
  readonly reference?: string;
  /** Only of transfers that ended like this. */
  readonly status?: 'committed' | 'failed' | 'cancelled' | 'expired';
  /** Ends it at once, and closes the connection: the loop rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Attempts in a row after the first that bring nothing, before it rejects with what went wrong with the last.
   * @default Infinity
   */
  readonly maxRetries?: number | undefined;
}

/**
 * What blocks decide about transfers, as it happens and for as long as the loop runs: `for await (const event of events(client, { after }))`. Each event
 * comes once and in order. It connects again after whatever happens to the connection or the service, behind the last event, so none is missed; where
 * something on the way lets no stream through, it asks for pages instead. Keep the `id` of the last event that you have dealt with, and a restart
 * goes on from there. `break` and the signal close the connection.
 *
 * It is read no further ahead than a piece of the stream: a loop that takes its time slows nothing but itself.
 *
 * @throws {PlaceAheadError} `after` is far ahead of the log: of another chain, or of a time before the service was restored from a backup.
 * @throws {OtherChainError} The service is of another chain than the client, or than it was before the connection was lost.
 * @throws {LedgerError} What cannot pass: UnauthenticatedError, InsufficientScopeError, InvalidRequestError, NotFoundError from a service without events. With the signal's reason when it aborts.
 * @throws {InvalidArgumentError} `after` is no place in the log.
 * @example
 * for await (const { id, type, data } of events(client, { account: address, after: '1204-3', signal: AbortSignal.timeout(60_000) })) {
 *   if (type === 'transaction.committed') console.log(id, data.transaction.reference, data.transaction.amount);
 * }
 */
export function events(client: Client, options: EventsOptions = {}): AsyncIterableIterator<LedgerEvent> {
  const { after, signal, maxRetries, onRequest, onResponse, ...filter } = options;
  const place = after === undefined ? undefined : readPlace(after);
  if (after !== undefined && !place)
    throw new InvalidArgumentError('after', 'must be the id of an event, HEIGHT-INDEX, or a height');
  // A generator hears nothing while it waits for the next event: what ends it then goes through a signal of its own.
  const ended = new AbortController();
  const end = (): void => ended.abort(signal?.reason);
  const told = follow(client, { place, filter, maxRetries, signal: ended.signal, onRequest, onResponse });
  let isReturned = false;
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      signal?.addEventListener('abort', end, { once: true });
      if (signal?.aborted) end();
      try {
        const { done, value } = await told.next();
        return done ? DONE : { value: value.event as LedgerEvent };
      } catch (error) {
        if (isReturned) return DONE;
        throw error;
      } finally {
        signal?.removeEventListener('abort', end);
      }
    },
    async return() {
      isReturned = true;
      ended.abort();
      await told.return();
      return DONE;
    },
  };
}

const DONE = { done: true, value: undefined } as const;
