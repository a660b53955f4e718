/**
 * Nodes of a tree that a change overwrote, so that proofs of earlier versions can still be made.
 *
 * Whole nodes are kept, not leaves: from leaves alone every proof of yesterday's tree would compute today's changes again. Sorted typed
 * arrays, because a block touches thousands of nodes and an object for each would cost more than the hashing.
 */
import { HASH_BYTES } from './merkle.ts';

const INDEX_BYTES = 4;

interface OverwrittenLevel {
  /** Slots that held another node before, ascending. */
  readonly indexes: Uint32Array;
  /** The nodes before, one after another in the same order. */
  readonly nodes: Buffer;
}

export class TreeUndo {
  /** Number of leaves before the change. */
  readonly size: number;
  readonly #levels: OverwrittenLevel[] = [];

  constructor(size: number) {
    this.size = size;
  }

  /** Memory it holds, in bytes. */
  get bytes(): number {
    return this.#levels.reduce((sum, { nodes }) => sum + nodes.length + (nodes.length / HASH_BYTES) * INDEX_BYTES, 0);
  }

  /** Levels are added from the leaves upwards. */
  addLevel(indexes: Uint32Array, nodes: Buffer): void {
    this.#levels.push({ indexes, nodes });
  }

  /** The node that the change overwrote at this place; undefined when it did not change the place. */
  node(height: number, index: number): Buffer | undefined {
    const level = this.#levels[height];
    if (level === undefined) return undefined;
    let low = 0;
    let high = level.indexes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((level.indexes[middle] as number) < index) low = middle + 1;
      else high = middle;
    }
    return level.indexes[low] === index ? level.nodes.subarray(low * HASH_BYTES, (low + 1) * HASH_BYTES) : undefined;
  }
}
