/**
 * statements.db: the state of every account after every change, made from the blocks and from nothing else. It can be deleted at any time.
 *
 * Keys over accounts are random, and a history has no end, so nothing that is sorted by account is ever changed in place:
 *
 * - `changes` is the log, one row for each transaction that changed an account, numbered in chain order. It only grows at its end.
 * - A posting records that a change concerns an account. The newest are in `recent`, which stays small. When it is full it becomes a run in
 *   `chunks`, sorted by account and written once; runs of one level are merged into one of the next. So a posting is written a few times in
 *   its life, however many there are, and the last change of an account before any other is found with one look-up per run.
 * - `accounts` only grows; the index from address to number is cut into segments, so that a new account writes a page of the newest one.
 */
import { rmSync } from 'node:fs';
import { EngineStartError } from '../start-error.ts';
import { SqliteDatabase, type ChainIdentity } from '../sqlite/database.ts';

const MIGRATIONS = [
  `
    CREATE TABLE progress (id INTEGER PRIMARY KEY CHECK (id = 1), height INTEGER NOT NULL, end_ordinal INTEGER NOT NULL) STRICT;
    CREATE TABLE blocks (height INTEGER PRIMARY KEY, time_ms INTEGER NOT NULL, end_ordinal INTEGER NOT NULL, hash BLOB NOT NULL) STRICT;
    CREATE TABLE accounts (id INTEGER PRIMARY KEY, address TEXT NOT NULL) STRICT;
    CREATE TABLE accounts_by_address (segment INTEGER, prefix INTEGER, id INTEGER, PRIMARY KEY (segment, prefix, id)) STRICT, WITHOUT ROWID;
    -- Not STRICT: an amount beyond 2^53 - 1 is text that begins with a tilde (stored-amount.ts).
    CREATE TABLE changes (
      ordinal INTEGER PRIMARY KEY,
      kind INTEGER NOT NULL, height INTEGER NOT NULL, position INTEGER NOT NULL, hash BLOB,
      sender INTEGER, sender_balance INTEGER, sender_nonce INTEGER, sender_voids TEXT,
      receiver INTEGER, receiver_balance INTEGER, receiver_nonce INTEGER, receiver_voids TEXT,
      amount INTEGER, reference TEXT
    );
    CREATE TABLE recent (account INTEGER, posting INTEGER, PRIMARY KEY (account, posting)) STRICT, WITHOUT ROWID;
    CREATE TABLE runs (run INTEGER PRIMARY KEY, level INTEGER NOT NULL, first_ordinal INTEGER NOT NULL, end_ordinal INTEGER NOT NULL) STRICT;
    CREATE TABLE chunks (run INTEGER, account INTEGER, first INTEGER, offsets BLOB NOT NULL, PRIMARY KEY (run, account, first)) STRICT, WITHOUT ROWID;
    INSERT INTO progress (id, height, end_ordinal) VALUES (1, -1, 0);
  `,
];

/** Page cache in KiB: the pages that `recent` and the newest segments have. */
const CACHE_KIB = 8 * 1024;

/** The marker file that a read-only thread leaves when SQLite reports the file as damaged: the writer then rebuilds it. */
export function damagedMarker(path: string): string {
  return `${path}.damaged`;
}

export function deleteStatementFile(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${path}${suffix}`, { force: true });
  rmSync(damagedMarker(path), { force: true });
}

/** Throws EngineStartError for a file that is damaged, of another chain, or of a later version. */
export function openStatementFile(path: string, identity: ChainIdentity): SqliteDatabase {
  const database = new SqliteDatabase({ path, identity, migrations: MIGRATIONS });
  try {
    database.sql.pragma(`cache_size = -${CACHE_KIB}`);
    database.sql.prepare('SELECT height FROM progress').get();
    return database;
  } catch (error) {
    database.close();
    throw new EngineStartError(`${path} is damaged: ${(error as Error).message}`);
  }
}
