/**
 * Names of targets to addresses.
 *
 * By c-ares, on sockets: the resolver of the system keeps one of four threads that the whole process shares, as long as the slowest name server
 * of any caller likes. Only a name that the operator allowed is resolved as the system does it, which also knows its hosts file.
 */
import { lookup, Resolver } from 'node:dns/promises';

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/** @param isAllowed whether the operator allows this name to the owner who asks. */
export type Resolve = (host: string, isAllowed: boolean) => Promise<ResolvedAddress[]>;

/** Two attempts at each name server: with the time for the connection they fit into the whole. */
const QUERY_MS_MAX = 2000;
const QUERY_TRIES = 2;
/** More addresses than any service that is meant to be reached has. */
const ADDRESSES_MAX = 8;

const isLoopbackName = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

export function systemResolver(): Resolve {
  const resolver = new Resolver({ timeout: QUERY_MS_MAX, tries: QUERY_TRIES });
  return async (host, isAllowed) => {
    // RFC 6761: such a name is never asked for.
    if (isLoopbackName(host))
      return [
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ];
    if (isAllowed)
      return (await lookup(host, { all: true, order: 'verbatim' })).map(({ address, family }) => ({
        address,
        family: family === 6 ? 6 : 4,
      }));
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses: ResolvedAddress[] = [
      ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 as const })) : []),
      ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 as const })) : []),
    ];
    if (addresses.length === 0) throw v4.status === 'rejected' ? v4.reason : new Error('it has no address');
    return addresses.slice(0, ADDRESSES_MAX);
  };
}
