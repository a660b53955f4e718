/**
 * The lock that lets only one process at a time work on a folder.
 *
 * It is a lock of the kernel on an SQLite file, not a file with a process number in it: the kernel releases it with the process, even after
 * kill -9, so it is never stale.
 *
 * @module
 */
import { chmodSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { ExplainedError } from './explained-error.ts';

/** Error of a folder that cannot be used: a sentence for the operator that names the folder. */
export class DataDirError extends ExplainedError {
  override readonly name = 'DataDirError';
}

/** Another process holds the lock: a service, or a command for a moment. */
export class FolderInUseError extends DataDirError {}

const FILE_MODE = 0o600;

/** Kept here too, because the garbage collector may close a lock whose handle is not referenced, at any moment. */
const held = new Set<Database.Database>();

/**
 * @param options.file the file of the lock.
 * @param options.why the harm that two processes would do: the second half of a sentence.
 * @param options.waitMs longest wait for a command, which holds the lock for a moment; a server holds it until it ends.
 * @returns a function that releases the lock; the end of the process does too.
 * @throws DataDirError also when another process holds the lock.
 */
export function lockFolder({ file, why, waitMs = 0 }: { file: string; why: string; waitMs?: number }): () => void {
  const folder = path.dirname(file);
  let lock: Database.Database;
  try {
    lock = new Database(file, { timeout: waitMs });
    chmodSync(file, FILE_MODE);
  } catch (error) {
    throw new DataDirError(
      `DATA_DIR ${folder} cannot be written: its ${path.basename(file)} cannot be opened (${(error as Error).message}). See that the file system can be written and that ${path.basename(file)} is a file of the user as whom this process runs.`,
    );
  }
  try {
    // With a rollback journal, because in WAL mode an exclusive transaction still admits readers.
    lock.pragma('journal_mode = DELETE');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY')) {
      throw new FolderInUseError(
        `DATA_DIR ${folder} is in use by another running process. Two processes on one folder would ${why}; ` +
          'stop the other one, or name another DATA_DIR (and another PORT).',
      );
    }
    const damaged =
      (error as { code?: string }).code === 'SQLITE_NOTADB'
        ? ` Remove ${file}: it holds nothing, and is made again.`
        : '';
    throw new DataDirError(
      `DATA_DIR ${folder} cannot be locked: ${path.basename(file)} ${(error as Error).message}.${damaged}`,
    );
  }
  held.add(lock);
  return () => {
    held.delete(lock);
    lock.close();
  };
}
