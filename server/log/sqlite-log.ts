/**
 * The log in a SQLite file of its own, log.db: one table, one row and one commit for each entry.
 *
 * SQLite gives what a log needs and is easily got wrong: checksums, a torn end that is left out, the order of writes and syncs. WAL with
 * `synchronous=FULL` makes an append one write and one fsync of the write-ahead log, and other connections see a commit only behind its fsync.
 * No append waits for a checkpoint: `checkpoint` is called where no client waits, or another thread makes them on a connection of its own.
 *
 * One process appends (its folder is locked); its threads read, each through a connection of its own.
 */
import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { CHAIN_FILE_ID } from '../ledger/index.ts';
import { syncPath } from '../platform/disk-file.ts';
import { sqliteCode } from '../store/sqlite/library.ts';
import {
  BASE,
  checkAppended,
  checkEntry,
  entryHash,
  firstEntry,
  isBase,
  type LocalAppended,
  type Log,
  LogBrokenError,
  type LogChain,
  LogDamagedError,
  type LogEntry,
  type LogPlace,
  LogUnavailableError,
  LogVersionError,
  NO_HASH,
  WAY_OUT,
} from './log.ts';

const FILE_VERSION = 1;
const SCHEMA = `
  CREATE TABLE log (seq INTEGER PRIMARY KEY, hash BLOB NOT NULL, bytes BLOB NOT NULL) STRICT;
  PRAGMA user_version = ${FILE_VERSION};
`;
/** A start waits so long for a command that reads or writes the file. */
const OPEN_TIMEOUT_MS = 1000;
/** An append that meets another process's lock is held, not waited for: the thread has reads to answer. */
const BUSY_TIMEOUT_MS = 100;
/** Entries that one commit drops: some milliseconds of work. */
const DROPPED_ENTRIES_MAX = 256;
const DROPPED_BYTES_MAX = 16 * 1024 * 1024;
/** For the pages that appends and drops touch. */
const CACHE_KIB = 2048;
/**
 * Of a new file. An append writes whole pages to the write-ahead log, at least one more than the entry fills: with pages of 4 KiB that is a third
 * of what a small group writes. A file keeps the size that it was made with.
 */
const PAGE_BYTES = 1024;

/**
 * Raised before the frame that makes a commit valid is written: nothing of it can come back. Not SQLITE_NOMEM, which SQLite raises also behind
 * that frame's fsync, when it has no memory for the index of the write-ahead log.
 */
const NOTHING_WRITTEN = /^SQLITE_(BUSY|LOCKED|FULL|CANTOPEN)/;
/** The file is not a database, or its pages contradict each other. */
const DAMAGED = /^SQLITE_(NOTADB|CORRUPT)/;

export interface SqliteLogOptions {
  path: string;
  /** The chain of the log, from its entry 0. */
  chain: LogChain;
  /** Throws for an entry that its program cannot apply. Every entry but the first is given to it before the log is opened. */
  check?: ((entry: LogEntry) => void) | undefined;
  /** The file never grows past this many bytes: an append that needs more is held. Unset: no bound. */
  bytesMax?: number | undefined;
  /** Opens the file for writing; a test has one with faults. */
  connect?: (path: string) => Database.Database;
}

type Row = [seq: number, hash: Buffer, bytes: Buffer];

/** Reads a log that another thread appends to. The entries that it sees are durable. */
export class SqliteLogReader implements Pick<Log, 'head' | 'tail'> {
  readonly #path: string;
  readonly #head: Database.Statement<[], [number, Buffer]>;
  readonly #hashAt: Database.Statement<[number], Buffer>;
  readonly #behind: Database.Statement<[number], Row>;
  readonly #count: Database.Statement<[], number>;

  constructor(sql: Database.Database, path: string) {
    this.#path = path;
    this.#count = sql.prepare<[], number>('SELECT count(*) FROM log').pluck();
    this.#head = sql.prepare<[], [number, Buffer]>('SELECT seq, hash FROM log ORDER BY seq DESC LIMIT 1').raw();
    this.#hashAt = sql.prepare<[number], Buffer>('SELECT hash FROM log WHERE seq = ?').pluck();
    this.#behind = sql.prepare<[number], Row>('SELECT seq, hash, bytes FROM log WHERE seq > ? ORDER BY seq').raw();
  }

