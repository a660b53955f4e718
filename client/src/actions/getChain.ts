import type { Client } from '../client.ts';
import type { Chain } from '../contract.ts';
import type { CallOptions } from '../deadline.ts';

/** The facts of the chain: its id, address prefix, height, block interval and genesis hash. Needs no token. */
export async function getChain(client: Client, options: CallOptions = {}): Promise<Chain> {
  const { data } = await client.call({
    options,
    send: (api, init) => api.GET('/chain', init),
    fits: ({ chainId }) => !!chainId,
  });
  return data;
}
