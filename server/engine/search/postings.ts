/**
 * The transactions under one term, ascending. Counts are computed first, and ordinals read only where they are needed.
 *
 * A transaction is named by its ordinal: the number of transactions that the chain executed before it. A list comes in runs, one for each
 * segment of the index; counting needs no run's numbers, and a page needs those of one run or two, so both cost the same however long the
 * list is.
 */

export interface Run {
  /** All ordinals of the run are in [first, end). */
  first: number;
  end: number;
  count: number;
  /** The ordinals minus `first`, ascending; at least `count` of them. May read them again at each call. */
  offsets(): ArrayLike<number>;
}

/** Counts how many of the first `count` ascending values are below `bound`. */
function countBelow(values: ArrayLike<number>, count: number, bound: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] as number) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The part of a run within a range, with its numbers once they were needed. */
class Part {
  readonly run: Run;
  /** Positions within the run. */
  readonly from: number;
  readonly to: number;
  #offsets: ArrayLike<number> | undefined;

  constructor(run: Run, low: number, high: number) {
    this.run = run;
    this.from = low <= run.first ? 0 : countBelow(this.offsets(), run.count, low - run.first);
    this.to = high >= run.end ? run.count : countBelow(this.offsets(), run.count, high - run.first);
  }

  offsets(): ArrayLike<number> {
    return (this.#offsets ??= this.run.offsets());
  }

  /** Drops the numbers: a list may be longer than memory. */
  forget(): void {
    this.#offsets = undefined;
  }
}

export class Postings {
  readonly #parts: readonly Part[];
  readonly count: number;

  /** The ordinals of these runs (ascending, disjoint) that are in [low, high). */
  constructor(runs: readonly Run[], low: number, high: number) {
    this.#parts = runs
      .filter((run) => run.first < high && run.end > low)
      .map((run) => new Part(run, low, high))
      .filter(({ from, to }) => from < to);
    this.count = this.#parts.reduce((sum, { from, to }) => sum + to - from, 0);
  }

  /** `take` ordinals after the first `skip`, fewer at the end. */
  slice(skip: number, take: number): number[] {
    const found: number[] = [];
    let passed = 0;
    for (const part of this.#parts) {
      const { run, from, to } = part;
      const start = from + Math.max(0, skip - passed);
      passed += to - from;
      if (start >= to) continue;
      const offsets = part.offsets();
      for (let at = start; at < to && found.length < take; at++) found.push(run.first + (offsets[at] as number));
      if (found.length >= take) break;
    }
    return found;
  }

  *[Symbol.iterator](): Generator<number> {
    for (const part of this.#parts) {
      const offsets = part.offsets();
      for (let at = part.from; at < part.to; at++) yield part.run.first + (offsets[at] as number);
      part.forget();
    }
  }

  /** Returns a function that is true for the ordinals in the list. Call it with ascending ordinals only. */
  membership(): (ordinal: number) => boolean {
    let current = 0;
    return (ordinal) => {
      for (; ordinal >= (this.#parts[current]?.run.end ?? Infinity); current++) this.#parts[current]?.forget();
      const part = this.#parts[current];
      if (part === undefined || ordinal < part.run.first) return false;
      const offsets = part.offsets();
      const at = countBelow(offsets, part.to, ordinal - part.run.first);
      return at >= part.from && at < part.to && offsets[at] === ordinal - part.run.first;
    };
  }
}
