/**
 * Storage of the nodes of a vector tree, as an interface, and the implementation that keeps all of them in memory.
 *
 * In memory, nodes are 32-byte slots in one buffer for each height, not objects: a million leaves take about 64 MB and no work for the
 * garbage collector.
 */
import { HASH_BYTES } from './merkle.ts';

/** The nodes of one height: slot i is the parent of slots 2i and 2i + 1 below; an odd last node is promoted unchanged. */
export interface NodeLevel {
  /** Valid until the next call. Only for a slot that was written. */
  read(index: number): Buffer;
  /** A slot, or the two children of one parent, without a view of any. */
  copy(index: number, count: 1 | 2, target: Buffer, at: number): void;
  /** An existing slot, or the next one. */
  write(index: number, node: Uint8Array): void;
}

export interface TreeNodes {
  /** 0 is that of the leaves. */
  level(height: number): NodeLevel;
}

const LEVEL_SLOTS_MIN = 16;

class HeapLevel implements NodeLevel {
  #slots = Buffer.alloc(LEVEL_SLOTS_MIN * HASH_BYTES);

  read(index: number): Buffer {
    return this.#slots.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES);
  }

  copy(index: number, count: number, target: Buffer, at: number): void {
    this.#slots.copy(target, at, index * HASH_BYTES, (index + count) * HASH_BYTES);
  }

  write(index: number, node: Uint8Array): void {
    const end = (index + 1) * HASH_BYTES;
    if (end > this.#slots.length) this.#grow(end);
    this.#slots.set(node, index * HASH_BYTES);
  }

  #grow(bytes: number): void {
    const larger = Buffer.alloc(Math.max(this.#slots.length * 2, bytes));
    this.#slots.copy(larger);
    this.#slots = larger;
  }
}

export class HeapNodes implements TreeNodes {
  readonly #levels: NodeLevel[] = [];

  level(height: number): NodeLevel {
    return (this.#levels[height] ??= new HeapLevel());
  }
}
