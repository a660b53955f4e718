/** CometBFT's Merkle trees (RFC 6962 section 2.1). */
import type { Bytes } from '../crypto/bytes.ts';
import { sha256 } from '../crypto/sha256.ts';
import { join } from './wire.ts';

export function leafHash(leaf: Uint8Array): Promise<Bytes> {
  return sha256(join(Uint8Array.of(0), leaf));
}

export function nodeHash(left: Uint8Array, right: Uint8Array): Promise<Bytes> {
  return sha256(join(Uint8Array.of(1), left, right));
}

/** The largest power of two below the number of leaves. */
export function split(leaves: number): number {
  let at = 1;
  while (at * 2 < leaves) at *= 2;
  return at;
}

export async function treeRoot(leaves: readonly Uint8Array[]): Promise<Bytes> {
  const [first] = leaves;
  if (first === undefined) return await sha256(join());
  if (leaves.length === 1) return await leafHash(first);
  const at = split(leaves.length);
  return await nodeHash(await treeRoot(leaves.slice(0, at)), await treeRoot(leaves.slice(at)));
}

/** The root that a path leads to from a leaf; undefined when the path does not have as many steps as the leaf's place requires. */
export async function pathRoot(
  leaf: Bytes,
  index: number,
  total: number,
  aunts: readonly Uint8Array[],
): Promise<Bytes | undefined> {
  if (index >= total) return undefined;
  const aunt = aunts.at(-1);
  if (total === 1 || aunt === undefined) return total === 1 && aunt === undefined ? leaf : undefined;
  const at = split(total);
  const isLeft = index < at;
  const below = await pathRoot(leaf, isLeft ? index : index - at, isLeft ? at : total - at, aunts.slice(0, -1));
  return below && (await (isLeft ? nodeHash(below, aunt) : nodeHash(aunt, below)));
}
