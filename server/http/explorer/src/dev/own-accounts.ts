/**
 * Accounts whose keys were made in this tab. The keys stay in its sessionStorage: they are for test money, and are deleted with the tab.
 */
import { encodeAddress } from '../../../../../client/src/crypto/address.ts';
import { toHex } from '../../../../../client/src/crypto/hex.ts';
import { generateSeed, signerFromSeed } from '../../../../../client/src/keys/seed.ts';

/** An account whose key this page has. */
export interface DevelopmentAccount {
  readonly name: string;
  readonly address: string;
  readonly seed: string;
}

const KEY = 'txledger-own-accounts';

export function ownAccounts(): readonly DevelopmentAccount[] {
  return JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as DevelopmentAccount[];
}

/** Makes a key in this browser. */
export async function makeAccount(prefix: 'txl' | 'txlt'): Promise<DevelopmentAccount> {
  const seed = generateSeed();
  const { publicKey } = await signerFromSeed(seed);
  const accounts = ownAccounts();
  const made = { name: `mine-${accounts.length + 1}`, address: encodeAddress(publicKey, prefix), seed: toHex(seed) };
  sessionStorage.setItem(KEY, JSON.stringify([...accounts, made]));
  return made;
}
