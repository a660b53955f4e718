/**
 * The operator's key file: `{"address","seed"}`. The address is one of the chain's cancellers; the seed signs only the cancels of this
 * service. A governor's key file has the same form and must not be on a gateway.
 *
 * @module
 */
import { readStrictJson } from '../platform/strict-json.ts';
import { encodeAddress } from '../ledger/address.ts';
import { publicKeyOfSeed } from '../ledger/ed25519.ts';
import type { AddressPrefix } from '../ledger/index.ts';

export interface OperatorKey {
  address: string;
  /** 32-byte Ed25519 seed. */
  seed: Uint8Array;
}

const SEED_HEX = /^[0-9a-f]{64}$/;

export function operatorKeyOf(seed: Uint8Array, prefix: AddressPrefix): OperatorKey {
  return { address: encodeAddress(publicKeyOfSeed(seed), prefix), seed };
}

/** Returns the text of the key file. */
export function formatOperatorKey({ address, seed }: OperatorKey): string {
  return `${JSON.stringify({ address, seed: Buffer.from(seed).toString('hex') }, undefined, 2)}\n`;
}

/** Reads a key file of the network with this prefix. The message states the remedy and never shows the seed. */
export function parseOperatorKey(
  text: string,
  prefix: AddressPrefix,
): { ok: true; key: OperatorKey } | { ok: false; message: string } {
  // Two seeds in one file would be two keys, and the JSON reader would decide which one signs. No message of the reader shows any of the
  // text.
  const read = readStrictJson(Buffer.from(text), { what: 'file' });
  if (!read.ok) return { ok: false, message: `is not JSON with one meaning: ${read.detail.replace(/\.$/, '')}` };
  const file = read.value as { address?: unknown; seed?: unknown } | null;
  if (typeof file?.seed !== 'string' || !SEED_HEX.test(file.seed)) {
    return { ok: false, message: 'has no "seed" of 64 lower-case hex digits' };
  }
  const key = operatorKeyOf(Buffer.from(file.seed, 'hex'), prefix);
  if (file.address !== key.address) {
    return {
      ok: false,
      message: `has an "address" that does not belong to its seed on this network, which would be ${key.address}`,
    };
  }
  return { ok: true, key };
}
