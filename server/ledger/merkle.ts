/**
 * Hashes of RFC 6962 section 2.1 (the same in RFC 9162), as CometBFT uses them (crypto/merkle): leaves and inner nodes have different
 * prefixes, so that neither can be passed off as the other.
 */
import { sha256 } from './bytes.ts';

export const HASH_BYTES = 32;
export const LEAF_PREFIX = 0x00;
export const INNER_PREFIX = 0x01;

/** The root of no leaves at all. */
export const EMPTY_ROOT: Uint8Array = sha256(new Uint8Array(0));

export function leafHash(leaf: Uint8Array): Uint8Array {
  return sha256(Buffer.concat([Buffer.of(LEAF_PREFIX), leaf]));
}

export function innerHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256(Buffer.concat([Buffer.of(INNER_PREFIX), left, right]));
}

/**
 * Root over the hashes of leaves. Pairing up and promoting an odd last node gives the same tree as RFC 6962's split at the largest power of
 * two, without recursion.
 */
export function rootOfHashes(hashes: readonly Uint8Array[]): Uint8Array {
  let level = hashes;
  while (level.length > 1) {
    const above: Uint8Array[] = [];
    for (let i = 0; i < level.length; i += 2) {
      const left = level[i] as Uint8Array;
      const right = level[i + 1];
      above.push(right ? innerHash(left, right) : left);
    }
    level = above;
  }
  return level[0] ?? EMPTY_ROOT;
}
