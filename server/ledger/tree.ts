/**
 * The vector tree: an RFC 6962 tree over leaves that keep their index.
 *
 * A key takes the next index at its first write and keeps it for ever, so an update or an append touches one path and a batch computes each
 * touched node once. Nothing is deleted and there are no proofs of absence: that is what makes it so small. Nodes are 32-byte slots in one
 * buffer for each level, not objects: a million leaves take about 64 MB and no work for the garbage collector.
 */
import { hash } from 'node:crypto';
import { emptyRoot, HASH_BYTES, INNER_PREFIX } from './merkle.ts';

/** Where a leaf stands and what leads from it to the root. */
export interface Inclusion {
  readonly total: number;
  readonly index: number;
  readonly leafHash: Uint8Array;
  /** Siblings from the leaf's own up to a child of the root. */
  readonly aunts: readonly Uint8Array[];
}

const LEVEL_SLOTS_MIN = 16;

/** The nodes of one height: slot i is the parent of slots 2i and 2i + 1 below; an odd last node is promoted unchanged. */
class Level {
  #slots = Buffer.alloc(LEVEL_SLOTS_MIN * HASH_BYTES);
  size = 0;

  read(index: number): Buffer {
    return this.#slots.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES);
  }

  /** Two neighbours at once, without a view of either. */
  copyPair(index: number, target: Buffer, at: number): void {
    this.#slots.copy(target, at, index * HASH_BYTES, (index + 2) * HASH_BYTES);
  }

  write(index: number, node: Uint8Array): void {
    if (index >= this.size) this.#grow(index + 1);
    this.#slots.set(node, index * HASH_BYTES);
  }

  #grow(size: number): void {
    this.size = size;
    if (size * HASH_BYTES <= this.#slots.length) return;
    const larger = Buffer.alloc(Math.max(this.#slots.length * 2, size * HASH_BYTES));
    this.#slots.copy(larger);
    this.#slots = larger;
  }
}

export class VectorTree {
  readonly #levels: Level[] = [new Level()];
  /** Leaves written since the nodes above were last computed. */
  readonly #dirty = new Set<number>();
  /** Prefix, left and right of the node being computed: kept, because allocating it would cost as much as the hash. */
  readonly #scratch = Buffer.alloc(1 + 2 * HASH_BYTES, INNER_PREFIX);

  /** Number of leaves. */
  get size(): number {
    return this.#level(0).size;
  }

  /** Writes the hash of a leaf: an existing index, or exactly the next one. */
  set(index: number, leafHash: Uint8Array): void {
    if (!Number.isInteger(index) || index < 0 || index > this.size) throw new RangeError(`leaf ${index} of ${this.size}: leaves are dense`);
    if (leafHash.length !== HASH_BYTES) throw new RangeError(`a leaf hash is ${HASH_BYTES} bytes, got ${leafHash.length}`);
    this.#level(0).write(index, leafHash);
    this.#dirty.add(index);
  }

  /** Root over all leaves, with everything written so far. */
  root(): Uint8Array {
    this.#settle();
    if (this.size === 0) return emptyRoot();
    return Buffer.from(this.#level(this.#height()).read(0));
  }

  /** How leaf `index` is included in root(); undefined when there is no such leaf. */
  proof(index: number): Inclusion | undefined {
    if (!Number.isInteger(index) || index < 0 || index >= this.size) return undefined;
    this.#settle();
    const aunts: Uint8Array[] = [];
    for (let height = 0, at = index; height < this.#height(); height++, at >>>= 1) {
      const level = this.#level(height);
      const sibling = at ^ 1;
      // A promoted node has no sibling at this height.
      if (sibling < level.size) aunts.push(Buffer.from(level.read(sibling)));
    }
    return { total: this.size, index, leafHash: Buffer.from(this.#level(0).read(index)), aunts };
  }

  #level(height: number): Level {
    return (this.#levels[height] ??= new Level());
  }

  /** Height of the root: the number of halvings, rounded up, that lead from `size` to one. */
  #height(): number {
    return this.size <= 1 ? 0 : 32 - Math.clz32(this.size - 1);
  }

  /** Computes every node above a written leaf once, level by level. An appended leaf's ancestors cover all that an append changes. */
  #settle(): void {
    if (this.#dirty.size === 0) return;
    let indexes = Uint32Array.from(this.#dirty).sort();
    this.#dirty.clear();
    const height = this.#height();
    for (let h = 0; h < height; h++) {
      const below = this.#level(h);
      const above = this.#level(h + 1);
      const parents: number[] = [];
      for (const index of indexes) {
        const parent = index >>> 1;
        if (parents[parents.length - 1] === parent) continue;
        parents.push(parent);
        if (parent * 2 + 1 < below.size) {
          below.copyPair(parent * 2, this.#scratch, 1);
          above.write(parent, hash('sha256', this.#scratch, 'buffer'));
        } else {
          above.write(parent, below.read(parent * 2));
        }
      }
      indexes = Uint32Array.from(parents);
    }
  }
}
