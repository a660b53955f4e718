import type { Client } from '../client.ts';
import type { Chain } from '../contract.ts';
import { type CallOptions, deadlineOf } from '../deadline.ts';
import { CALL_TIMEOUT_MS_DEFAULT } from '../limits.ts';

/** The facts of the chain: its id, address prefix, height, block interval and genesis hash. Needs no token. */
export async function getChain(client: Client, options: CallOptions = {}): Promise<Chain> {
  const { data } = await client.call({
    operation: 'getChain',
    deadline: deadlineOf(client.environment, options, CALL_TIMEOUT_MS_DEFAULT),
    send: (api, init) => api.GET('/chain', init),
  });
  return data;
}
