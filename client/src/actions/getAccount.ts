import type { Client } from '../client.ts';
import type { Account } from '../contract.ts';
import type { CallOptions } from '../deadline.ts';

/**
 * Returns what an account holds (`balance`) and can spend (`available`), as of the block at `height`. `nextNonce` is the nonce to sign
 * next; `gaps` are the unused nonces that later ones wait for. An address that no block has named yet is an empty account.
 * With the option `height` it is the account as it was after that block, with nothing pending.
 *
 * @throws {LedgerError} A problem of the contract, as the class of its code. Without a problem: ConnectionError, AttemptTimeoutError or
 * UnexpectedAnswerError.
 * @throws {InvalidAddressError} `address` is not an address of this chain.
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