  head(): LogPlace {
    return withSentence(this.#path, () => {
      const row = this.#head.get();
      if (row === undefined) throw new LogDamagedError(`${this.#path} has no entry. ${WAY_OUT}`);
      return { seq: row[0], hash: row[1] };
    });
  }

  /** Entry 0, which names the chain. */
  first(): LogPlace {
    return withSentence(this.#path, () => {
      const hash = this.#hashAt.get(0);
      if (hash === undefined) throw new LogDamagedError(`${this.#path} has no entry 0. ${WAY_OUT}`);
      return { seq: 0, hash };
    });
  }

  /** Undefined for an entry that is not here: it was dropped, or comes later. */
  hashAt(seq: number): Uint8Array | undefined {
    return withSentence(this.#path, () => this.#hashAt.get(seq));
  }

  count(): number {
    return withSentence(this.#path, () => this.#count.get() as number);
  }

  tail(after: LogPlace, bytesMax: number): LogEntry[] | undefined {
    return withSentence(this.#path, () => this.#tail(after, bytesMax));
  }

  /** As `tail`, for entries that this process appended or has verified: no hash is compared. */
  follow(after: number, bytesMax: number): LogEntry[] | undefined {
    return withSentence(this.#path, () => {
      const found: LogEntry[] = [];
      let bytesLeft = bytesMax;
      for (const [seq, hash, bytes] of this.#behind.iterate(after)) {
        if (seq !== after + found.length + 1 || isBase(bytes)) return undefined;
        if (found.length > 0 && bytes.length > bytesLeft) break;
        found.push({ seq, hash, bytes });
        bytesLeft -= bytes.length;
      }
      return found;
    });
  }

  #tail(after: LogPlace, bytesMax: number): LogEntry[] | undefined {
    const found: LogEntry[] = [];
    let previous = after;
    let bytesLeft = bytesMax;
    for (const [seq, hash, bytes] of this.#behind.iterate(after.seq)) {
      if (found.length === 0 && (seq !== after.seq + 1 || isBase(bytes))) return undefined;
      if (found.length > 0 && bytes.length > bytesLeft) break;
      const entry = { seq, hash, bytes };
      if (found.length === 0) this.#checkPlace(after);
      checkEntry(previous, entry, this.#path);
      found.push(entry);
      previous = entry;
      bytesLeft -= bytes.length;
    }
    if (found.length === 0) this.#checkPlace(after);
    return found;
  }

  /** Throws when the entry at a place that its reader applied is another one. An entry that was dropped cannot be compared. */
  #checkPlace({ seq, hash }: LogPlace): void {
    const there = this.#hashAt.get(seq);
    const head = this.head();
    if (there === undefined ? seq > head.seq : Buffer.compare(there, hash) !== 0)
      throw new LogDamagedError(
        `${this.#path} does not have entry ${seq} as it was applied; its last entry is ${head.seq}: it is an older copy, or of another server. ${WAY_OUT}`,
      );
  }
}

/** For queries only, of a file that its appender has opened; with what is expected of it every entry is verified first. Throws LogDamagedError and LogVersionError. */
export function openLogReader(
  path: string,
  expected?: Pick<SqliteLogOptions, 'chain' | 'check'>,
): { log: SqliteLogReader; close(): void } {
  return withSentence(path, () => {
    const sql = new Database(path, { readonly: true, fileMustExist: true });
    try {
      if (formOf(sql, path) === 'empty') throw new LogDamagedError(`${path} has no entry. ${WAY_OUT}`);
      if (expected !== undefined) verifyEntries(sql, path, expected);
      sql.pragma(`cache_size = -${CACHE_KIB}`);
      return { log: new SqliteLogReader(sql, path), close: () => void sql.close() };
    } catch (error) {
      sql.close();
      throw error;
    }
  });
}

export class SqliteLog extends SqliteLogReader implements Log {
  readonly #sql: Database.Database;
  readonly #path: string;
  readonly #append: Database.Statement<[number, Uint8Array, Uint8Array, number, Uint8Array]>;
  readonly #drop: Database.Statement<[number]>;
  #broken: LogBrokenError | undefined;

  /**
   * Throws LogDamagedError or LogVersionError, each with a sentence for the operator, for a file that is left as it was found; and LogUnavailableError
   * where the system does not let it be opened.
   */
  static open({ path, chain, check, bytesMax, connect = connection }: SqliteLogOptions): SqliteLog {
    return withSentence(path, () => {
      verify(path, { chain, check });
      const sql = connect(path);
      try {
        sql.pragma(`busy_timeout = ${OPEN_TIMEOUT_MS}`);
        if (sql.pragma('page_count', { simple: true }) === 0) {
          sql.pragma(`page_size = ${PAGE_BYTES}`);
          sql.pragma(`application_id = ${CHAIN_FILE_ID}`);
        }
        sql.pragma('journal_mode = WAL');
        sql.pragma('synchronous = FULL');
        sql.pragma('wal_autocheckpoint = 0');
        sql.pragma(`cache_size = -${CACHE_KIB}`);
        if (bytesMax !== undefined) sql.pragma(`max_page_count = ${Math.floor(bytesMax / pageBytesOf(sql))}`);
        if (sql.pragma('user_version', { simple: true }) === 0) create(sql, chain);
        makeDurable(sql, path);
        sql.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
        return new SqliteLog(sql, path);
      } catch (error) {
        sql.close();
        throw error;
      }
    });
  }

