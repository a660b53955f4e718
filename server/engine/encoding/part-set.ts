/** The part set: block bytes in slices of 64 KiB under a tree over the raw slices (types/part_set.go). */
import { merkleRoot } from './merkle.ts';
import { headerHash } from './header.ts';
import type { BlockId, Header } from './types.ts';

export const BLOCK_PART_BYTES = 65_536;

export function blockParts(blockBytes: Uint8Array): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let start = 0; start < blockBytes.length; start += BLOCK_PART_BYTES) {
    parts.push(blockBytes.subarray(start, start + BLOCK_PART_BYTES));
  }
  return parts;
}

/** The id under which a block is signed and referred to: its header hash and its part-set header. */
export function blockId(header: Header, blockBytes: Uint8Array): BlockId {
  return { hash: headerHash(header), parts: partsOf(blockBytes) };
}

/** The part-set header alone, which differs after any change in the bytes. */
export function partsOf(blockBytes: Uint8Array): BlockId['parts'] {
  const parts = blockParts(blockBytes);
  return { total: parts.length, hash: merkleRoot(parts) };
}
