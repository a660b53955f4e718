import type { Client } from '../client.ts';
import type { ListQuery, TransactionPage } from '../contract.ts';
import type { CallOptions } from '../deadline.ts';

/**
 * Returns one page of transfers, newest first. Pass its `nextCursor` as `cursor` to get the next page; the last page has none.
 *
 * @throws {LedgerError} A problem of the contract, as the class of its code. Without a problem: ConnectionError, AttemptTimeoutError or
 * UnexpectedAnswerError.
 * @example
 * const first = await listTransactions(client, { account: address, limit: 50 });
 * if (first.nextCursor) await listTransactions(client, { account: address, limit: 50, cursor: first.nextCursor });
 */
export async function listTransactions(
  client: Client,
  options: ListQuery & CallOptions = {},
): Promise<TransactionPage> {
  const { timeoutMs: _t, signal: _s, maxRetries: _m, onRequest: _q, onResponse: _r, ...query } = options;
  const { data } = await client.call({
    options,
    send: (api, init) => api.GET('/transactions', { ...init, params: { query } }),
    // A service that returns the same cursor must not make a loop over the pages endless.
    fits: ({ transactions, nextCursor }) =>
      Array.isArray(transactions) && (nextCursor === undefined || nextCursor !== query.cursor),
  });
  return data;
}
