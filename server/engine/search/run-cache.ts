/**
 * Recently read runs of terms, by segment. A written segment never changes, and a client that reads a page reads the next one: so the first
 * page of a term costs a read for each segment, and the others none.
 */
import type { Run } from './postings.ts';

/** Runs kept over all terms, about 150 bytes each. */
const RUNS_KEPT_MAX = 20_000;

export class RunCache {
  readonly #max: number;
  /** By term, the least recently used first; undefined where a segment does not hold the term. */
  readonly #terms = new Map<string, Map<number, Run | undefined>>();
  #size = 0;

  constructor(max = RUNS_KEPT_MAX) {
    this.#max = max;
  }

  get(term: string, segment: number, load: () => Run | undefined): Run | undefined {
    const runs = this.#touch(term);
    if (runs.has(segment)) return runs.get(segment);
    const run = load();
    runs.set(segment, run);
    this.#size += 1;
    for (const [oldest, { size }] of this.#terms) {
      if (this.#size <= this.#max || oldest === term) break;
      this.#terms.delete(oldest);
      this.#size -= size;
    }
    return run;
  }

  #touch(term: string): Map<number, Run | undefined> {
    const runs = this.#terms.get(term) ?? new Map<number, Run | undefined>();
    this.#terms.delete(term);
    this.#terms.set(term, runs);
    return runs;
  }
}
