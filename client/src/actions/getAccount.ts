import type { Client } from '../client.ts';
import type { Account } from '../contract.ts';
import type { CallOptions } from '../deadline.ts';

/**
 * What an account holds (`balance`) and can spend (`available`), as of the block at `height`. `nextNonce` is the nonce to sign next, and `gaps` are
 * those that hold up later ones. An address that no block has named yet is an empty account.
 * With `height` it is the account as it was after that block, with nothing pending.
 *
 * @throws {LedgerError} A problem of the contract by its class; ConnectionError, AttemptTimeoutError or UnexpectedAnswerError when none came.
 * @throws {InvalidAddressError} It is no address of this chain.
 * @throws {NotFoundError} The chain has no block `height` yet.
 * @example
 * const { available, nextNonce } = await getAccount(client, { address });
 * console.log(BigInt(available), nextNonce);
 */
export async function getAccount(
  client: Client,
  { address, height, ...options }: { address: string; height?: number | undefined } & CallOptions,
): Promise<Account> {
  const { data } = await client.call({
    options,
    send: (api, init) =>
      api.GET('/accounts/{address}', {
        ...init,
        params: { path: { address }, ...(height !== undefined && { query: { height } }) },
      }),
    fits: (account) => account.address === address,
  });
  return data;
}
