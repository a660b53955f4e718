import type { Client } from '../client.ts';
import type { EventPage, EventQuery } from '../contract.ts';
import type { CallOptions } from '../deadline.ts';
import { readPlace } from '../events/place.ts';

/**
 * Returns one page of the log of events, newest first; oldest first with `order: 'asc'`. Pass its `nextCursor` as `cursor` to get the next
 * page; the last page has none. `height` is the block up to which the page is complete.
 *
 * @throws {PlaceAheadError} `after` or `cursor` is far ahead of the log.
 * @throws {LedgerError} A problem of the contract, as the class of its code. Without a problem: ConnectionError, AttemptTimeoutError or
 * UnexpectedAnswerError.
 * @example
 * const { events, height } = await listEvents(client, { account: address, after: '1204', order: 'asc', limit: 100 });
 * console.log(height, events.map(({ id, type, data }) => [id, type, data.transaction.txHash]));
 */
export async function listEvents(client: Client, options: EventQuery & CallOptions = {}): Promise<EventPage> {
  const { timeoutMs: _t, signal: _s, maxRetries: _m, onRequest: _q, onResponse: _r, ...query } = options;
  const { data } = await client.call({
    options,
    send: (api, init) =>
      api.GET('/events', { ...init, headers: { Accept: 'application/json' }, params: { query } }) as Promise<{
        data?: EventPage;
        response: Response;
      }>,
    // Without a place of each event, there would be no `after` for the events that follow it.
    fits: ({ events, height, nextCursor }) =>
      Array.isArray(events) &&
      events.every(({ id }) => readPlace(id)) &&
      Number.isSafeInteger(height) &&
      (nextCursor === undefined || nextCursor !== query.cursor),
  });
  return data;
}
