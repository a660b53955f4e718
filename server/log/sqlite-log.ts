/**
 * The log in a SQLite file of its own, log.db: one table, one row and one commit for each entry.
 *
 * SQLite gives what a log needs and is easily got wrong: checksums, a torn end that is left out, the order of writes and syncs. WAL with
 * `synchronous=FULL` makes an append one write and one fsync of the write-ahead log, and other threads see a commit only behind its fsync.
 * No append waits for a checkpoint: `checkpoint` is called where nobody waits, or another thread makes them on a connection of its own.
 *
 * One process appends (its folder is locked); its threads read, each through a connection of its own.
 */
import Database from 'better-sqlite3';
import { CHAIN_FILE_ID } from '../ledger/index.ts';
import { sqliteCode } from '../store/sqlite/library.ts';
import {
  type Appended,
  checkEntry,
  ENTRY_BYTES_MAX,
  ENTRY_FORMAT,
  entryHash,
  type Log,
  LogBrokenError,
  LogDamagedError,
  type LogEntry,
  type LogPlace,
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
const OPEN_TIMEOUT_MS = 5000;
/** An append that meets another process's lock is held, not waited for: the thread has reads to answer and readiness to tell. */
const BUSY_TIMEOUT_MS = 100;
/** Entries that one commit drops. */
const DROPPED_AT_ONCE = 256;
/** Of the pages that appends and drops touch. */
const CACHE_KIB = 2048;

/** Raised before the frame that makes a commit valid is whole: nothing of it can come back. */
const NOTHING_WRITTEN = /^SQLITE_(BUSY|LOCKED|FULL|CANTOPEN|NOMEM)/;
/** The file is none of SQLite's, or its pages contradict each other. */
const DAMAGED = /^SQLITE_(NOTADB|CORRUPT)/;

export interface SqliteLogOptions {
  path: string;
  /** Which chain the log is of: its entry 0 says so for ever. */
  chain: { chainId: string; genesisHash: string };
  /** The file never grows past this many pages of 4 KiB: an append that needs more is held as on a full disk. Unset: no bound. */
  pagesMax?: number;
}

type Row = [seq: number, hash: Buffer, bytes: Buffer];

/** Reads a log that another thread appends to, or a copy of one. What it returns is durable. */
export class SqliteLogReader implements Pick<Log, 'head' | 'tail'> {
  readonly #path: string;
  readonly #head: Database.Statement<[], [number, Buffer]>;
  readonly #hashAt: Database.Statement<[number], Buffer>;
  readonly #behind: Database.Statement<[number], Row>;

  constructor(sql: Database.Database, path: string) {
    this.#path = path;
    this.#head = sql.prepare<[], [number, Buffer]>('SELECT seq, hash FROM log ORDER BY seq DESC LIMIT 1').raw();
    this.#hashAt = sql.prepare<[number], Buffer>('SELECT hash FROM log WHERE seq = ?').pluck();
    this.#behind = sql.prepare<[number], Row>('SELECT seq, hash, bytes FROM log WHERE seq > ? ORDER BY seq').raw();
  }

  head(): LogPlace {
    const row = this.#head.get();
    if (row === undefined) throw new LogDamagedError(`${this.#path} has no entry. ${WAY_OUT}`);
    return { seq: row[0], hash: row[1] };
  }

  tail(after: LogPlace, bytesMax: number): LogEntry[] | undefined {
    const found: LogEntry[] = [];
    let previous = after;
    let bytesLeft = bytesMax;
    for (const [seq, hash, bytes] of this.#behind.iterate(after.seq)) {
      if (found.length === 0 && seq !== after.seq + 1) return undefined;
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

  /** Throws when the entry at a place that its reader applied is another one. One that was dropped says nothing. */
  #checkPlace({ seq, hash }: LogPlace): void {
    const there = this.#hashAt.get(seq);
    const head = this.head();
    if (there === undefined ? seq > head.seq : Buffer.compare(there, hash) !== 0)
      throw new LogDamagedError(
        `${this.#path} does not have entry ${seq} as it was applied; its last entry is ${head.seq}: it is an older copy, or of another server. ${WAY_OUT}`,
      );
  }
}

/** For queries only, of a file that exists. */
export function openLogReader(path: string): { log: SqliteLogReader; close(): void } {
  const sql = new Database(path, { readonly: true, fileMustExist: true });
  sql.pragma(`cache_size = -${CACHE_KIB}`);
  return { log: new SqliteLogReader(sql, path), close: () => void sql.close() };
}

export class SqliteLog extends SqliteLogReader implements Log {
  readonly #sql: Database.Database;
  readonly #path: string;
  readonly #append: Database.Statement<[number, Uint8Array, Uint8Array, number, Uint8Array]>;
  readonly #drop: Database.Statement<[number]>;

  /** Throws LogDamagedError or LogVersionError, each with a sentence for the operator; such a file is left as it is. */
  static open({ path, chain, pagesMax }: SqliteLogOptions): SqliteLog {
    const sql = new Database(path);
    try {
      sql.pragma(`busy_timeout = ${OPEN_TIMEOUT_MS}`);
      const isNew = sql.pragma('page_count', { simple: true }) === 0;
      if (isNew) sql.pragma(`application_id = ${CHAIN_FILE_ID}`);
      else judgeFile(sql, path);
      sql.pragma('journal_mode = WAL');
      sql.pragma('synchronous = FULL');
      sql.pragma('wal_autocheckpoint = 0');
      sql.pragma(`cache_size = -${CACHE_KIB}`);
      if (pagesMax !== undefined) sql.pragma(`max_page_count = ${pagesMax}`);
      if (sql.pragma('user_version', { simple: true }) === 0) create(sql, chain);
      else verify(sql, path, chain);
      makeDurable(sql, path);
      sql.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
      return new SqliteLog(sql, path);
    } catch (error) {
      sql.close();
      if (DAMAGED.test(sqliteCode(error) ?? ''))
        throw new LogDamagedError(`${path} is damaged or no log: ${(error as Error).message}. ${WAY_OUT}`);
      throw error;
    }
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
      `DELETE FROM log WHERE seq IN (SELECT seq FROM log WHERE seq BETWEEN 1 AND ? ORDER BY seq LIMIT ${DROPPED_AT_ONCE})`,
    );
  }

  append(previous: LogPlace, bytes: Uint8Array): Appended {
    if (bytes.length > ENTRY_BYTES_MAX)
      throw new RangeError(`an entry of ${bytes.length} bytes is too long to be appended`);
    if (bytes[0] !== ENTRY_FORMAT) throw new TypeError('the first byte of an entry is its format version');
    const seq = previous.seq + 1;
    const hash = entryHash(previous.hash, seq, bytes);
    try {
      const { changes } = this.#append.run(seq, hash, bytes, previous.seq, previous.hash);
      return changes === 1 ? { outcome: 'durable', place: { seq, hash } } : { outcome: 'taken' };
    } catch (error) {
      const code = sqliteCode(error);
      if (code !== undefined && NOTHING_WRITTEN.test(code)) return { outcome: 'held', reason: code };
      throw new LogBrokenError(`entry ${seq} of ${this.#path} may have been written or not`, { cause: error });
    }
  }

  /**
   * Drops entries up to `seq` that something else holds, synced; some of them, so that no append waits long. Entry 0 and the last one stay.
   * @returns whether more are left to be dropped.
   */
  drop(seq: number): boolean {
    const upTo = Math.min(seq, this.head().seq - 1);
    if (upTo < 1) return false;
    // Entries that come back after a power cut are held twice, which harms nothing: no fsync for this.
    this.#sql.pragma('synchronous = NORMAL');
    try {
      return this.#drop.run(upTo).changes === DROPPED_AT_ONCE;
    } catch (error) {
      if (NOTHING_WRITTEN.test(sqliteCode(error) ?? '')) return true;
      throw new LogBrokenError(`entries of ${this.#path} could not be dropped`, { cause: error });
    } finally {
      this.#sql.pragma('synchronous = FULL');
    }
  }

  /** Brings the write-ahead log into the file as far as no reader is in the way. @returns pages that are left. */
  checkpoint(): number {
    const [pages] = this.#sql.pragma('wal_checkpoint(PASSIVE)') as { log: number; checkpointed: number }[];
    return (pages?.log ?? 0) - (pages?.checkpointed ?? 0);
  }

  close(): void {
    this.#sql.close();
  }
}

/** Before anything of the file is changed. */
function judgeFile(sql: Database.Database, path: string): void {
  const id = sql.pragma('application_id', { simple: true });
  const version = Number(sql.pragma('user_version', { simple: true }));
  // A start that was killed has left the header of a file that it had only begun.
  if (id !== CHAIN_FILE_ID)
    throw new LogDamagedError(`${path} is no log of this chain format (application id ${String(id)}). ${WAY_OUT}`);
  if (version > FILE_VERSION)
    throw new LogVersionError(
      `${path} has version ${version}, and this program knows ${FILE_VERSION}: a later version wrote it; run that one`,
    );
}

const firstBytes = ({ chainId, genesisHash }: SqliteLogOptions['chain']): Buffer =>
  Buffer.concat([Buffer.of(ENTRY_FORMAT), Buffer.from(JSON.stringify({ chainId, genesisHash }))]);

function create(sql: Database.Database, chain: SqliteLogOptions['chain']): void {
  const bytes = firstBytes(chain);
  sql.transaction(() => {
    sql.exec(SCHEMA);
    sql.prepare('INSERT INTO log (seq, hash, bytes) VALUES (0, ?, ?)').run(entryHash(NO_HASH, 0, bytes), bytes);
  })();
}

/** Every entry that is left, and that all of them are of the chain. */
function verify(sql: Database.Database, path: string, chain: SqliteLogOptions['chain']): void {
  const rows = sql.prepare<[], Row>('SELECT seq, hash, bytes FROM log ORDER BY seq').raw();
  let previous: LogPlace | undefined;
  for (const [seq, hash, bytes] of rows.iterate()) {
    const entry = { seq, hash, bytes };
    if (previous === undefined) {
      checkEntry({ seq: -1, hash: NO_HASH }, entry, path);
      if (!bytes.equals(firstBytes(chain)))
        throw new LogDamagedError(
          `${path} is the log of ${bytes.subarray(1).toString()}, and this folder is of ${firstBytes(chain).subarray(1).toString()}. ${WAY_OUT}`,
        );
    } else if (previous.seq > 0 || seq === 1) checkEntry(previous, entry, path);
    previous = entry;
  }
  if (previous === undefined) throw new LogDamagedError(`${path} has no entry. ${WAY_OUT}`);
}

/**
 * What was read at a start may be in memory only: a process that was killed between a write and its fsync leaves a page that can be read and that
 * a power cut takes away, and behind an I/O error another fsync proves nothing. A whole checkpoint writes all of it again, and syncs it.
 */
function makeDurable(sql: Database.Database, path: string): void {
  const [result] = sql.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
  if (result?.busy !== 0)
    throw new Error(`${path} is read or written by another process: end that one, and start again`);
}
