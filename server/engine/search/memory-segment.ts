/** The newest part of the index, in memory: every term with its transactions, and the blocks that hold any. */
import type { LedgerEvent } from '../../ledger/index.ts';
import type { Run } from './postings.ts';
import { termsOf } from './terms.ts';

export interface IndexedBlock {
  height: number;
  /** Ordinal of its first transaction. */
  firstOrdinal: number;
}

export class MemorySegment {
  /** Ordinal of the first transaction it can hold. */
  readonly first: number;
  /** Height of the last block in it, with or without transactions. */
  height: number;
  readonly blocks: IndexedBlock[] = [];
  readonly terms = new Map<string, number[]>();
  /** Blocks in it, with or without transactions. */
  blockCount = 0;
  #transactions = 0;

  constructor(first: number, height: number) {
    this.first = first;
    this.height = height;
  }

  get transactions(): number {
    return this.#transactions;
  }

  /** Ordinal after the last transaction. */
  get end(): number {
    return this.first + this.#transactions;
  }

  /** The next block, with the events of each of its transactions. */
  add(height: number, events: readonly (readonly LedgerEvent[])[]): void {
    this.height = height;
    this.blockCount += 1;
    if (events.length === 0) return;
    this.blocks.push({ height, firstOrdinal: this.end });
    for (const ofOne of events) {
      for (const term of termsOf(ofOne)) {
        const offsets = this.terms.get(term);
        if (offsets === undefined) this.terms.set(term, [this.#transactions]);
        else offsets.push(this.#transactions);
      }
      this.#transactions += 1;
    }
  }

  run(term: string): Run | undefined {
    const offsets = this.terms.get(term);
    return offsets && { first: this.first, end: this.end, count: offsets.length, offsets: () => offsets };
  }
}
