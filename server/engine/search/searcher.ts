/**
 * Answers a query from the index.
 *
 * A range of heights, or one term with or without such a range, costs the same however many transactions there are. Several terms are
 * intersected, and any other condition (CONTAINS, EXISTS, comparisons of attributes) is checked on the events of each candidate, in short
 * time slices and for a bounded time. The number of matches is always exact: a search that cannot be finished in time fails with advice on
 * how to narrow it.
 */
import type { LedgerEvent } from '../../ledger/index.ts';
import { matchesQuery, type CompositeEvents, type QueryCondition } from '../port.ts';
import type { Clock } from '../ports.ts';
import { Pacer } from '../pacer.ts';
import type { Postings } from './postings.ts';
import { planQuery } from './query-plan.ts';
import type { SearchIndex, TransactionPlace } from './search-index.ts';

/** Time that a search may take, waiting for others included. */
export const SEARCH_MS_MAX = 2_000;
/** Searches that check candidates one by one at the same time: each delays blocks by a time slice. */
export const SCANS_MAX = 4;
/**
 * Candidates whose events one search may read. Each costs a read and 20 to 50 us, so this is under a second of a thread that makes blocks
 * as well; without this bound anyone could have all of the history read, again and again.
 */
export const SCAN_CANDIDATES_MAX = 10_000;
/** Candidates checked between two readings of the clock. */
const CANDIDATES_PER_LOOK = 64;

const HEX = /^(?:[0-9a-f]{2})*$/i;

function isHashCondition({ tag, operator }: QueryCondition): boolean {
  return tag === 'tx.hash' && operator === '=';
}

/** The matches of a query, ascending, which can be paged through at once. */
export interface Matches {
  count: number;
  /** Positions of `take` matches after the first `skip`. */
  slice(skip: number, take: number): TransactionPlace[];
}

export type SearchOutcome =
  | { ok: true; matches: Matches }
  | { ok: false; reason: 'malformed' | 'too_long' | 'busy' | 'catching_up' | 'failed'; detail: string };

export interface SearcherParts {
  index: SearchIndex;
  clock: Clock;
  height: () => number;
  /** Position of the transaction with this hash. */
  locate: (hash: Uint8Array) => TransactionPlace | undefined | Promise<TransactionPlace | undefined>;
  /** Everything that a query can match in the transaction; its hash costs more than the rest. A promise where it has to be fetched. */
  events: (place: TransactionPlace, withHash: boolean) => CompositeEvents | Promise<CompositeEvents>;
}

const S_PER_MIN = 60;
/** A shorter time is not worth announcing. */
const MOMENT_S = 5;

function spanOf(seconds: number | undefined): string {
  if (seconds === undefined || seconds <= MOMENT_S) return 'a moment';
  return seconds < 2 * S_PER_MIN ? `about ${seconds} s` : `about ${Math.ceil(seconds / S_PER_MIN)} min`;
}

export class Searcher {
  readonly #parts: SearcherParts;
  #scans = 0;

  constructor(parts: SearcherParts) {
    this.#parts = parts;
  }

