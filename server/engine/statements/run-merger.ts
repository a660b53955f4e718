/**
 * Keeps the number of runs of postings small, in small steps: `recent` becomes a run when it is full, and RUNS_MERGED runs of one level
 * become one of the next.
 *
 * A run counts when it is listed in `runs`. Rows of any other number are left over from an interrupted merge, or of runs that were merged,
 * and are deleted.
 */
import type { Database } from 'better-sqlite3';
import { CHUNK_POSTINGS, encodeChunk, firstPostingOf } from './posting.ts';
import { PostingLists, type Run } from './posting-lists.ts';

/** Changes whose postings `recent` holds: a few pages, which every block writes, and a run of them is written in some milliseconds. */
export const RECENT_CHANGES_MAX = 1_024;
/** Runs of one level that are merged. */
const RUNS_MERGED = 16;
/** A run of this level holds 4 million changes and is never merged again: offsets in it are 32 bits. */
const LEVEL_MAX = 3;
/** Rows of one step: about two milliseconds. */
const ROWS_PER_STEP = 512;
const ROWS_READ_AHEAD = 64;

interface ChunkRow {
  account: number;
  first: number;
  offsets: Buffer;
}

export interface RunMergerOptions {
  recentChangesMax?: number;
  runsMerged?: number;
}

export class RunMerger {
  readonly #sql: Database;
  readonly #lists: PostingLists;
  readonly #selectRecent;
  readonly #selectAhead;
  readonly #insertChunk;
  readonly #insertRun;
  readonly #deleteRun;
  readonly #selectChunkRun;
  readonly #selectAccountAt;
  readonly #deleteChunks;
  readonly #recentChangesMax: number;
  readonly #runsMerged: number;
  #runs: Run[];
  #nextRun: number;
  #work: Generator<void, void> | undefined;
  /** Numbers of runs whose rows can be deleted. */
  readonly #garbage: number[] = [];

  constructor(
    sql: Database,
    { recentChangesMax = RECENT_CHANGES_MAX, runsMerged = RUNS_MERGED }: RunMergerOptions = {},
  ) {
    this.#sql = sql;
    this.#recentChangesMax = recentChangesMax;
    this.#runsMerged = runsMerged;
    this.#lists = new PostingLists(sql);
    this.#selectRecent = sql.prepare('SELECT account, posting FROM recent ORDER BY account, posting');
    this.#selectAhead = sql.prepare(
      `SELECT account, first, offsets FROM chunks WHERE run = ? AND (account, first) > (?, ?) ORDER BY account, first LIMIT ${ROWS_READ_AHEAD}`,
    );
    this.#insertChunk = sql.prepare('INSERT INTO chunks (run, account, first, offsets) VALUES (?, ?, ?, ?)');
    this.#insertRun = sql.prepare('INSERT INTO runs (run, level, first_ordinal, end_ordinal) VALUES (?, ?, ?, ?)');
    this.#deleteRun = sql.prepare('DELETE FROM runs WHERE run = ?');
    this.#selectChunkRun = sql.prepare('SELECT run FROM chunks WHERE run > ? ORDER BY run LIMIT 1').pluck();
    this.#selectAccountAt = sql
      .prepare(`SELECT account FROM chunks WHERE run = ? ORDER BY account, first LIMIT 1 OFFSET ${ROWS_PER_STEP}`)
      .pluck();
    this.#deleteChunks = sql.prepare('DELETE FROM chunks WHERE run = ? AND account <= ?');
    this.#runs = this.#lists.runs();
    const listed = new Set(this.#runs.map(({ run }) => run));
    this.#nextRun = 1;
    for (
      let run = this.#selectChunkRun.get(-1) as number | undefined;
      run !== undefined;
      run = this.#selectChunkRun.get(run) as number | undefined
    ) {
      if (!listed.has(run)) this.#garbage.push(run);
      this.#nextRun = run + 1;
    }
    for (const run of listed) this.#nextRun = Math.max(this.#nextRun, run + 1);
  }

