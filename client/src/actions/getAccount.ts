import type { Client } from '../client.ts';
import type { Account } from '../contract.ts';
import type { CallOptions } from '../deadline.ts';

/**
 * Balance and nonces of an account, as of the last block that the service applied. `nextNonce` is the one to sign next. An address that
 * no block has named yet is an empty account. With `height` balance and nonce are those after that block.
 *
 * @throws {LedgerError} A problem of the contract by its class; ConnectionError, AttemptTimeoutError or UnexpectedAnswerError when none came.
 * @throws {InvalidAddressError} It is no address of this chain.
 * @throws {NotFoundError} The chain has no block `height` yet.
 * @example
 * const { balance, nextNonce } = await getAccount(client, { address });
 * console.log(BigInt(balance), nextNonce);
 */
export async function getAccount(client: Client, { address, height, ...options }: { address: string; height?: number | undefined } & CallOptions): Promise<Account> {
  const { data } = await client.call({
    options,
    send: (api, init) => api.GET('/accounts/{address}', { ...init, params: { path: { address }, ...(height !== undefined && { query: { height } }) } }),
    fits: (account) => account.address === address,
  });
  return data;
}
