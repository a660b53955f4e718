import type { Client } from '../client.ts';
import type { Chain } from '../contract.ts';
import type { CallOptions } from '../deadline.ts';

/**
 * Returns the facts of the chain: its id, address prefix, height, block interval and genesis hash. Needs no token.
 *
 * @throws {LedgerError} A problem of the contract, as the class of its code. Without a problem: ConnectionError, AttemptTimeoutError or
 * UnexpectedAnswerError.
 * @example
 * const { chainId, addressPrefix, height } = await getChain(client);
 * console.log(chainId, addressPrefix, height);
 */
export async function getChain(client: Client, options: CallOptions = {}): Promise<Chain> {
  const { data } = await client.call({
    options,
    send: (api, init) => api.GET('/chain', init),
    fits: ({ chainId }) => !!chainId,
  });
  return data;
}
