/** Counts the contents of a block so far; one counter serves the making and the checking of blocks, so that they cannot disagree. */
import { type BlockLimits, bytesInBlock, cancelBytesMax } from './block-limits.ts';
import { GOVERNANCE_PER_BLOCK_MAX } from './limits.ts';
import type { Transaction } from './transaction.ts';

export class BlockUsage {
  readonly #limits: BlockLimits;
  #transactions = 0;
  #governance = 0;
  #bytes = 0;
  #cancelBytes = 0;

  constructor(limits: BlockLimits) {
    this.#limits = limits;
  }

  /** The reason why this transaction no longer fits, or undefined when it does. */
  fault(kind: Transaction['kind'], raw: Uint8Array): string | undefined {
    const bytes = bytesInBlock(raw);
    if (this.#transactions >= this.#limits.transactionsMax)
      return `more than ${this.#limits.transactionsMax} transactions`;
    if (this.#bytes + bytes > this.#limits.bytesMax) return `more than ${this.#limits.bytesMax} bytes`;
    if (kind === 'cancel' && this.#cancelBytes + bytes > cancelBytesMax(this.#limits)) {
      return `more than ${cancelBytesMax(this.#limits)} bytes of cancels`;
    }
    if (kind === 'governance' && this.#governance >= GOVERNANCE_PER_BLOCK_MAX)
      return `more than ${GOVERNANCE_PER_BLOCK_MAX} governance`;
    return undefined;
  }

  add(kind: Transaction['kind'], raw: Uint8Array): void {
    const bytes = bytesInBlock(raw);
    this.#transactions += 1;
    this.#bytes += bytes;
    if (kind === 'cancel') this.#cancelBytes += bytes;
    if (kind === 'governance') this.#governance += 1;
  }
}
