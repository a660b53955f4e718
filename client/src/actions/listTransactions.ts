import type { Client } from '../client.ts';
import type { ListQuery, TransactionPage } from '../contract.ts';
import { type CallOptions, deadlineOf } from '../deadline.ts';
import { CALL_TIMEOUT_MS_DEFAULT } from '../limits.ts';

/** One page, newest first. Send its `nextCursor` as `cursor` to get the next; the last page has none. */
export async function listTransactions(client: Client, { timeoutMs, signal, ...query }: ListQuery & CallOptions = {}): Promise<TransactionPage> {
  const { data, response } = await client.call({
    operation: 'listTransactions',
    deadline: deadlineOf(client.environment, { timeoutMs, signal }, CALL_TIMEOUT_MS_DEFAULT),
    send: (api, init) => api.GET('/transactions', { ...init, params: { query } }),
  });
  if (!Array.isArray(data.transactions)) throw client.unexpected(response, { method: 'GET', path: '/transactions' }, 'without transactions');
  return data;
}
