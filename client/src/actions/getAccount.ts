import type { Client } from '../client.ts';
import type { Account } from '../contract.ts';
import type { CallOptions } from '../deadline.ts';

/**
 * What an account holds (`balance`) and can spend (`available`), as of the block at `height`. `nextNonce` is the nonce to sign next, and `gaps` are
 * those that hold up later ones. An address that no block has named yet is an empty account.
 *
 * @throws {LedgerError} A problem of the contract by its class; ConnectionError, AttemptTimeoutError or UnexpectedAnswerError when none came.
 * @throws {InvalidAddressError} It is no address of this chain.
 * @example
 * const { available, nextNonce } = await getAccount(client, { address });
 * console.log(BigInt(available), nextNonce);
 */
export async function getAccount(client: Client, { address, ...options }: { address: string } & CallOptions): Promise<Account> {
  const { data } = await client.call({
    options,
    send: (api, init) => api.GET('/accounts/{address}', { ...init, params: { path: { address } } }),
    fits: (account) => account.address === address,
  });
  return data;
}
