import type { Client } from '../client.ts';
import type { EntryPage, EntryQuery } from '../contract.ts';
import type { CallOptions } from '../deadline.ts';

/**
 * One page of an account's statement, newest first unless `order` is `asc`. Send its `nextCursor` as `cursor` to get the next; the last page
 * has none. A transfer that this service has shown as committed is in it.
 *
 * @throws {LedgerError} A problem of the contract by its class; ConnectionError, AttemptTimeoutError or UnexpectedAnswerError when none came.
 * @throws {InvalidAddressError} It is no address of this chain.
 * @example
 * const { entries } = await listEntries(client, { address, limit: 50 });
 * for (const { direction, amount, balanceAfter } of entries) console.log(direction, BigInt(amount), BigInt(balanceAfter));
 */
export async function listEntries(
  client: Client,
  { address, ...options }: { address: string } & EntryQuery & CallOptions,
): Promise<EntryPage> {
  const { timeoutMs: _t, signal: _s, maxRetries: _m, onRequest: _q, onResponse: _r, ...query } = options;
  const { data } = await client.call({
    options,
    // The operation has a form in CSV too, for who reads it without this client.
    send: (api, init) =>
      api.GET('/accounts/{address}/entries', { ...init, params: { path: { address }, query } }) as Promise<{
        data?: EntryPage;
        response: Response;
      }>,
    // A service that sends the reader in a circle must not turn a loop over the pages into an endless one.
    fits: ({ entries, nextCursor }) =>
      Array.isArray(entries) && (nextCursor === undefined || nextCursor !== query.cursor),
  });
  return data;
}
