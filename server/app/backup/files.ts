/** Files of a backup: hashed as they are read, and on disk before the manifest lists them. @module */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, lstatSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { linkNew, openTemporary, syncPath } from '../../platform/disk-file.ts';
import { BackupError } from './backup-error.ts';
import type { BackupFile } from './manifest.ts';

/** A backup holds tokens' hashes, webhooks' secrets and perhaps keys: it is for its owner only. */
export const BACKUP_FILE_MODE = 0o600;
export const BACKUP_FOLDER_MODE = 0o700;

/** Files that SQLite keeps beside a database that is in use. */
const COMPANIONS = ['-wal', '-journal'] as const;

/** Bytes that are read at a time. */
const CHUNK_BYTES = 1024 * 1024;

/** Hashes a file. `onBytes` receives the number of bytes read since the call before. */
export async function hashFile(file: string, onBytes: (count: number) => void = () => undefined): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES })) {
    hash.update(chunk as Buffer);
    onBytes((chunk as Buffer).length);
  }
  return hash.digest('hex');
}

export async function describeFile(folder: string, name: string): Promise<BackupFile> {
  const file = path.join(folder, name);
  return { name, bytes: statSync(file).size, sha256: await hashFile(file) };
}

/**
 * Checks that every file of a manifest exists with the content that was written.
 * @throws BackupError that names the first file that is missing or differs.
 */
export async function checkFiles(
  folder: string,
  files: readonly BackupFile[],
  onProgress: (done: number, all: number) => void = () => undefined,
): Promise<void> {
  const all = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  for (const { name, bytes, sha256 } of files) {
    const file = path.join(folder, name);
    // A link could lead to content that changes after it was hashed, or to a device without an end.
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats === undefined) throw new BackupError(`${file} is missing: the manifest names it.`);
    if (!stats.isFile()) throw new BackupError(`${file} is no plain file.`);
    // SQLite would read these files with the database, but a restore would leave them behind: the restored content would differ from the
    // verified one.
    const beside = COMPANIONS.map((suffix) => `${name}${suffix}`).find((each) => existsSync(path.join(folder, each)));
    if (beside !== undefined)
      throw new BackupError(
        `${path.join(folder, beside)} is not in the manifest: something else opened ${name}. Use another backup.`,
      );
    if (stats.size !== bytes)
      throw new BackupError(
        `${file} has ${stats.size} bytes, and the manifest says ${bytes}: a part is missing, or something else wrote it.`,
      );
    const found = await hashFile(file, (count) => {
      done += count;
      onProgress(done, all);
    });
    if (found !== sha256)
      throw new BackupError(`${file} was changed: its SHA-256 is ${found}, and the manifest says ${sha256}.`);
  }
}

/**
 * Copies a file under a temporary name and checks the copy.
 * @returns a function that gives the copy its name, durably. It throws BackupError if anything has that name by then, a link included.
 * @throws BackupError when the source differs from the manifest.
 */
export async function copyChecked(
  source: string,
  target: string,
  expected: Pick<BackupFile, 'sha256'>,
  onBytes: (count: number) => void,
): Promise<() => void> {
  const hash = createHash('sha256');
  const { name, handle } = await openTemporary(target, BACKUP_FILE_MODE);
  const written = await handle.stat();
  try {
    for await (const chunk of createReadStream(source, { highWaterMark: CHUNK_BYTES })) {
      hash.update(chunk as Buffer);
      await handle.writeFile(chunk as Buffer);
      onBytes((chunk as Buffer).length);
    }
    await handle.sync();
    const found = hash.digest('hex');
    if (found !== expected.sha256)
      throw new BackupError(
        `${source} was changed while it was read: its SHA-256 is ${found}, and the manifest says ${expected.sha256}.`,
      );
  } catch (error) {
    rmSync(name, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  return () => {
    try {
      linkNew(name, target, written);
    } catch (error) {
      throw new BackupError(`${target} cannot be made: ${(error as Error).message}`);
    } finally {
      rmSync(name, { force: true });
    }
    syncPath(path.dirname(target));
  };
}
