import type { Client } from '../client.ts';
import type { ListQuery, TransactionPage } from '../contract.ts';
import type { CallOptions } from '../deadline.ts';

/** One page, newest first. Send its `nextCursor` as `cursor` to get the next; the last page has none. */
export async function listTransactions(client: Client, { timeoutMs, signal, ...query }: ListQuery & CallOptions = {}): Promise<TransactionPage> {
  const { data } = await client.call({
    options: { timeoutMs, signal },
    send: (api, init) => api.GET('/transactions', { ...init, params: { query } }),
    // A service that sends the reader in a circle must not turn a loop over the pages into an endless one.
    fits: ({ transactions, nextCursor }) => Array.isArray(transactions) && (nextCursor === undefined || nextCursor !== query.cursor),
  });
  return data;
}