  private constructor(sql: Database.Database, path: string) {
    super(sql, path);
    this.#sql = sql;
    this.#path = path;
    this.#append = sql.prepare(
      `INSERT INTO log (seq, hash, bytes) SELECT ?, ?, ? WHERE EXISTS (SELECT 1 FROM log WHERE seq = ? AND hash = ?)
       ON CONFLICT DO NOTHING`,
    );
    this.#drop = sql.prepare(
      `DELETE FROM log WHERE seq IN (
         SELECT seq FROM (
           SELECT seq, row_number() OVER (ORDER BY seq) AS place, sum(size) OVER (ORDER BY seq) AS bytes
           FROM (SELECT seq, length(bytes) AS size FROM log WHERE seq BETWEEN 1 AND ? ORDER BY seq LIMIT ${DROPPED_ENTRIES_MAX})
         ) WHERE place = 1 OR bytes <= ${DROPPED_BYTES_MAX})`,
    );
  }

  append(previous: LogPlace, bytes: Uint8Array): LocalAppended {
    checkAppended(bytes);
    const seq = previous.seq + 1;
    const hash = entryHash(previous.hash, seq, bytes);
    const { value, held } = this.#writing(() => this.#append.run(seq, hash, bytes, previous.seq, previous.hash));
    if (value === undefined) return { outcome: 'held', reason: held };
    return value.changes === 1 ? { outcome: 'durable', place: { seq, hash } } : { outcome: 'taken' };
  }

  /**
   * Drops entries up to `seq` that something else holds, synced; some of them, so that no append waits long. Entry 0 and the last one stay.
   * `more`: some are left; `held`: as an append is, so call it again later.
   */
  drop(seq: number): 'done' | 'more' | 'held' {
    const upTo = Math.min(seq, this.head().seq - 1);
    if (upTo < 1) return 'done';
    // Entries that come back after a power cut are held twice, which harms nothing: no fsync for this.
    this.#sql.pragma('synchronous = NORMAL');
    try {
      const { value } = this.#writing(() => this.#drop.run(upTo));
      if (value === undefined) return 'held';
      return value.changes === 0 ? 'done' : 'more';
    } finally {
      this.#sql.pragma('synchronous = FULL');
    }
  }

  /** Pages of the write-ahead log: all, and those that are not in the file. */
  pages(): { all: number; waiting: number } {
    return pagesIn(this.#sql.pragma('wal_checkpoint(NOOP)'));
  }

  /** Begins again behind an entry that another store holds, with all before it: the entries here come before that one. */
  restart({ seq, hash }: LogPlace): void {
    const { held } = this.#writing(() =>
      this.#sql.transaction(() => {
        this.#sql.exec('DELETE FROM log WHERE seq > 0');
        this.#sql.prepare('INSERT INTO log (seq, hash, bytes) VALUES (?, ?, ?)').run(seq, hash, BASE);
      })(),
    );
    if (held !== undefined) throw new LogUnavailableError(`${this.#path} could not be begun again (${held})`);
  }

  /** Brings the write-ahead log into the file, as far as no reader and no full disk is in the way. @returns pages that are left. */
  checkpoint(): number {
    const { value } = this.#writing(() => this.#sql.pragma('wal_checkpoint(PASSIVE)'));
    return (value === undefined ? this.pages() : pagesIn(value)).waiting;
  }

  close(): void {
    this.#sql.close();
  }

  /** After a write whose outcome is unknown nothing more is written: the next fsync would not show the outcome of the one before. */
  #writing<T>(write: () => T): { value: T; held?: undefined } | { value?: undefined; held: string } {
    if (this.#broken !== undefined) throw this.#broken;
    try {
      return { value: write() };
    } catch (error) {
      const code = sqliteCode(error);
      if (code !== undefined && NOTHING_WRITTEN.test(code)) return { held: code };
      this.#broken = new LogBrokenError(`what was last written to ${this.#path} may be there or not`, { cause: error });
      throw this.#broken;
    }
  }
}

function pagesIn(result: unknown): { all: number; waiting: number } {
  const [{ log, checkpointed }] = result as [{ log: number; checkpointed: number }];
  return { all: log, waiting: log - checkpointed };
}

const pageBytesOf = (sql: Database.Database): number => Number(sql.pragma('page_size', { simple: true }));

