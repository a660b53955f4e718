/**
 * The ten accounts of every development chain. Their seeds are SHA-256 of a text in this file, so anyone can sign for them. That makes them
 * useful in development; a production chain refuses to start with any of them.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import { encodeAddress } from '../ledger/address.ts';
import { publicKeyOfSeed } from '../ledger/ed25519.ts';
import type { AddressPrefix, Currency } from '../ledger/index.ts';

export interface DevelopmentAccount {
  /** `dev-0` to `dev-9`; the first serves as faucet. */
  name: string;
  address: string;
  /** The 32-byte Ed25519 seed, lower-case hex. */
  seed: string;
}

export const DEVELOPMENT_CHAIN_ID = 'txledger-dev-1';
export const DEVELOPMENT_ADDRESS_PREFIX: AddressPrefix = 'txlt';
export const DEVELOPMENT_ACCOUNTS_COUNT = 10;
/** Test money with two digits behind the point. */
export const DEVELOPMENT_CURRENCY: Currency = { code: 'DEV', scale: 2 };
/** Minor units in each of the accounts. */
export const DEVELOPMENT_BALANCE = 10n ** 15n;

const developmentSeed = (index: number): Buffer =>
  createHash('sha256').update(`txledger dev account ${index}`).digest();

function developmentAccount(index: number): DevelopmentAccount {
  const seed = developmentSeed(index);
  return {
    name: `dev-${index}`,
    address: encodeAddress(publicKeyOfSeed(seed), DEVELOPMENT_ADDRESS_PREFIX),
    seed: seed.toString('hex'),
  };
}

export function developmentAccounts(): DevelopmentAccount[] {
  return Array.from({ length: DEVELOPMENT_ACCOUNTS_COUNT }, (_, index) => developmentAccount(index));
}

/** @returns undefined for any other text, an address for example. */
export function developmentAccountNamed(name: string): DevelopmentAccount | undefined {
  const [, index] = /^dev-([0-9])$/.exec(name) ?? [];
  return index === undefined ? undefined : developmentAccount(Number(index));
}

/** @returns the name of the development account that a key belongs to; undefined for any other key. */
export function developmentAccountOf(publicKey: Uint8Array): string | undefined {
  return developmentAccounts().find(({ seed }) =>
    Buffer.from(publicKeyOfSeed(Buffer.from(seed, 'hex'))).equals(publicKey),
  )?.name;
}
