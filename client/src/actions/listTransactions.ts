import type { Client } from '../client.ts';
import type { ListQuery, TransactionPage } from '../contract.ts';
import type { CallOptions } from '../deadline.ts';

/**
 * One page, newest first. Send its `nextCursor` as `cursor` to get the next; the last page has none.
 *
 * @throws {LedgerError} A problem of the contract by its class; ConnectionError, AttemptTimeoutError or UnexpectedAnswerError when none came.
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
    // A service that sends the reader in a circle must not turn a loop over the pages into an endless one.
    fits: ({ transactions, nextCursor }) =>
      Array.isArray(transactions) && (nextCursor === undefined || nextCursor !== query.cursor),
  });
  return data;
}
