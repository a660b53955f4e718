/**
 * Connections to chain.db. One thread of one process writes it from the log, and any number of threads and commands read. In WAL mode a
 * reader sees the last commit and waits for no writer.
 */
import Database from 'better-sqlite3';
import type { Stopwatch } from '../../engine/ports.ts';
import { StoreDamagedError, StoreUnavailableError } from '../errors.ts';
import { commitFailure, statementFailure } from '../sqlite/failure.ts';
import { sqliteCode } from '../sqlite/library.ts';
import { makeDurable, markNew } from '../sqlite/pragmas.ts';
import type { CommitCount } from './commit-count.ts';
import { MIGRATIONS } from './migrations.ts';

export type ChainConnection = Database.Database;

export interface ChainDatabaseOptions {
  path: string;
  /** The file never grows past this many pages of 4 KiB; a write that needs more fails as on a full disk. Unset: no bound. */
  pagesMax?: number;
}

/** SQLite's result codes for a file that is not a readable database. */
const DAMAGED = /^SQLITE_(NOTADB|CORRUPT)/;

/** A page cache of this many KiB for each connection: the pages of the newest segment of every index fit. */
const WRITER_CACHE_KIB = 8 * 1024;
const READER_CACHE_KIB = 4 * 1024;
/** For data that is read once and in order, as blocks are for statements. */
export const STREAM_CACHE_KIB = 1024;

/**
 * Opens the file for writing, makes it where there is none, and brings it to the newest schema. Throws StoreDamagedError for a file that
 * this program did not make, and for one of a later version.
 */
export function openChainDatabase({ path, pagesMax }: ChainDatabaseOptions): ChainConnection {
  const sql = new Database(path);
  try {
    markNew(sql);
    makeDurable(sql);
    sql.pragma(`cache_size = -${WRITER_CACHE_KIB}`);
    // A checkpoint inside a commit would delay the callers that wait for it: the engine runs checkpoints between blocks.
    sql.pragma('wal_autocheckpoint = 0');
    if (pagesMax !== undefined) sql.pragma(`max_page_count = ${pagesMax}`);
    migrate(sql, path);
    return sql;
  } catch (error) {
    sql.close();
    throw sorted(error, path);
  }
}

/** Opens a file that exists, for queries only. */
export function openChainReader(path: string, cacheKib = READER_CACHE_KIB): ChainConnection {
  const sql = new Database(path, { readonly: true, fileMustExist: true });
  sql.pragma(`cache_size = -${cacheKib}`);
  return sql;
}

/** A write transaction that runs one piece of work after another, until it is committed. */
export class WriteBatch {
  readonly #sql: ChainConnection;
  readonly #commits: Stopwatch | undefined;
  #isOpen = false;

  /** `commits` measures each commit. */
  constructor(sql: ChainConnection, commits?: Stopwatch) {
    this.#sql = sql;
    this.#commits = commits;
  }

  /** True while it has changes that are not committed. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Throws as `Store.write` does, and then nothing of the batch is left. */
  write<T>(work: () => T): T {
    if (!this.#isOpen) beginWriting(this.#sql);
    this.#isOpen = true;
    try {
      return work();
    } catch (error) {
      this.rollback();
      throw statementFailure(error);
    }
  }

  /** Durable (fsynced) when this returns. Throws as `write` does. */
  commit(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const startedMs = this.#commits?.start() ?? 0;
    commitWriting(this.#sql);
    this.#commits?.stop(startedMs);
  }

  /** Rolls back the changes that are not committed. */
  rollback(): void {
    // SQLite rolls back by itself on some errors (a full disk); a second rollback would hide the first error.
    if (this.#isOpen && this.#sql.inTransaction) this.#sql.exec('ROLLBACK');
    this.#isOpen = false;
  }
}

/** Runs `work` in one write transaction, which is durable (fsynced) when this returns. Throws as `Store.write` does. */
export function writing<T>(sql: ChainConnection, work: () => T): T {
  const batch = new WriteBatch(sql);
  const result = batch.write(work);
  batch.commit();
  return result;
}

/**
 * Counts every commit of this connection from now on. Readers rely on the count, so it is for the connection that writes what they read.
 */
export function countCommits(sql: ChainConnection, commits: CommitCount): void {
  counts.set(sql, commits);
}

const counts = new WeakMap<ChainConnection, CommitCount>();

export const commitCountOf = (sql: ChainConnection): CommitCount | undefined => counts.get(sql);

/** Runs work that commits, on this connection or on another file beside it, and counts it where commits of this connection are counted. */
export function counted<T>(sql: ChainConnection, commit: () => T): T {
  const commits = counts.get(sql);
  return commits === undefined ? commit() : commits.during(commit);
}

function beginWriting(sql: ChainConnection): void {
  try {
    begin(sql).run();
  } catch (error) {
    throw statementFailure(error);
  }
}

function commitWriting(sql: ChainConnection): void {
  try {
    counted(sql, () => runCommit(sql));
  } catch (error) {
    if (sql.inTransaction) sql.exec('ROLLBACK');
    throw commitFailure(error);
  }
}

/** A function of its own, so that a profile shows the wait for the disk apart from other work. */
function runCommit(sql: ChainConnection): void {
  commit(sql).run();
}

/** The snapshot is taken by the first statement after this. */
export function beginReading(sql: ChainConnection): void {
  snapshot(sql)[0].run();
}

export function endReading(sql: ChainConnection): void {
  // Some errors of SQLite have ended it.
  if (sql.inTransaction) snapshot(sql)[1].run();
}

/** Runs `work` on a snapshot of its own. */
export function reading<T>(sql: ChainConnection, work: () => T): T {
  beginReading(sql);
  try {
    return work();
  } finally {
    endReading(sql);
  }
}

const remembered = <T>(make: (sql: ChainConnection) => T): ((sql: ChainConnection) => T) => {
  const made = new WeakMap<ChainConnection, T>();
  return (sql) => {
    const known = made.get(sql);
    if (known !== undefined) return known;
    const fresh = make(sql);
    made.set(sql, fresh);
    return fresh;
  };
};
const begin = remembered((sql) => sql.prepare('BEGIN IMMEDIATE'));
const commit = remembered((sql) => sql.prepare('COMMIT'));
const snapshot = remembered((sql) => [sql.prepare('BEGIN'), sql.prepare('COMMIT')] as const);

function migrate(sql: ChainConnection, path: string): void {
  const version = (): number => Number(sql.pragma('user_version', { simple: true }));
  if (version() === MIGRATIONS.length) return;
  sql
    .transaction(() => {
      // Read again under the lock: a command line may have been faster.
      const found = version();
      if (found > MIGRATIONS.length)
        throw new StoreDamagedError(
          `${path} has schema version ${found}, and this program knows ${MIGRATIONS.length}: a later version wrote it; run that one`,
        );
      for (const step of MIGRATIONS.slice(found))
        if (typeof step === 'string') sql.exec(step);
        else step(sql);
      sql.pragma(`user_version = ${MIGRATIONS.length}`);
    })
    .immediate();
}

function sorted(error: unknown, path: string): unknown {
  const code = sqliteCode(error);
  if (code === undefined) return error;
  if (DAMAGED.test(code))
    return new StoreDamagedError(`${path} is damaged or no database of this program: ${(error as Error).message}`);
  return new StoreUnavailableError(code, { cause: error });
}
