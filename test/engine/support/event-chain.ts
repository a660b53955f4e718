/** A chain of nothing but events below a search index on a real file, on a clock that the test moves. */
import { afterEach, beforeEach, expect } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SearchIndex, type SearchIndexParts } from '../../../server/engine/search/search-index.ts';
import type { SearchStore } from '../../../server/engine/search/search-store.ts';
import { compositeEvents, Searcher } from '../../../server/engine/search/searcher.ts';
import { openSqliteSearchStore } from '../../../server/engine/search/sqlite-search-store.ts';
import { matchesQuery, parseQuery } from '../../../server/engine/port.ts';
import type { Clock, Timer } from '../../../server/engine/ports.ts';
import type { LedgerEvent } from '../../../server/ledger/index.ts';

export const SEARCH_IDENTITY = { chainId: 'search-test', genesisHash: 'AB' };
const logger = { debug() {}, info() {}, warn() {}, error() {} };

/** A fresh folder for each test, gone after it. @returns where it is. */
export function withSearchFolder(): () => string {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'txledger-search-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return () => folder;
}

export const transfer = (from: string, to: string, amount: number): LedgerEvent[] => [
  {
    type: 'transfer',
    attributes: [
      { key: 'from', value: from, index: true },
      { key: 'to', value: to, index: true },
      { key: 'amount', value: String(amount), index: true },
      { key: 'note', value: 'hidden', index: false },
    ],
  },
];

/** A clock on which only work takes time; timers fire one by one, when the test says so. */
class WorkClock implements Clock {
  workedMs = 0;
  readonly #timers = new Set<() => void>();

  nowMs = () => 0;
  nowNs = () => 0n;
  monotonicMs = () => this.workedMs;
  setTimer = (fn: () => void): Timer => {
    this.#timers.add(fn);
    return { cancel: () => void this.#timers.delete(fn) };
  };

  /** Fires the oldest timer; false when there is none. */
  async tick(): Promise<boolean> {
    const [fn] = this.#timers;
    if (fn === undefined) return false;
    this.#timers.delete(fn);
    fn();
    // Whoever awaited what the timer did goes on first.
    for (let i = 0; i < 5; i++) await Promise.resolve();
    return true;
  }

  /** Fires until none is left. */
  async drain(): Promise<void> {
    while (await this.tick());
  }
}

/** A chain of nothing but events; its transactions have their place as hash. */
export class EventChain {
  readonly blocks: LedgerEvent[][][] = [];
  readonly clock = new WorkClock();
  readonly #folder: string;
  index!: SearchIndex;
  searcher!: Searcher;

  constructor(folder: string) {
    this.#folder = folder;
  }

  open(changes: Partial<SearchIndexParts> = {}, wrap = (store: SearchStore) => store): void {
    const store = wrap(openSqliteSearchStore(join(this.#folder, 'search.db'), SEARCH_IDENTITY));
    const source = { height: () => this.blocks.length, events: (height: number) => this.blocks[height - 1]! };
    this.index = new SearchIndex({
      store,
      source,
      clock: this.clock,
      logger,
      segmentTransactions: 5,
      segmentBlocks: 4,
      ...changes,
    });
    this.searcher = new Searcher({
      index: this.index,
      clock: this.clock,
      height: () => this.blocks.length,
      locate: () => undefined,
      events: (place) => this.composite(place.height, place.index),
    });
  }

  add(...transactions: LedgerEvent[][]): void {
    this.blocks.push(transactions);
    this.index.add(this.blocks.length, transactions);
  }

  composite(height: number, index: number) {
    return compositeEvents(height, `${height}/${index}`, this.blocks[height - 1]![index]!);
  }

  async search(query: string): Promise<string[]> {
    const parsed = parseQuery(query);
    if (!parsed.ok) throw new Error(parsed.error);
    // No search here is long enough to pause, so the index stays as it is meanwhile.
    const outcome = await this.searcher.find(parsed.conditions);
    if (!outcome.ok) throw new Error(outcome.detail);
    const { matches } = outcome;
    const whole = matches.slice(0, matches.count).map(({ height, index }) => `${height}/${index}`);
    expect(whole.length).toBe(matches.count);
    // Any page is a part of the whole.
    const skip = Math.floor(matches.count / 3);
    expect(matches.slice(skip, 2).map(({ height, index }) => `${height}/${index}`)).toEqual(
      whole.slice(skip, skip + 2),
    );
    return whole;
  }

  /** What is marked for indexes, as CometBFT's own index would see it. */
  byHand(query: string): string[] {
    const parsed = parseQuery(query);
    if (!parsed.ok) throw new Error(parsed.error);
    return this.blocks.flatMap((block, i) =>
      block.flatMap((_, index) =>
        matchesQuery(parsed.conditions, this.composite(i + 1, index)) ? [`${i + 1}/${index}`] : [],
      ),
    );
  }
}
