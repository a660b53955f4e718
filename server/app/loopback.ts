/** Recognises hosts that are this machine: traffic to any other crosses a network that others may read. @module */
import { isIP } from 'node:net';

/** @param host a name or an address, an IPv6 one with or without brackets. Unusual spellings count as another machine. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.+)\]$/, '$1').toLowerCase();
  return bare === 'localhost' || bare === '::1' || (isIP(bare) === 4 && bare.startsWith('127.'));
}
