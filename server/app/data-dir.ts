/**
 * DATA_DIR: what lies where in it, and the lock that makes sure one process at a time works on it.
 *
 * Two processes on one folder would sign two blocks of one height, so every start takes the lock first and holds it
 * until the process ends. It is a lock of the kernel on an SQLite file, not a file with a process number in it: it goes
 * with the process however that ends, kill -9 included, and needs no guess whether an old one is stale.
 *
 * @module
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';

/** The names in DATA_DIR, relative to it. The two priv_validator files have CometBFT's names and formats. */
export const DATA_DIR_FILES = {
  lock: 'lock.db',
  genesis: 'genesis.json',
  validatorKey: 'priv_validator_key.json',
  validatorState: 'priv_validator_state.json',
  operatorKey: 'operator_key.json',
  blocks: 'blocks.db',
  ledger: 'ledger.db',
  search: 'search.db',
  gateway: 'gateway.db',
  app: 'app.db',
  snapshots: 'snapshots.db',
  development: 'dev.json',
} as const;

export type DataDirFile = keyof typeof DATA_DIR_FILES;

export interface DataDir {
  /** Absolute. */
  readonly path: string;
  readonly files: Readonly<Record<DataDirFile, string>>;
  /** Gives the lock back; the end of the process does too. */
  release(): void;
}

/** Why a folder cannot be used: a sentence for the operator that names the folder. */
export class DataDirError extends Error {
  override readonly name = 'DataDirError';
}

/** Owner only: the folder holds keys. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** What a fresh file system has in its root. */
const FILE_SYSTEM_ENTRIES: readonly string[] = ['lost+found'];
/** SQLite's companions of a database file, and what is left of a write that was interrupted before its rename. */
const COMPANION_SUFFIX = /(-wal|-shm|-journal|\.tmp)$/;

/** The absolute path of everything in a data folder, whether it exists or not. */
export function dataDirFiles(folder: string): Record<DataDirFile, string> {
  const entries = Object.entries(DATA_DIR_FILES).map(([key, name]) => [key, path.join(folder, name)]);
  return Object.fromEntries(entries) as Record<DataDirFile, string>;
}

/** A folder with strangers' files in it is most likely a mistyped path, and nothing of ours is written into it. */
function refuseForeign(folder: string): void {
  const entries = readdirSync(folder);
  if (entries.includes(DATA_DIR_FILES.lock)) return;
  const ours: readonly string[] = [...Object.values(DATA_DIR_FILES), ...FILE_SYSTEM_ENTRIES];
  const foreign = entries.filter((entry) => !ours.includes(entry.replace(COMPANION_SUFFIX, '')));
  if (foreign.length === 0) return;
  throw new DataDirError(
    `DATA_DIR ${folder} holds files of something else (${foreign.slice(0, 3).join(', ')}${foreign.length > 3 ? ', ...' : ''}). ` +
      'Name an empty folder, one that does not exist yet, or one that this program made.',
  );
}

/**
 * Makes the folder if need be. An empty existing folder is as good as none.
 * @throws DataDirError when the path is no folder, belongs to something else or cannot be written.
 */
export function prepareDataDir(folder: string): Record<DataDirFile, string> {
  try {
    if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
    else if (!statSync(folder).isDirectory()) throw new DataDirError(`DATA_DIR ${folder} is a file; it must be a folder.`);
    refuseForeign(folder);
  } catch (error) {
    if (error instanceof DataDirError) throw error;
    throw new DataDirError(`DATA_DIR ${folder} cannot be used: ${(error as Error).message}`);
  }
  return dataDirFiles(folder);
}

/** Held here too, because a lock whose handle nobody remembers is closed by the garbage collector, at any moment. */
const held = new Set<Database.Database>();

/**
 * Prepares the folder and takes its lock.
 * @throws DataDirError also when another process holds the lock.
 */
export function openDataDir(folder: string): DataDir {
  const files = prepareDataDir(folder);
  let lock: Database.Database;
  try {
    // No waiting: whoever holds it holds it for as long as it lives.
    lock = new Database(files.lock, { timeout: 0 });
    chmodSync(files.lock, FILE_MODE);
  } catch (error) {
    throw new DataDirError(`DATA_DIR ${folder} cannot be written: ${(error as Error).message}`);
  }
  try {
    // A rollback journal, because in WAL mode an exclusive transaction still lets others in to read.
    lock.pragma('journal_mode = DELETE');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY')) {
      throw new DataDirError(
        `DATA_DIR ${folder} is in use by another running process. Two processes on one folder would sign two blocks of one height; ` +
          'stop the other one, or name another DATA_DIR (and another PORT).',
      );
    }
    throw new DataDirError(`DATA_DIR ${folder} cannot be locked: ${(error as Error).message}`);
  }
  held.add(lock);
  return {
    path: folder,
    files,
    release: () => {
      held.delete(lock);
      lock.close();
    },
  };
}
