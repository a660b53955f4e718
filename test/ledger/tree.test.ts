import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { VectorTree } from '../../server/ledger/index.ts';
import { leaf, rootFromPath, rootOf } from './reference-tree.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const leafOf = (text: string | number) => leaf(Buffer.from(String(text)));
const treeOf = (leaves: readonly Uint8Array[]) => {
  const tree = new VectorTree();
  leaves.forEach((hash, i) => tree.set(i, hash));
  return tree;
};

describe('the vector tree', () => {
  test('has the roots that the certificate transparency reference publishes', () => {
    // Inputs and roots of certificate-transparency's merkle_tree_test: eight leaves, the root after each.
    const inputs = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
    const roots = [
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
      'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
      '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
      'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
      '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
    ];
    const tree = new VectorTree();
    for (const [i, input] of inputs.entries()) {
      tree.set(i, leaf(Buffer.from(input, 'hex')));
      expect(hex(tree.root())).toBe(roots[i]);
    }
  });

  test('without leaves has the hash of nothing', () => {
    expect(hex(new VectorTree().root())).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });

  test('equals a tree from scratch at every size, and so does every proof', () => {
    const leaves: Uint8Array[] = [];
    const tree = new VectorTree();
    for (let n = 0; n < 70; n++) {
      leaves.push(leafOf(n));
      tree.set(n, leaves[n]!);
      const root = rootOf(leaves);
      expect(hex(tree.root())).toBe(hex(root));
      for (let i = 0; i <= n; i++) {
        const { total, index, leafHash: hash, aunts } = tree.proof(i)!;
        expect([total, index, hex(hash)]).toEqual([n + 1, i, hex(leaves[i]!)]);
        expect(hex(rootFromPath(index, total, hash, aunts)!)).toBe(hex(root));
      }
    }
  });

  test('equals a tree from scratch after any mixture of batches of updates and appends', () => {
    const operation = fc.tuple(fc.nat({ max: 300 }), fc.nat());
    fc.assert(
      fc.property(fc.array(fc.array(operation, { minLength: 1, maxLength: 40 }), { maxLength: 12 }), (batches) => {
        const leaves: Uint8Array[] = [];
        const tree = new VectorTree();
        for (const batch of batches) {
          for (const [place, value] of batch) {
            const index = Math.min(place, leaves.length);
            leaves[index] = leafOf(value);
            tree.set(index, leaves[index]!);
          }
          expect(hex(tree.root())).toBe(hex(rootOf(leaves)));
        }
        expect(tree.size).toBe(leaves.length);
      }),
    );
  });

  test('a proof of another leaf, place or size does not lead to the root', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 200 }), fc.nat(), fc.nat(), (total, a, b) => {
        const tree = treeOf(Array.from({ length: total }, (_, i) => leafOf(i)));
        const index = a % total;
        const other = b % total;
        fc.pre(index !== other);
        const { leafHash: hash, aunts } = tree.proof(index)!;
        const root = hex(tree.root());
        expect(hex(rootFromPath(index, total, leafOf(other), aunts) ?? new Uint8Array(0))).not.toBe(root);
        expect(hex(rootFromPath(other, total, hash, aunts) ?? new Uint8Array(0))).not.toBe(root);
      }),
    );
  });

  test('root does not change when nothing is written, and is a copy', () => {
    const tree = treeOf([1, 2, 3].map(leafOf));
    const root = tree.root();
    expect(hex(tree.root())).toBe(hex(root));
    root.fill(0);
    expect(hex(tree.root())).toBe(hex(rootOf([1, 2, 3].map(leafOf))));
  });

  test('leaves are dense and hashes whole', () => {
    const tree = treeOf([leafOf(0)]);
    for (const index of [2, -1, 0.5, Number.NaN]) expect(() => tree.set(index, leafOf(1))).toThrow(/dense/);
    expect(() => tree.set(1, new Uint8Array(31))).toThrow(/32 bytes/);
    expect(tree.proof(1)).toBeUndefined();
    expect(tree.proof(-1)).toBeUndefined();
  });
});
