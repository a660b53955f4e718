/** Recently used verified blocks, with the position of each of their transactions. */
import { BLOCKS_KEPT_MAX, KEPT_BYTES_MAX } from '../limits.ts';
import type { VerifiedBlock } from './verified-block.ts';

export interface FoundTransaction {
  block: VerifiedBlock;
  index: number;
}

const keyOf = (hash: Uint8Array): string => Buffer.from(hash.buffer, hash.byteOffset, hash.length).toString('latin1');

export class BlockCache {
  /** By height, the least recently used first. */
  readonly #blocks = new Map<number, VerifiedBlock>();
  readonly #transactions = new Map<string, FoundTransaction>();
  #bytes = 0;

  get(height: number): VerifiedBlock | undefined {
    const block = this.#blocks.get(height);
    if (block === undefined) return undefined;
    this.#blocks.delete(height);
    this.#blocks.set(height, block);
    return block;
  }

  add(block: VerifiedBlock): void {
    this.drop(block.height);
    this.#blocks.set(block.height, block);
    this.#bytes += block.bytes;
    block.transactionHashes.forEach((hash, index) => this.#transactions.set(keyOf(hash), { block, index }));
    for (const oldest of this.#blocks.keys()) {
      if (this.#blocks.size <= 1 || (this.#blocks.size <= BLOCKS_KEPT_MAX && this.#bytes <= KEPT_BYTES_MAX)) break;
      this.drop(oldest);
    }
  }

  drop(height: number): void {
    const block = this.#blocks.get(height);
    if (block === undefined) return;
    this.#blocks.delete(height);
    this.#bytes -= block.bytes;
    for (const hash of block.transactionHashes)
      if (this.#transactions.get(keyOf(hash))?.block === block) this.#transactions.delete(keyOf(hash));
  }

  transaction(hash: Uint8Array): FoundTransaction | undefined {
    return this.#transactions.get(keyOf(hash));
  }
}
