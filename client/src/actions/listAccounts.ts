import type { Client } from '../client.ts';
import type { AccountList } from '../contract.ts';
import type { CallOptions } from '../deadline.ts';

/**
 * Returns up to 100 accounts, all as of the same block, in the order of `addresses`. An address that no block has named yet is an empty
 * account.
 *
 * @throws {LedgerError} A problem of the contract, as the class of its code. Without a problem: ConnectionError, AttemptTimeoutError or
 * UnexpectedAnswerError.
 * @throws {InvalidAddressError} One of them is not an address of this chain.
 * @throws {InvalidRequestError} No address is given, more than 100 are, or one is given twice.
 * @example
 * const { accounts, height } = await listAccounts(client, { addresses: [address] });
 * console.log(height, accounts.map(({ available }) => BigInt(available)));
 */
export async function listAccounts(
  client: Client,
  { addresses, ...options }: { addresses: readonly string[] } & CallOptions,
): Promise<AccountList> {
  const { data } = await client.call({
    options,
    send: (api, init) => api.GET('/accounts', { ...init, params: { query: { address: [...addresses] } } }),
    fits: ({ accounts }) =>
      accounts?.length === addresses.length && accounts.every(({ address }, at) => address === addresses[at]),
  });
  return data;
}