const connection = (path: string): Database.Database => new Database(path);

/** Throws for a file that is not a log of this version. `empty`: a new file, or the rest of a start that was killed while it made one. */
function formOf(sql: Database.Database, path: string): 'empty' | 'log' {
  if (sql.pragma('page_count', { simple: true }) === 0) return 'empty';
  const id = sql.pragma('application_id', { simple: true });
  if (id !== CHAIN_FILE_ID)
    throw new LogDamagedError(`${path} is no log of this chain format (application id ${String(id)}). ${WAY_OUT}`);
  const version = Number(sql.pragma('user_version', { simple: true }));
  if (version > FILE_VERSION)
    throw new LogVersionError(
      `${path} has version ${version}, and this program knows ${FILE_VERSION}: a later version wrote it; run that one`,
    );
  const tables = sql.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
  if (version === 0 && tables.length === 0) return 'empty';
  if (version !== FILE_VERSION || tables.join() !== 'log')
    throw new LogDamagedError(`${path} is no log: it has version ${version} and other tables. ${WAY_OUT}`);
  return 'log';
}

function create(sql: Database.Database, chain: LogChain): void {
  const { hash, bytes } = firstEntry(chain);
  sql.transaction(() => {
    sql.exec(SCHEMA);
    sql.prepare('INSERT INTO log (seq, hash, bytes) VALUES (0, ?, ?)').run(hash, bytes);
  })();
}

const textOf = ({ bytes }: LogEntry): string => Buffer.from(bytes).subarray(BASE.length).toString();
const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** Every entry that is left, and that all of them are of the chain. On a connection that cannot write: its end would change a file that is refused. */
function verify(path: string, expected: Pick<SqliteLogOptions, 'chain' | 'check'>): void {
  if (sizeOf(path) === 0) {
    if (sizeOf(`${path}-wal`) === 0) return;
    throw new LogDamagedError(`${path} is empty and its write-ahead log is not. ${WAY_OUT}`);
  }
  // A rollback journal is there before the first entry only: a first start was cut off while it made the file. SQLite takes back what that start
  // wrote, for which it has to write.
  const sql = new Database(path, { readonly: sizeOf(`${path}-journal`) === 0 });
  try {
    sql.pragma(`busy_timeout = ${OPEN_TIMEOUT_MS}`);
    if (formOf(sql, path) === 'log') verifyEntries(sql, path, expected);
  } finally {
    sql.close();
  }
}

function verifyEntries(
  sql: Database.Database,
  path: string,
  { chain, check }: Pick<SqliteLogOptions, 'chain' | 'check'>,
): void {
  const rows = sql.prepare<[], Row>('SELECT seq, hash, bytes FROM log ORDER BY seq').raw();
  let previous: LogPlace | undefined;
  for (const [seq, hash, bytes] of rows.iterate()) {
    const entry = { seq, hash, bytes };
    if (previous === undefined) {
      checkEntry({ seq: -1, hash: NO_HASH }, entry, path);
      const first = firstEntry(chain);
      if (!bytes.equals(first.bytes))
        throw new LogDamagedError(
          `${path} is the log of ${textOf(entry)}, and this folder is of ${textOf(first)}. ${WAY_OUT}`,
        );
    } else if (!isBase(bytes) && (previous.seq > 0 || seq === 1)) checkEntry(previous, entry, path);
    if (seq > 0 && !isBase(bytes)) check?.(entry);
    previous = entry;
  }
  if (previous === undefined) throw new LogDamagedError(`${path} has no entry. ${WAY_OUT}`);
}

/**
 * The entries that a start read may be in memory only: a process that was killed between a write and its fsync leaves a page that can be
 * read and that a power cut takes away, and behind an I/O error another fsync proves nothing. A whole checkpoint writes all of it again,
 * and syncs it.
 */
function makeDurable(sql: Database.Database, path: string): void {
  const [result] = sql.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
  if (result?.busy === 0) return;
  // A command reads it for long, as `verify` may: then what a kill left is synced where it is, and only that after an I/O error is not written again.
  syncPath(`${path}-wal`);
}

/** Turns errors of SQLite that are not an outcome of a write into sentences for the operator. */
function withSentence<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const code = sqliteCode(error);
    if (code === undefined) throw error;
    const { message } = error as Error;
    if (DAMAGED.test(code)) throw new LogDamagedError(`${path} is damaged or no log: ${message}. ${WAY_OUT}`);
    throw new LogUnavailableError(
      `${path} cannot be used (${code}: ${message}): its disk needs room, this process the right to read and write it and free descriptors, and no other process may hold it`,
      { cause: error },
    );
  }
}
