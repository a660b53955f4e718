/** The list tree against a direct reading of RFC 6962 section 2.1, for every small size. */
import { describe, expect, test } from '@jest/globals';
import {
  innerHash,
  leafHash,
  merkleProof,
  merkleRoot,
  merkleRootOfAlike,
  EMPTY_ROOT,
  upperHex,
} from '../../server/engine/encoding/index.ts';

const leaves = (n: number): Uint8Array[] => Array.from({ length: n }, (_, i) => Buffer.from(`leaf ${i}`));

/** MTH as the RFC defines it: split at the largest power of two smaller than n. */
function definition(list: readonly Uint8Array[]): Uint8Array {
  if (list.length === 0) return EMPTY_ROOT;
  if (list.length === 1) return leafHash(list[0]!);
  let k = 1;
  while (k * 2 < list.length) k *= 2;
  return innerHash(definition(list.slice(0, k)), definition(list.slice(k)));
}

/** Root from a proof, recursing from the top as CometBFT's computeHashFromAunts does. */
function rootFromProof(
  index: number,
  total: number,
  leaf: Uint8Array,
  aunts: readonly Uint8Array[],
): Uint8Array | undefined {
  if (total === 1) return aunts.length === 0 ? leaf : undefined;
  const last = aunts[aunts.length - 1];
  if (last === undefined) return undefined;
  let k = 1;
  while (k * 2 < total) k *= 2;
  const rest = aunts.slice(0, -1);
  const below = index < k ? rootFromProof(index, k, leaf, rest) : rootFromProof(index - k, total - k, leaf, rest);
  if (below === undefined) return undefined;
  return index < k ? innerHash(below, last) : innerHash(last, below);
}

describe('the tree over a list', () => {
  test('the empty list hashes to the hash of nothing', () => {
    expect(upperHex(merkleRoot([]))).toBe('E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855');
  });

  test('the root is the defined one for 1 to 70 leaves', () => {
    for (let n = 1; n <= 70; n++) expect(upperHex(merkleRoot(leaves(n)))).toBe(upperHex(definition(leaves(n))));
  });

  test('is the same over leaves that are nearly all alike, wherever another one is among them', () => {
    for (let n = 0; n <= 40; n++) {
      for (let odd = 0; odd <= n; odd++) {
        const list = Array.from({ length: n }, (_, i) => Buffer.from(i === odd || i === odd + 3 ? 'other' : ''));
        expect(upperHex(merkleRootOfAlike(list.map(leafHash)))).toBe(upperHex(definition(list)));
      }
    }
  });

  test('every proof of trees of 1 to 40 leaves leads to the root, and to no root from another place', () => {
    for (let n = 1; n <= 40; n++) {
      const list = leaves(n);
      const root = upperHex(merkleRoot(list));
      for (let i = 0; i < n; i++) {
        const proof = merkleProof(list, i);
        expect(upperHex(rootFromProof(i, n, leafHash(list[i]!), proof.aunts)!)).toBe(root);
        const elsewhere = rootFromProof((i + 1) % n, n, leafHash(list[i]!), proof.aunts);
        expect(n > 1 && elsewhere !== undefined && upperHex(elsewhere) === root).toBe(false);
      }
    }
  });

  test('a proof of a leaf that is not there is an error', () => {
    expect(() => merkleProof(leaves(3), 3)).toThrow('no leaf 3');
    expect(() => merkleProof(leaves(3), -1)).toThrow(RangeError);
  });
});
