import type { Client } from '../client.ts';
import type { Account } from '../contract.ts';
import { type CallOptions, deadlineOf } from '../deadline.ts';
import { CALL_TIMEOUT_MS_DEFAULT } from '../limits.ts';

/**
 * Balance and nonces of an account, as of the last block that the service applied. `nextNonce` is the one to sign next. An address that
 * no block has named yet is an empty account.
 */
export async function getAccount(client: Client, { address, ...options }: { address: string } & CallOptions): Promise<Account> {
  const { data, response } = await client.call({
    operation: 'getAccount',
    deadline: deadlineOf(client.environment, options, CALL_TIMEOUT_MS_DEFAULT),
    send: (api, init) => api.GET('/accounts/{address}', { ...init, params: { path: { address } } }),
  });
  if (data.address !== address) throw client.unexpected(response, { method: 'GET', path: `/accounts/${address}` }, 'about another account');
  return data;
}
