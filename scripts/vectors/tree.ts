/** Roots and proofs of the RFC 6962 tree at growing sizes, and the root after leaves were overwritten. */
import { createHash } from 'node:crypto';
import { VectorTree } from '../../server/ledger/index.ts';
import { toHex } from './expect.ts';

const SIZES = [0, 1, 2, 3, 4, 5, 7, 8, 9, 13, 64, 100];
/** Larger trees list some proofs: first, last and a few between. */
const PROOFS_MAX = 9;

const leafHash = (data: Uint8Array) => createHash('sha256').update(Buffer.of(0)).update(data).digest();
const innerHash = (left: Uint8Array, right: Uint8Array) =>
  createHash('sha256').update(Buffer.of(1)).update(left).update(right).digest();
const dataOf = (index: number, version: number) => Buffer.from(`leaf ${index} version ${version}`);

export function treeVectors() {
  const trees = SIZES.map((size) => {
    const tree = new VectorTree();
    for (let i = 0; i < size; i++) tree.set(i, leafHash(dataOf(i, 0)));
    const root = toHex(tree.root());
    const step = Math.max(1, Math.ceil(size / PROOFS_MAX));
    const indexes = [
      ...new Set([...Array.from({ length: Math.ceil(size / step) }, (_, i) => i * step), size - 1]),
    ].filter((i) => i >= 0);
    const proofs = indexes.map((index) => {
      const aunts = tree.proof(index)?.aunts ?? [];
      return { index, aunts: aunts.map(toHex) };
    });
    for (let i = 0; i < size; i += 3) tree.set(i, leafHash(dataOf(i, 1)));
    return { size, root, proofs, rootAfterEveryThirdIsRewritten: toHex(tree.root()) };
  });
  return {
    leafHashOfNothing: toHex(leafHash(new Uint8Array(0))),
    innerHashOfTwoOfThose: toHex(innerHash(leafHash(new Uint8Array(0)), leafHash(new Uint8Array(0)))),
    leafData: 'leaf {index} version {0, or 1 when rewritten}',
    trees,
  };
}