  async find(conditions: readonly QueryCondition[]): Promise<SearchOutcome> {
    const { index, height } = this.#parts;
    const byHash = conditions.find(isHashCondition);
    if (byHash) return this.#byHash(byHash.value?.text ?? '', conditions);
    index.takeWaiting();
    if (index.failure !== '') return { ok: false, reason: 'failed', detail: index.failure };
    if (index.height < height()) {
      return {
        ok: false,
        reason: 'catching_up',
        detail: `the search index has reached height ${index.height} of ${height()}: ask again in ${spanOf(index.remainingS(height()))}`,
      };
    }
    const plan = planQuery(conditions, 'tx.height');
    const range = index.ordinals(plan.fromHeight, Math.min(plan.toHeight, height()));
    const postings = plan.terms.map((term) => index.postings(term, range)).sort((a, b) => a.count - b.count);
    const [shortest, ...others] = postings;
    if (plan.filters.length === 0 && others.length === 0) {
      return { ok: true, matches: shortest ? this.#matches(shortest) : this.#matches(everything(range)) };
    }
    if (shortest?.count === 0) return { ok: true, matches: this.#matches(shortest) };
    return this.#scan(shortest ?? everything(range), others, plan.filters);
  }

  /** At most one transaction has a hash; it is located without the index, and the other conditions are checked on its events. */
  async #byHash(text: string, conditions: readonly QueryCondition[]): Promise<SearchOutcome> {
    if (!HEX.test(text)) {
      return {
        ok: false,
        reason: 'malformed',
        detail: `error during searching for a hash in the query: ${JSON.stringify(text)} is not hex`,
      };
    }
    const others = conditions.filter((condition) => !isHashCondition(condition));
    const place = await this.#parts.locate(Buffer.from(text, 'hex'));
    const isOneHash = conditions.every(
      (condition) => !isHashCondition(condition) || condition.value?.text.toLowerCase() === text.toLowerCase(),
    );
    const found =
      place && isOneHash && (others.length === 0 || matchesQuery(others, await this.#parts.events(place, true)))
        ? [place]
        : [];
    return { ok: true, matches: { count: found.length, slice: (skip, take) => found.slice(skip, skip + take) } };
  }

  async #scan(
    candidates: Ordinals & Iterable<number>,
    others: readonly Postings[],
    filters: readonly QueryCondition[],
  ): Promise<SearchOutcome> {
    if (filters.length > 0 && candidates.count > SCAN_CANDIDATES_MAX) return tooMany(candidates.count);
    if (this.#scans >= SCANS_MAX)
      return { ok: false, reason: 'busy', detail: 'too many searches at once: ask again in a moment' };
    this.#scans += 1;
    try {
      const pacer = new Pacer(this.#parts.clock);
      const memberships = others.map((list) => list.membership());
      const found: number[] = [];
      const withHash = filters.some(({ tag }) => tag.startsWith('tx'));
      let judged = 0;
      for (const ordinal of candidates) {
        let isFound = memberships.every((holds) => holds(ordinal));
        let isAsked = false;
        if (isFound && filters.length > 0) {
          const events = this.#events(ordinal, withHash);
          // Only a promise is awaited: a turn of the event loop for each candidate would cost more than checking it.
          isAsked = events instanceof Promise;
          isFound = matchesQuery(filters, isAsked ? await events : (events as CompositeEvents));
        }
        if (isFound) found.push(ordinal);
        judged += 1;
        if ((!isAsked && judged % CANDIDATES_PER_LOOK !== 0) || !pacer.due) continue;
        if (pacer.elapsedMs() > SEARCH_MS_MAX) return tooLong(judged, candidates.count);
        await pacer.pause();
      }
      return {
        ok: true,
        matches: this.#matches({ count: found.length, slice: (skip, take) => found.slice(skip, skip + take) }),
      };
    } finally {
      this.#scans -= 1;
    }
  }

  #events(ordinal: number, withHash: boolean): CompositeEvents | Promise<CompositeEvents> {
    return this.#parts.events(this.#parts.index.place(ordinal), withHash);
  }

  #matches(ordinals: Ordinals): Matches {
    return {
      count: ordinals.count,
      slice: (skip, take) => ordinals.slice(skip, take).map((ordinal) => this.#parts.index.place(ordinal)),
    };
  }
}

interface Ordinals {
  count: number;
  slice(skip: number, take: number): number[];
}

function everything({ low, high }: { low: number; high: number }): Ordinals & Iterable<number> {
  return {
    count: high - low,
    slice: (skip, take) =>
      Array.from({ length: Math.max(0, Math.min(take, high - low - skip)) }, (_, i) => low + skip + i),
    *[Symbol.iterator]() {
      for (let ordinal = low; ordinal < high; ordinal++) yield ordinal;
    },
  };
}

function tooMany(candidates: number): SearchOutcome {
  return {
    ok: false,
    reason: 'too_long',
    detail:
      `the search would look at ${candidates} transactions one by one, and at most ${SCAN_CANDIDATES_MAX} are looked at: ` +
      'narrow it by tx.height or by an attribute with =',
  };
}

function tooLong(judged: number, candidates: number): SearchOutcome {
  return {
    ok: false,
    reason: 'too_long',
    detail:
      `the search took longer than ${SEARCH_MS_MAX} ms and had judged ${judged} of ${candidates} transactions: ` +
      'narrow it by tx.height or by an attribute with =',
  };
}

/** Attributes of events by their composite keys (types/event_bus.go, validateAndStringifyEvents). */
export function attributesOf(events: readonly LedgerEvent[]): Record<string, string[]> {
  const composite: Record<string, string[]> = {};
  for (const { type, attributes } of events) {
    for (const { key, value } of attributes) (composite[`${type}.${key}`] ??= []).push(value);
  }
  return composite;
}

/**
 * Everything that a query can match in a transaction: the attributes of its events, its hash and its height (types/event_bus.go,
 * PublishEventTx).
 */
export function compositeEvents(
  height: number,
  hash: string,
  events: readonly LedgerEvent[],
): Record<string, string[]> {
  const composite = attributesOf(events);
  composite['tx.hash'] = [hash];
  composite['tx.height'] = [String(height)];
  return composite;
}
