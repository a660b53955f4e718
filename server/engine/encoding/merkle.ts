/**
 * The Merkle tree of RFC 6962 section 2.1 over a list, as CometBFT's crypto/merkle builds it.
 *
 * The specification splits at the largest power of two below n. Pairing neighbours level by level and promoting an
 * odd last node unchanged gives the same tree, needs no recursion and no slices of slices.
 */
import { SHA256_BYTES, sha256 } from './sha256.ts';

const LEAF_PREFIX = 0x00;
const INNER_PREFIX = 0x01;

/** Inclusion proof: the siblings ("aunts") from the leaf upwards. */
export interface MerkleProof {
  total: number;
  index: number;
  leafHash: Uint8Array;
  aunts: Uint8Array[];
}

/** Hash of a list of no leaves. */
export const EMPTY_ROOT: Uint8Array = sha256(Buffer.alloc(0));

export function leafHash(leaf: Uint8Array): Buffer {
  const prefixed = Buffer.allocUnsafe(1 + leaf.length);
  prefixed[0] = LEAF_PREFIX;
  prefixed.set(leaf, 1);
  return sha256(prefixed);
}

export function innerHash(left: Uint8Array, right: Uint8Array): Buffer {
  const prefixed = Buffer.allocUnsafe(1 + 2 * SHA256_BYTES);
  prefixed[0] = INNER_PREFIX;
  prefixed.set(left, 1);
  prefixed.set(right, 1 + SHA256_BYTES);
  return sha256(prefixed);
}

export function merkleRoot(leaves: readonly Uint8Array[]): Uint8Array {
  return rootAbove(leafLevel(leaves));
}

/** The same over leaves whose hashes are known and nearly all alike: where two pairs of neighbours are the same, one is hashed. */
export function merkleRootOfAlike(leafHashes: readonly Uint8Array[]): Uint8Array {
  const level = Buffer.allocUnsafe(leafHashes.length * SHA256_BYTES);
  leafHashes.forEach((hash, i) => level.set(hash, i * SHA256_BYTES));
  return rootAbove(level, repeatedInnerHash());
}

function rootAbove(leaves: Buffer, inner = innerHash): Uint8Array {
  if (leaves.length === 0) return EMPTY_ROOT;
  let level = leaves;
  while (level.length > SHA256_BYTES) level = parents(level, inner);
  return level;
}

/** An innerHash that keeps its last result. */
function repeatedInnerHash(): typeof innerHash {
  let last: { left: Uint8Array; right: Uint8Array; hash: Buffer } | undefined;
  return (left, right) => {
    if (last === undefined || Buffer.compare(left, last.left) !== 0 || Buffer.compare(right, last.right) !== 0)
      last = { left, right, hash: innerHash(left, right) };
    return last.hash;
  };
}

/** A tree whose nodes are kept, for many proofs over the same leaves. */
export class MerkleTree {
  readonly #levels: Buffer[];
  readonly #total: number;

  constructor(leaves: readonly Uint8Array[]) {
    let level = leafLevel(leaves);
    this.#levels = [level];
    while (level.length > SHA256_BYTES) {
      level = parents(level);
      this.#levels.push(level);
    }
    this.#total = leaves.length;
  }

  /** Proof for one leaf. Throws a RangeError when there is no such leaf. */
  proof(index: number): MerkleProof {
    if (!Number.isInteger(index) || index < 0 || index >= this.#total) {
      throw new RangeError(`no leaf ${index} in a tree of ${this.#total}`);
    }
    const aunts: Uint8Array[] = [];
    for (const [height, level] of this.#levels.slice(0, -1).entries()) {
      const sibling = nodeAt(level, (index >> height) ^ 1);
      // The promoted last node of an odd level has no sibling there, hence no aunt.
      if (sibling.length > 0) aunts.push(sibling);
    }
    return { total: this.#total, index, leafHash: nodeAt(this.#levels[0] as Buffer, index), aunts };
  }
}

/** Proof for one leaf. Throws a RangeError when there is no such leaf. */
export function merkleProof(leaves: readonly Uint8Array[], index: number): MerkleProof {
  return new MerkleTree(leaves).proof(index);
}

/** One level of the tree: its nodes one after another in one buffer. */
function leafLevel(leaves: readonly Uint8Array[]): Buffer {
  const level = Buffer.allocUnsafe(leaves.length * SHA256_BYTES);
  leaves.forEach((leaf, i) => leafHash(leaf).copy(level, i * SHA256_BYTES));
  return level;
}

function parents(level: Buffer, inner = innerHash): Buffer {
  const nodes = level.length / SHA256_BYTES;
  const out = Buffer.allocUnsafe(Math.ceil(nodes / 2) * SHA256_BYTES);
  for (let i = 0; i < nodes; i += 2) {
    const paired = i + 1 < nodes ? inner(nodeAt(level, i), nodeAt(level, i + 1)) : nodeAt(level, i);
    paired.copy(out, (i / 2) * SHA256_BYTES);
  }
  return out;
}

/** The node at a position; no bytes when the level ends before it. */
function nodeAt(level: Buffer, position: number): Buffer {
  return level.subarray(position * SHA256_BYTES, (position + 1) * SHA256_BYTES);
}
