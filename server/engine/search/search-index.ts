/**
 * The index of transactions by the attributes of their events.
 *
 * It follows the executed blocks: the newest are in memory, and whenever those are enough they become a segment on disk, written in small
 * steps between blocks. After a start it reads again what was only in memory, or everything when its file is new. It is not part of the
 * chain: when it fails, blocks go on and searches report it.
 */
import type { LedgerEvent } from '../../ledger/index.ts';
import type { Clock, Logger, Timer } from '../ports.ts';
import { MemorySegment } from './memory-segment.ts';
import { Postings, type Run } from './postings.ts';
import { RunCache } from './run-cache.ts';
import type { SearchStore, SegmentInfo } from './search-store.ts';
import { bucketOf, findTerm, readNumbers } from './segment-codec.ts';
import { writeSegment } from './segment-writer.ts';
import { termHash } from './terms.ts';

/** A segment is written when it holds this many transactions ... */
export const SEGMENT_TRANSACTIONS = 16_384;
/** ... or this many blocks, so that a start never has more of them to read again. */
export const SEGMENT_BLOCKS = 10_000;

/** Catching up yields to block making after this many blocks or transactions. */
const CATCH_UP_BLOCKS_PER_STEP = 200;
const CATCH_UP_TRANSACTIONS_PER_STEP = 1_000;
/** With fewer blocks the pace cannot be estimated. */
const PACE_BLOCKS_MIN = 100;
const MS_PER_S = 1000;
/** Pause before blocks that could not be read are requested again. */
const SOURCE_RETRY_MS = 1_000;

/** The events of each transaction of a block. */
export type BlockTransactionEvents = readonly (readonly LedgerEvent[])[];

/** Rejection of a source that will never have the block: the index then fails. */
export class BlockLost extends Error {
  override readonly name = 'BlockLost';
}

/** The executed blocks, as the index reads them again. */
export interface IndexSource {
  /** Height of the last executed block. */
  height(): number;
  /**
   * The events of an executed block, or a promise of them where the source has to fetch them; when that fails, they are requested again
   * later.
   */
  events(height: number): BlockTransactionEvents | Promise<BlockTransactionEvents>;
}

export interface SearchIndexParts {
  store: SearchStore;
  source: IndexSource;
  clock: Clock;
  logger: Logger;
  /** For tests: smaller segments. */
  segmentTransactions?: number;
  segmentBlocks?: number;
}

export interface TransactionPlace {
  height: number;
  /** Position in the block, from 0. */
  index: number;
}

export class SearchIndex {
  readonly #parts: SearchIndexParts;
  readonly #segments: SegmentInfo[];
  #runs = new RunCache();
  #active: MemorySegment;
  /** Executed blocks not indexed yet, by height: those that follow on `#active`. */
  readonly #waiting = new Map<number, BlockTransactionEvents>();
  /** Complete, and being written. */
  #closing: MemorySegment | undefined;
  #work: Generator<void, void> | undefined;
  #timer: Timer | undefined;
  /** Events were requested and are not there yet. */
  #isReading = false;
  #closed = false;
  #failure = '';
  /** The height at which it began to catch up, and when. */
  #began: { height: number; atMs: number };

  constructor(parts: SearchIndexParts) {
    this.#parts = parts;
    const { store, source } = parts;
    if (store.height() > source.height()) {
      parts.logger.warn(
        { indexed: store.height(), height: source.height() },
        'the search index is ahead of the chain: making it again',
      );
      store.clear();
    }
    this.#segments = store.segments();
    const last = this.#segments.at(-1);
    this.#active = new MemorySegment(last === undefined ? 0 : last.firstOrdinal + last.transactions, store.height());
    this.#began = { height: store.height(), atMs: parts.clock.monotonicMs() };
    this.#guard(() => this.#catchUp());
    this.#schedule();
  }

  /** The height up to which blocks are indexed. */
  get height(): number {
    return this.#active.height;
  }

