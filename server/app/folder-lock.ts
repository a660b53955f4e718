/**
 * The lock that makes sure one process at a time works on a folder.
 *
 * It is a lock of the kernel on an SQLite file, not a file with a process number in it: it goes with the process however
 * that ends, kill -9 included, and needs no guess whether an old one is stale.
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

/** Another process has it: a service, or a command for a moment. */
export class FolderInUseError extends DataDirError {}

const FILE_MODE = 0o600;

/** Referenced here too, because a lock whose handle is not referenced is closed by the garbage collector, at any moment. */
const held = new Set<Database.Database>();

/**
 * @param options.file the lock's file.
 * @param options.why what two processes would do: the second half of a sentence.
 * @param options.waitMs for a command that has the lock for a moment; a server has it for as long as it lives.
 * @returns gives the lock back; the end of the process does too.
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
    // A rollback journal, because in WAL mode an exclusive transaction still lets others in to read.
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
