import type { Client } from '../client.ts';
import type { LedgerEvent } from '../contract.ts';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.ts';
import { follow } from '../events/follow.ts';
import { readPlace } from '../events/place.ts';
import type { Hooks } from '../hooks.ts';

export interface EventsOptions extends Hooks {
  /**
   * The id of the last event that you have processed, or a height of which you have processed every event: the loop begins after it.
   * `'0'` begins at the first block.
   * @default now
   */
  readonly after?: string | undefined;
  /** Only events of transfers that this account pays or receives. */
  readonly account?: string;
  /** Only events of transfers that this owner submitted to the service: the token's own owner, unless the token may act for all owners. */
  readonly owner?: string;
  /** Only events of this type. */
  readonly type?: LedgerEvent['type'];
  /** Only events of transfers with exactly this reference. */
  readonly reference?: string;
  /** Only events of transfers with this final status. */
  readonly status?: 'committed' | 'failed' | 'cancelled' | 'expired';
  /** Ends the loop at once and closes the connection: the loop rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Retries in a row that bring nothing, before the loop rejects with the error of the last one.
   * @default Infinity
   */
  readonly maxRetries?: number | undefined;
}

/**
 * The events of the ledger, as blocks decide about transfers: `for await (const event of events(client, { after }))`. Each event comes
 * exactly once and in order. After any failure of the connection or of the service the loop connects again after the last event, so no
 * event is missed. Where a proxy lets no stream through, the loop reads pages instead. Store the `id` of the last event that you have
 * processed, and pass it as `after` when you restart. `break` and the signal close the connection.
 *
 * At most one chunk of the stream is read ahead: a slow loop delays nothing but itself.
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
  // `return()` of a generator that waits for the next event has no effect until that event comes, so a signal of its own ends the wait.
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