  /** Estimated time to reach this height, at the pace so far; undefined while too little is done for an estimate. */
  remainingS(height: number): number | undefined {
    const done = this.height - this.#began.height;
    if (done < PACE_BLOCKS_MIN) return undefined;
    const passedMs = this.#parts.clock.monotonicMs() - this.#began.atMs;
    return Math.ceil(((height - this.height) * passedMs) / done / MS_PER_S);
  }

  /** The reason why it no longer works; '' when it does. */
  get failure(): string {
    return this.#failure;
  }

  /**
   * Adds a block that the chain just executed. It is indexed in a turn of its own or by the next search, because payments wait for the turn
   * that makes a block. One that comes while older blocks are missing is read again later.
   */
  add(height: number, events: BlockTransactionEvents): void {
    if (this.#failure === '' && height === this.#active.height + this.#waiting.size + 1)
      this.#waiting.set(height, events);
    this.#schedule();
  }

  /** Indexes the blocks that `add` received, so that a search sees them. */
  takeWaiting(): void {
    this.#guard(() => {
      for (const [height, events] of this.#waiting) this.#take(height, events);
    });
  }

  /** Ordinals [low, high) of the transactions in blocks from one height to another, both included. */
  ordinals(fromHeight: number, toHeight: number): { low: number; high: number } {
    const low = this.#firstOrdinalFrom(fromHeight);
    return { low, high: Math.max(low, this.#firstOrdinalFrom(toHeight + 1)) };
  }

  /** The transactions with this term among those ordinals. */
  postings(term: string, { low, high }: { low: number; high: number }): Postings {
    const hash = termHash(term);
    const bucket = bucketOf(hash);
    const runs: Run[] = [];
    for (const info of this.#segments) {
      if (info.firstOrdinal >= high || info.firstOrdinal + info.transactions <= low) continue;
      const run = this.#runs.get(term, info.segment, () => this.#storedRun(info, bucket, hash));
      if (run) runs.push(run);
    }
    for (const memory of this.#inMemory()) {
      const run = memory.run(term);
      if (run) runs.push(run);
    }
    return new Postings(runs, low, high);
  }

  /** The position of a transaction. The ordinal is one that this index returned. */
  place(ordinal: number): TransactionPlace {
    for (const { first, blocks } of this.#inMemory().toReversed()) {
      if (ordinal < first) continue;
      const block = blocks[countWhile(blocks.length, (i) => (blocks[i]?.firstOrdinal ?? Infinity) <= ordinal) - 1];
      if (block) return { height: block.height, index: ordinal - block.firstOrdinal };
    }
    const block = this.#parts.store.blockAt(ordinal);
    if (block === undefined) throw new RangeError(`no transaction ${ordinal} in the search index`);
    return { height: block.height, index: ordinal - block.firstOrdinal };
  }

  /** Drops everything and reads the chain again: blocks that were added before were false. */
  makeAgain(): void {
    if (this.#closed) return;
    this.#guard(() => {
      this.#parts.store.clear();
      this.#segments.length = 0;
      this.#waiting.clear();
      this.#runs = new RunCache();
      this.#closing = undefined;
      this.#work = undefined;
      this.#active = new MemorySegment(0, 0);
      this.#began = { height: 0, atMs: this.#parts.clock.monotonicMs() };
    });
    this.#schedule();
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#parts.store.close();
  }

  #storedRun({ segment, firstOrdinal, transactions }: SegmentInfo, bucket: number, hash: string): Run | undefined {
    const { store } = this.#parts;
    const directory = store.directory(segment, bucket);
    const found = directory && findTerm(directory, hash);
    if (!found) return undefined;
    return {
      first: firstOrdinal,
      end: firstOrdinal + transactions,
      count: found.count,
      offsets: () => readNumbers(store.numbers(segment, bucket) ?? Buffer.alloc(0), found.start, found.count),
    };
  }

