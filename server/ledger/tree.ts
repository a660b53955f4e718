/**
 * The vector tree: an RFC 6962 tree over leaves that keep their index.
 *
 * A key takes the next index at its first write and keeps it forever, so an update or an append touches one path and a batch computes each
 * touched node once. Nothing is deleted and there are no proofs of absence: that is what makes it so small. Where the nodes are kept is the
 * caller's choice: in memory, or in pages on disk.
 *
 * Earlier versions are read through undo records: a node of an earlier version is the one that the first later change overwrote at its
 * place, or else the present one.
 */
import { sha256Into } from './bytes.ts';
import { emptyRoot, HASH_BYTES, INNER_PREFIX } from './merkle.ts';
import { HeapNodes, type NodeLevel, type TreeNodes } from './tree-nodes.ts';
import { TreeUndo } from './tree-undo.ts';

/** Position of a leaf, and the path from it to the root. */
export interface Inclusion {
  readonly total: number;
  readonly index: number;
  readonly leafHash: Uint8Array;
  /** Siblings from the leaf's own up to a child of the root. */
  readonly aunts: readonly Uint8Array[];
}

const NO_UNDOS: readonly TreeUndo[] = [];

/** Height of the root: the number of halvings, rounded up, that lead from `size` to one. */
export function heightOf(size: number): number {
  return size <= 1 ? 0 : 32 - Math.clz32(size - 1);
}

/** Nodes at a height above `size` leaves. */
export function levelSize(size: number, height: number): number {
  return Math.ceil(size / 2 ** height);
}

export class VectorTree {
  readonly #nodes: TreeNodes;
  #size: number;
  /** Leaves written since the nodes above were last computed, each with the bytes that it overwrote. */
  readonly #dirty = new Map<number, Buffer | undefined>();
  /** Number of leaves when the nodes above were last computed. */
  #settledSize: number;
  /** Prefix, left and right of the node being computed, and its hash: kept, because allocating them would cost as much as the hash. */
  readonly #scratch = Buffer.alloc(1 + 2 * HASH_BYTES, INNER_PREFIX);
  readonly #hash = Buffer.alloc(HASH_BYTES);

  /** Empty; or the tree of `size` leaves whose nodes are all in `nodes`. */
  constructor(nodes: TreeNodes = new HeapNodes(), size = 0) {
    this.#nodes = nodes;
    this.#size = size;
    this.#settledSize = size;
  }

  /** Number of leaves. */
  get size(): number {
    return this.#size;
  }

