/**
 * Hashes shared by every tree here (RFC 6962 section 2.1, the same in RFC 9162 and in CometBFT's crypto/merkle): leaves and inner nodes are
 * hashed after different prefixes, so that neither can be passed off as the other.
 */
import { sha256 } from './bytes.ts';

export const HASH_BYTES = 32;
export const LEAF_PREFIX = 0x00;
export const INNER_PREFIX = 0x01;

/** The root of no leaves at all, a new copy each time. */
export function emptyRoot(): Uint8Array {
  return sha256(new Uint8Array(0));
}