  #firstOrdinalFrom(height: number): number {
    const memory = this.#inMemory();
    const stored = this.#parts.store.blockFrom(height);
    if (stored !== undefined) return stored.firstOrdinal;
    for (const { blocks } of memory) {
      const block = blocks[countWhile(blocks.length, (i) => (blocks[i]?.height ?? Infinity) < height)];
      if (block) return block.firstOrdinal;
    }
    return this.#active.end;
  }

  /** Oldest first. */
  #inMemory(): MemorySegment[] {
    return this.#closing ? [this.#closing, this.#active] : [this.#active];
  }

  #take(height: number, events: BlockTransactionEvents): void {
    this.#waiting.delete(height);
    this.#active.add(height, events);
    const { segmentTransactions = SEGMENT_TRANSACTIONS, segmentBlocks = SEGMENT_BLOCKS } = this.#parts;
    const { transactions, blockCount, end } = this.#active;
    if (transactions < segmentTransactions && blockCount < segmentBlocks) return;
    // While one segment is being written the next may grow beyond its size.
    if (this.#work) return;
    if (transactions === 0) {
      this.#parts.store.setHeight(height);
    } else {
      this.#closing = this.#active;
      this.#work = writeSegment(this.#parts.store, (this.#segments.at(-1)?.segment ?? 0) + 1, this.#closing);
    }
    this.#active = new MemorySegment(end, height);
  }

  #catchUp(): void {
    const { source } = this.#parts;
    if (this.#isReading) return;
    let transactions = 0;
    for (let blocks = 0; blocks < CATCH_UP_BLOCKS_PER_STEP && transactions < CATCH_UP_TRANSACTIONS_PER_STEP; blocks++) {
      const height = this.#active.height + 1;
      if (height > source.height()) return;
      const events = this.#waiting.get(height) ?? source.events(height);
      if (events instanceof Promise) {
        this.#awaitEvents(height, events);
        return;
      }
      transactions += events.length;
      this.#take(height, events);
    }
  }

  #awaitEvents(height: number, promised: Promise<BlockTransactionEvents>): void {
    this.#isReading = true;
    promised.then(
      (events) => {
        this.#isReading = false;
        if (this.#closed) return;
        // The chain may have added this very block meanwhile.
        if (height === this.#active.height + 1) this.#guard(() => this.#take(height, events));
        this.#schedule();
      },
      (error: unknown) => {
        this.#isReading = false;
        if (this.#closed) return;
        if (error instanceof BlockLost) {
          this.#guard(() => {
            throw error;
          });
          return;
        }
        this.#parts.logger.warn(
          { height, error: (error as Error).message },
          'the search index could not read a block; asking again later',
        );
        this.#timer ??= this.#parts.clock.setTimer(() => this.#step(), SOURCE_RETRY_MS);
      },
    );
  }

  #finishWork(): void {
    const memory = this.#closing;
    if (!memory) return;
    this.#segments.push({
      segment: (this.#segments.at(-1)?.segment ?? 0) + 1,
      firstOrdinal: memory.first,
      transactions: memory.transactions,
    });
    this.#closing = undefined;
    this.#work = undefined;
    this.#parts.store.maintain(true);
  }

  #step(): void {
    this.#timer = undefined;
    this.#guard(() => {
      if (this.#work?.next().done === true) this.#finishWork();
      this.#catchUp();
    });
    this.#schedule();
  }

  #schedule(): void {
    if (this.#closed || this.#timer || this.#failure !== '') return;
    if (!this.#work && (this.#isReading || this.#active.height >= this.#parts.source.height())) return;
    this.#timer = this.#parts.clock.setTimer(() => this.#step(), 0);
  }

  #guard(step: () => void): void {
    try {
      if (this.#failure === '') step();
    } catch (error) {
      this.#failure = `the search index failed: ${(error as Error).message}`;
      this.#parts.logger.error(
        { error: (error as Error).message, stack: (error as Error).stack },
        'the search index failed',
      );
    }
  }
}

/** Counts the positions from the start that fulfil a condition that, once it fails, fails for all later ones. */
function countWhile(length: number, holds: (position: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
