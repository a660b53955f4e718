/**
 * Who pays in a benchmark. The ten development accounts fund payers of our own before the first phase: an account's nonces reach 1,024 ahead of
 * the chain, so ten payers alone would bound a fast server at 10,240 transfers a block.
 */
import { createHash } from 'node:crypto';
import { encodeAddress, publicKeyOfSeed } from '../../../server/ledger/index.ts';
import { DEV_ACCOUNTS, devAddress, devSeed } from '../../ledger/support.ts';

export const DEV_CHAIN_ID = 'txledger-dev-1';
export const FUNDS = 10n ** 12n;

export interface Payer {
  seed: Uint8Array;
  address: string;
}

function payer(name: string): Payer {
  const seed = createHash('sha256').update(`txledger bench ${name}`).digest();
  return { seed, address: addressOf(seed) };
}

export function addressOf(seed: Uint8Array): string {
  return encodeAddress(publicKeyOfSeed(seed), 'txlt');
}

/** `known` pay each other, round a ring. Each transfer of `fresh` goes to an address that was never seen before. */
export type SetName = 'known' | 'fresh';
export const PAYERS: Record<SetName, readonly Payer[]> = {
  known: Array.from({ length: 100 }, (_, index) => payer(`payer ${index}`)),
  fresh: Array.from({ length: 20 }, (_, index) => payer(`payer to fresh addresses ${index}`)),
};

export function freshSeed(index: number): Uint8Array {
  return createHash('sha256').update(`txledger bench receiver ${index}`).digest();
}

/** The development accounts fund all payers in turn. */
export const FUNDING = [...PAYERS.known, ...PAYERS.fresh].map(({ address }, index) => ({
  from: devAddress(index % DEV_ACCOUNTS),
  seed: devSeed(index % DEV_ACCOUNTS),
  to: address,
  nonce: Math.floor(index / DEV_ACCOUNTS),
}));
