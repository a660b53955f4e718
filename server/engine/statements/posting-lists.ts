/** The postings of an account, from the rows of runs and of those added since: the same for the writer and for readers. */
import { LIMIT_GIVEN } from '../../platform/limit-given.ts';
import type { Database } from 'better-sqlite3';
import { decodeChunk, firstPostingOf, PART, partOf } from './posting.ts';

export interface Run {
  run: number;
  level: number;
  firstOrdinal: number;
  endOrdinal: number;
}

export interface PostingRange {
  account: number;
  /** From this posting on, which is included. */
  low: number;
  /** Up to this posting, which is not included. */
  high: number;
  order: 'asc' | 'desc';
  /** Only those that a statement shows. */
  shown: boolean;
  limit: number;
}

interface ChunkRow {
  first: number;
  offsets: Buffer;
}

export class PostingLists {
  readonly #selectRuns;
  readonly #selectRecent;
  readonly #selectChunk;

  constructor(sql: Database) {
    this.#selectRuns = sql.prepare(
      'SELECT run, level, first_ordinal AS firstOrdinal, end_ordinal AS endOrdinal FROM runs ORDER BY first_ordinal',
    );
    const recent = 'SELECT posting FROM recent WHERE account = ? AND posting >= ? AND posting < ? ORDER BY posting';
    this.#selectRecent = {
      asc: sql.prepare(`${recent} ${LIMIT_GIVEN}`).pluck(),
      desc: sql.prepare(`${recent} DESC ${LIMIT_GIVEN}`).pluck(),
    };
    const chunk = 'SELECT first, offsets FROM chunks WHERE run = ? AND account = ?';
    this.#selectChunk = {
      before: sql.prepare(`${chunk} AND first < ? ORDER BY first DESC LIMIT 1`),
      after: sql.prepare(`${chunk} AND first > ? ORDER BY first LIMIT 1`),
    };
  }

  /** Oldest first. */
  runs(): Run[] {
    return this.#selectRuns.all() as Run[];
  }

  /** At most `limit` postings of the range, in its order. */
  list(range: PostingRange): number[] {
    const found: number[] = [];
    if (range.order === 'desc') {
      this.#addRecent(range, found);
      for (const run of this.runs().reverse())
        if (found.length < range.limit) this.#addRunDescending(run, range, found);
    } else {
      for (const run of this.runs()) if (found.length < range.limit) this.#addRunAscending(run, range, found);
      this.#addRecent(range, found);
    }
    return found;
  }

  #addRecent(range: PostingRange, found: number[]): void {
    const { account, low, high, order, limit } = range;
    const select = this.#selectRecent[order];
    let [from, to] = [low, high];
    while (found.length < limit && from < to) {
      const asked = limit - found.length;
      const postings = select.all(account, from, to, asked) as number[];
      for (const posting of postings) if (!range.shown || partOf(posting) !== PART.hidden) found.push(posting);
      const last = postings.at(-1);
      if (last === undefined || postings.length < asked) return;
      if (order === 'asc') from = last + 1;
      else to = last;
    }
  }

  #addRunDescending(run: Run, range: PostingRange, found: number[]): void {
    const base = firstPostingOf(run.firstOrdinal);
    if (base >= range.high || firstPostingOf(run.endOrdinal) <= range.low) return;
    let before = range.high - base;
    while (found.length < range.limit) {
      const row = this.#selectChunk.before.get(run.run, range.account, before) as ChunkRow | undefined;
      if (row === undefined) return;
      const postings = decodeChunk(row.offsets, base);
      for (let at = postings.length - 1; at >= 0; at--) if (!take(postings[at] as number, range, found)) break;
      if (base + row.first <= range.low) return;
      before = row.first;
    }
  }

  #addRunAscending(run: Run, range: PostingRange, found: number[]): void {
    const base = firstPostingOf(run.firstOrdinal);
    if (base >= range.high || firstPostingOf(run.endOrdinal) <= range.low) return;
    // The chunk that holds the beginning of the range; it may begin before it.
    let row = this.#selectChunk.before.get(run.run, range.account, range.low - base + 1) as ChunkRow | undefined;
    row ??= this.#selectChunk.after.get(run.run, range.account, range.low - base) as ChunkRow | undefined;
    while (row !== undefined && base + row.first < range.high && found.length < range.limit) {
      for (const posting of decodeChunk(row.offsets, base)) if (!take(posting, range, found)) break;
      row = this.#selectChunk.after.get(run.run, range.account, row.first) as ChunkRow | undefined;
    }
  }
}

/** Adds a posting of the range. Returns false when the list is full. */
function take(posting: number, { low, high, shown, limit }: PostingRange, found: number[]): boolean {
  if (found.length >= limit) return false;
  if (posting >= low && posting < high && (!shown || partOf(posting) !== PART.hidden)) found.push(posting);
  return true;
}
