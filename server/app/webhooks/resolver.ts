/**
 * Resolves the names of targets to addresses.
 *
 * It uses c-ares, on sockets: the system's resolver occupies one of four threads of the whole process, for as long as the slowest name
 * server takes. Only a name that the operator has allowed is resolved by the system, which also reads its hosts file.
 */
import { lookup, Resolver } from 'node:dns/promises';

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/** @param isAllowed true if the operator allows this name to the owner of the webhook. */
export type Resolve = (host: string, isAllowed: boolean) => Promise<ResolvedAddress[]>;

/** Time of a query, with two attempts at each name server: together with the time for the connection it fits into the whole. */
const QUERY_MS_MAX = 2000;
const QUERY_TRIES = 2;
/** More addresses than any usual public service has. */
const ADDRESSES_MAX = 8;

const isLoopbackName = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

export function systemResolver(): Resolve {
  const resolver = new Resolver({ timeout: QUERY_MS_MAX, tries: QUERY_TRIES });
  return async (host, isAllowed) => {
    // RFC 6761: such a name is never sent to a name server.
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