  /** Writes the hash of a leaf: an existing index, or exactly the next one. */
  set(index: number, leafHash: Uint8Array): void {
    if (!Number.isInteger(index) || index < 0 || index > this.size)
      throw new RangeError(`leaf ${index} of ${this.size}: leaves are dense`);
    if (leafHash.length !== HASH_BYTES)
      throw new RangeError(`a leaf hash is ${HASH_BYTES} bytes, got ${leafHash.length}`);
    // While there are no nodes above the leaves, nothing is overwritten and all of them will be computed.
    if (this.#settledSize > 0 && !this.#dirty.has(index)) {
      this.#dirty.set(index, index < this.#settledSize ? Buffer.from(this.#level(0).read(index)) : undefined);
    }
    this.#level(0).write(index, leafHash);
    if (index === this.#size) this.#size += 1;
  }

  /**
   * Computes all nodes above the leaves written since the last root or checkpoint, and returns the nodes that this overwrote: with the undo
   * records of all later checkpoints, oldest first, the tree can be seen as it was before.
   */
  checkpoint(): TreeUndo {
    const undo = new TreeUndo(this.#settledSize);
    this.#settle(undo);
    return undo;
  }

  /** Root over all leaves, with everything written so far; or, given the checkpoints since, over the leaves of then. */
  root(since: readonly TreeUndo[] = NO_UNDOS): Uint8Array {
    this.#settle();
    const size = since[0]?.size ?? this.size;
    return size === 0 ? emptyRoot() : Buffer.from(this.#node(heightOf(size), 0, since));
  }

  /** Proof that leaf `index` is included in root(since); undefined when there is no such leaf. */
  proof(index: number, since: readonly TreeUndo[] = NO_UNDOS): Inclusion | undefined {
    const size = since[0]?.size ?? this.size;
    if (!Number.isInteger(index) || index < 0 || index >= size) return undefined;
    this.#settle();
    const aunts: Uint8Array[] = [];
    for (let height = 0, at = index; height < heightOf(size); height++, at >>>= 1) {
      const sibling = at ^ 1;
      // A promoted node has no sibling at this height.
      if (sibling < levelSize(size, height)) aunts.push(Buffer.from(this.#node(height, sibling, since)));
    }
    return { total: size, index, leafHash: Buffer.from(this.#node(0, index, since)), aunts };
  }

  #node(height: number, index: number, since: readonly TreeUndo[]): Buffer {
    for (const undo of since) {
      const node = undo.node(height, index);
      if (node !== undefined) return node;
    }
    return this.#level(height).read(index);
  }

  #level(height: number): NodeLevel {
    return this.#nodes.level(height);
  }

  /** Computes every node above a written leaf once, level by level. An appended leaf's ancestors cover all that an append changes. */
  #settle(undo?: TreeUndo): void {
    if (this.#settledSize === 0) {
      this.#settleAll();
      return;
    }
    if (this.#dirty.size === 0) return;
    let indexes = Uint32Array.from(this.#dirty.keys()).sort();
    if (undo) this.#keepLeaves(undo, indexes);
    this.#dirty.clear();
    const height = heightOf(this.size);
    for (let h = 0; h < height; h++) {
      const below = this.#level(h);
      const above = this.#level(h + 1);
      const sizeBelow = levelSize(this.size, h);
      const parents: number[] = [];
      for (const index of indexes) {
        const parent = index >>> 1;
        if (parents[parents.length - 1] !== parent) parents.push(parent);
      }
      indexes = Uint32Array.from(parents);
      if (undo) this.#keepLevel(undo, above, indexes, levelSize(undo.size, h + 1));
      for (const parent of indexes) this.#compute(below, above, parent, sizeBelow);
    }
    this.#settledSize = this.size;
  }

  #settleAll(): void {
    const height = heightOf(this.size);
    for (let h = 0; h < height; h++) {
      const [below, above] = [this.#level(h), this.#level(h + 1)];
      const sizeBelow = levelSize(this.size, h);
      for (let parent = 0; parent * 2 < sizeBelow; parent++) this.#compute(below, above, parent, sizeBelow);
    }
    this.#settledSize = this.size;
  }

  #compute(below: NodeLevel, above: NodeLevel, parent: number, sizeBelow: number): void {
    if (parent * 2 + 1 < sizeBelow) {
      below.copy(parent * 2, 2, this.#scratch, 1);
      sha256Into(this.#hash, 0, this.#scratch);
      above.write(parent, this.#hash);
    } else {
      above.write(parent, below.read(parent * 2));
    }
  }

  #keepLeaves(undo: TreeUndo, indexes: Uint32Array): void {
    const kept = indexes.subarray(0, firstAtLeast(indexes, undo.size));
    undo.addLevel(kept.slice(), Buffer.concat(Array.from(kept, (index) => this.#dirty.get(index) as Buffer)));
  }

  #keepLevel(undo: TreeUndo, level: NodeLevel, indexes: Uint32Array, sizeBefore: number): void {
    const kept = indexes.subarray(0, firstAtLeast(indexes, sizeBefore));
    const nodes = Buffer.allocUnsafe(kept.length * HASH_BYTES);
    kept.forEach((index, i) => level.copy(index, 1, nodes, i * HASH_BYTES));
    undo.addLevel(kept.slice(), nodes);
  }
}

/** Number of the ascending indexes that are below `bound`. */
function firstAtLeast(indexes: Uint32Array, bound: number): number {
  const found = indexes.findIndex((index) => index >= bound);
  return found < 0 ? indexes.length : found;
}
