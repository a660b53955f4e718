/** The chain that a client signs for: the one in its options, or else the service's, requested once. */
import { getChain } from './actions/getChain.ts';
import type { Client } from './client.ts';
import type { Chain } from './contract.ts';
import type { Deadline } from './deadline.ts';

type SignedFor = Pick<Chain, 'chainId' | 'addressPrefix'>;

const chains = new WeakMap<Client, SignedFor>();

export async function chainOf(client: Client, deadline: Deadline): Promise<SignedFor> {
  const known = client.chain ?? chains.get(client);
  if (known) return known;
  const { chainId, addressPrefix } = await getChain(client, deadline);
  const chain = { chainId, addressPrefix };
  chains.set(client, chain);
  return chain;
}
