import type { Client } from '../client.ts';
import type { Account } from '../contract.ts';
import type { CallOptions } from '../deadline.ts';

/**
 * Balance and nonces of an account, as of the last block that the service applied. `nextNonce` is the one to sign next. An address that
 * no block has named yet is an empty account.
 */
export async function getAccount(client: Client, { address, ...options }: { address: string } & CallOptions): Promise<Account> {
  const { data } = await client.call({
    options,
    send: (api, init) => api.GET('/accounts/{address}', { ...init, params: { path: { address } } }),
    fits: (account) => account.address === address,
  });
  return data;
}