  /** Call it inside the transaction of the changes that are in `recent`, up to `endOrdinal`. */
  flush(endOrdinal: number): void {
    const firstOrdinal = this.#runs.at(-1)?.endOrdinal ?? 0;
    if (endOrdinal - firstOrdinal < this.#recentChangesMax) return;
    const run: Run = { run: this.#nextRun++, level: 0, firstOrdinal, endOrdinal };
    const chunks = new ChunkWriter(run, this.#insertChunk);
    for (const { account, posting } of this.#selectRecent.all() as { account: number; posting: number }[])
      chunks.add(account, posting);
    chunks.end();
    this.#sql.exec('DELETE FROM recent');
    this.#list(run);
    this.#runs.push(run);
  }

  /** Call it when the transaction was rolled back, with everything that was flushed in it. */
  rolledBack(): void {
    this.#runs = this.#lists.runs();
  }

  get hasWork(): boolean {
    return this.#work !== undefined || this.#garbage.length > 0 || this.#due() !== undefined;
  }

  get runs(): number {
    return this.#runs.length;
  }

  /** Runs a step of a few milliseconds, in a transaction of its own. */
  step(): void {
    if (this.#work === undefined) {
      const due = this.#due();
      this.#work = due === undefined ? this.#clean() : this.#merge(due);
    }
    if (this.#work.next().done === true) this.#work = undefined;
  }

  #list({ run, level, firstOrdinal, endOrdinal }: Run): void {
    this.#insertRun.run(run, level, firstOrdinal, endOrdinal);
  }

  /** The oldest runs of the lowest level that has enough of them; they are adjacent. */
  #due(): Run[] | undefined {
    for (let level = 0; level < LEVEL_MAX; level++) {
      const ofLevel = this.#runs.filter((run) => run.level === level);
      if (ofLevel.length >= this.#runsMerged) return ofLevel.slice(0, this.#runsMerged);
    }
    return undefined;
  }

  *#merge(runs: readonly Run[]): Generator<void, void> {
    const [first, last] = [runs[0] as Run, runs.at(-1) as Run];
    const merged: Run = {
      run: this.#nextRun++,
      level: first.level + 1,
      firstOrdinal: first.firstOrdinal,
      endOrdinal: last.endOrdinal,
    };
    const inputs = runs.map((run) => new RunInput(run, this.#selectAhead));
    const chunks = new ChunkWriter(merged, this.#insertChunk);
    let isDone = false;
    while (!isDone) {
      isDone = this.#inTransaction(() => {
        for (let rows = 0; rows < ROWS_PER_STEP; rows++) {
          let next: RunInput | undefined;
          // The runs are in the order of the chain, so of one account the first run that has any comes first.
          for (const input of inputs)
            if (input.row !== undefined && input.row.account < (next?.row?.account ?? Infinity)) next = input;
          if (next?.row === undefined) {
            chunks.end();
            for (const { run } of runs) this.#deleteRun.run(run);
            this.#list(merged);
            return true;
          }
          const { account, offsets } = next.row;
          for (let at = 0; at < offsets.length; at += 4) chunks.add(account, next.base + offsets.readUInt32LE(at));
          next.shift();
        }
        return false;
      });
      if (!isDone) yield;
    }
    this.#runs = this.#lists.runs();
    this.#garbage.push(...runs.map(({ run }) => run));
  }

  *#clean(): Generator<void, void> {
    for (let run = this.#garbage[0]; run !== undefined; run = this.#garbage[0]) {
      const account = (this.#selectAccountAt.get(run) as number | undefined) ?? Number.MAX_SAFE_INTEGER;
      this.#inTransaction(() => this.#deleteChunks.run(run, account));
      if (account === Number.MAX_SAFE_INTEGER) this.#garbage.shift();
      yield;
    }
  }

  #inTransaction<T>(work: () => T): T {
    return this.#sql.transaction(work).immediate();
  }
}

/** The rows of one run, in the order of accounts. */
class RunInput {
  readonly base: number;
  readonly #run: number;
  readonly #select;
  #rows: ChunkRow[] = [];
  #at = 0;

  constructor({ run, firstOrdinal }: Run, select: RunMergerSelect) {
    this.base = firstPostingOf(firstOrdinal);
    this.#run = run;
    this.#select = select;
    this.#read(-1, -1);
  }

  get row(): ChunkRow | undefined {
    return this.#rows[this.#at];
  }

  shift(): void {
    const last = this.#rows[this.#at++];
    if (this.#at === this.#rows.length && last !== undefined) this.#read(last.account, last.first);
  }

  #read(account: number, first: number): void {
    this.#rows = this.#select.all(this.#run, account, first) as ChunkRow[];
    this.#at = 0;
  }
}

type RunMergerSelect = { all(...parameters: number[]): unknown[] };
type InsertChunk = { run(run: number, account: number, first: number, offsets: Buffer): unknown };

/** Collects the postings of one account after another into rows. */
class ChunkWriter {
  readonly #run: Run;
  readonly #base: number;
  readonly #insert: InsertChunk;
  #account = -1;
  #offsets: number[] = [];

  constructor(run: Run, insert: InsertChunk) {
    this.#run = run;
    this.#base = firstPostingOf(run.firstOrdinal);
    this.#insert = insert;
  }

  add(account: number, posting: number): void {
    if (account !== this.#account || this.#offsets.length === CHUNK_POSTINGS) this.end();
    this.#account = account;
    this.#offsets.push(posting - this.#base);
  }

  end(): void {
    const [first] = this.#offsets;
    if (first !== undefined) this.#insert.run(this.#run.run, this.#account, first, encodeChunk(this.#offsets));
    this.#offsets = [];
  }
}
