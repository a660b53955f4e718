/** The published vectors: in the package they lie beside the code, in the repository in spec/. */
import { existsSync, readFileSync } from 'node:fs';

/** @returns the folder of that name of the contract. */
export function published(name: 'vectors' | 'workflows'): URL {
  const packed = new URL(`./${name}/`, import.meta.url);
  return existsSync(packed) && !import.meta.url.endsWith('.ts')
    ? packed
    : new URL(`../../../spec/${name}/`, import.meta.url);
}

const read = <T>(file: string): T => JSON.parse(readFileSync(new URL(file, published('vectors')), 'utf8')) as T;

export interface SigningVector {
  name: string;
  seed: string;
  chainId: string;
  request: {
    from: string;
    to: string;
    amount: string;
    nonce: number;
    reference?: string;
    validUntil?: number;
    signature: string;
  };
  signBytes: string;
  raw: string;
  txHash: string;
}

export interface AddressVectors {
  valid: { name: string; prefix: string; address: string }[];
  refused: { name: string; prefix: string; address: string; reason: string }[];
}

export interface TransactionVectors {
  chain: { chainId: string };
  valid: { name: string; raw: string }[];
  refused: { name: string; raw?: string; rawHex?: string; code: number }[];
  codes: Record<string, number>;
}

export const signingVectors = (): SigningVector[] => read('signing-vectors.json');
export const addressVectors = (): AddressVectors => read('addresses.json');
export const loadVectors = (): TransactionVectors => ({
  ...read<Omit<TransactionVectors, 'codes'>>('transactions.json'),
  codes: read('codes.json'),
});
