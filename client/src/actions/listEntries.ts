import type { Client } from '../client.ts';
import type { EntryPage, EntryQuery } from '../contract.ts';
import type { CallOptions } from '../deadline.ts';

/**
 * Returns one page of an account's statement, newest first unless `order` is `asc`. Pass its `nextCursor` as `cursor` to get the next
 * page; the last page has none. The statement includes every transfer that this service has shown as committed.
 *
 * @throws {LedgerError} A problem of the contract, as the class of its code. Without a problem: ConnectionError, AttemptTimeoutError or
 * UnexpectedAnswerError.
 * @throws {InvalidAddressError} `address` is not an address of this chain.
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
    // The contract has a CSV form of this operation too; this client reads JSON only.
    send: (api, init) =>
      api.GET('/accounts/{address}/entries', { ...init, params: { path: { address }, query } }) as Promise<{
        data?: EntryPage;
        response: Response;
      }>,
    // A service that returns the same cursor must not make a loop over the pages endless.
    fits: ({ entries, nextCursor }) =>
      Array.isArray(entries) && (nextCursor === undefined || nextCursor !== query.cursor),
  });
  return data;
}
