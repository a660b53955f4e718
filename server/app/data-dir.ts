/**
 * DATA_DIR: checks its owner and content, and takes the lock that lets only one process at a time work on it.
 *
 * Two processes on one folder would sign two blocks of one height, so every start takes the lock first and holds it until the process ends.
 *
 * @module
 */
import { accessSync, chmodSync, constants, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { removeLeftOvers } from '../platform/disk-file.ts';
import { FORMAT_1_ENTRIES, refuseOtherFormat } from './chain-format.ts';
import { COMPILE_CACHE_FOLDER } from './compile-cache.ts';
import { DATA_DIR_FILES, dataDirFiles, type DataDirFile, LOCALNET_FILE } from './data-dir-files.ts';
import { DataDirError, lockFolder } from './folder-lock.ts';
import { isTrusted, isWritableByOthers, modeText, processUser } from './ownership.ts';

export { DATA_DIR_FILES, dataDirFiles, type DataDirFile, LOCALNET_FILE } from './data-dir-files.ts';
export { DataDirError } from './folder-lock.ts';

export interface DataDir {
  /** Absolute. */
  readonly path: string;
  readonly files: Readonly<Record<DataDirFile, string>>;
  /** Releases the lock; the end of the process does too. */
  release(): void;
}

/** Owner only: the folder holds keys. */
const FOLDER_MODE = 0o700;
/** Names in the root of a new file system. */
const FILE_SYSTEM_ENTRIES: readonly string[] = ['lost+found'];
/** Matches SQLite's companions of a database file, and the remains of a write that was interrupted before its rename. */
const COMPANION_SUFFIX = /((\.[0-9a-f]{16})?\.tmp)?(-wal|-shm|-journal)?$/;

/** Refuses a folder with files that are not ours: most likely its path was mistyped. */
function refuseForeign(folder: string): void {
  const entries = readdirSync(folder);
  if (entries.includes(DATA_DIR_FILES.lock)) return;
  const ours: readonly string[] = [
    ...Object.values(DATA_DIR_FILES),
    COMPILE_CACHE_FOLDER,
    ...FORMAT_1_ENTRIES,
    ...FILE_SYSTEM_ENTRIES,
  ];
  if (entries.includes(LOCALNET_FILE)) {
    throw new DataDirError(
      `DATA_DIR ${folder} belongs to \`npm run localnet\`. Name another one; for a command on its tokens set ` +
        `DATABASE_URL="$(cat ${path.join(folder, 'database-url')})".`,
    );
  }
  const foreign = entries.filter((entry) => !ours.includes(entry.replace(COMPANION_SUFFIX, '')));
  if (foreign.length === 0) return;
  throw new DataDirError(
    `DATA_DIR ${folder} holds files of something else (${foreign.slice(0, 3).join(', ')}${foreign.length > 3 ? ', ...' : ''}). ` +
      'Name an empty folder, one that does not exist yet, or one that this program made.',
  );
}

export interface DataDirOptions {
  /** For development: a folder that its own group can write, as a umask of 002 makes it, is restricted to the owner instead of refused. */
  tightens?: boolean;
  /** Receives a sentence about each restriction. */
  onTightened?: (message: string) => void;
}

const GROUP_WRITES = 0o020;
const ENTERED_BY_OTHERS = 0o011;

/** Refuses a folder that others can write: they could replace its keys and databases, or may have done so already. */
function refuseOthers(folder: string, { tightens = false, onTightened }: DataDirOptions): void {
  const stats = statSync(folder);
  const user = processUser();
  if (!isTrusted(stats.uid, user)) {
    throw new DataDirError(
      `DATA_DIR ${folder} belongs to user ${stats.uid}, and this process runs as user ${user}. Give it to that user (chown -R ${user} ${folder}), ` +
        'or run the service as the user that it belongs to.',
    );
  }
  if (isWritableByOthers(stats)) {
    const isEmpty = readdirSync(folder).every((entry) => FILE_SYSTEM_ENTRIES.includes(entry));
    if (!isEmpty && !(tightens && (stats.mode & 0o022) === GROUP_WRITES)) {
      throw new DataDirError(
        `Others can write DATA_DIR ${folder}: its mode is ${modeText(stats)}, expected 0700. Make sure that no one changed what is in it, ` +
          `then take their rights away (chmod 700 ${folder}).`,
      );
    }
    chmodSync(folder, FOLDER_MODE);
    onTightened?.(
      `others could write DATA_DIR ${folder} (mode ${modeText(stats)}); it is its owner's alone from now on (mode 0700)`,
    );
  }
}

/** A command on tokens holds the lock while it reads the log: longer after a kill of the service. */
const LOCK_WAIT_MS = 2000;

/** Refuses a folder in the place of a file, and a file that this user cannot use. */
function refuseUnreadable(files: Readonly<Record<DataDirFile, string>>): void {
  for (const file of Object.values(files)) {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined || (file === files.commands && stats.isSocket())) continue;
    if (!stats.isFile())
      throw new DataDirError(
        `${file} is ${stats.isDirectory() ? 'a folder' : 'no plain file'}, expected a file that this program made. Move it away, and put the file back if there was one.`,
      );
    try {
      accessSync(file, constants.R_OK | constants.W_OK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EROFS')
        throw new DataDirError(
          `DATA_DIR ${path.dirname(file)} is on a file system that cannot be written (read-only). Mount it for writing, or name another DATA_DIR.`,
        );
      throw new DataDirError(
        `${file} cannot be read and written by user ${processUser()}, as whom this process runs: its mode is ${modeText(stats)}, its owner user ${stats.uid}. Give it to that user (chown), with mode 0600.`,
      );
    }
  }
}

/**
 * Checks the owners of the files, and of the folder of compiled code, which this process runs. Modes are irrelevant if no one else can
 * enter the folder.
 */
function refuseFilesOfOthers(folder: string): void {
  const user = processUser();
  const isOpen = (statSync(folder).mode & ENTERED_BY_OTHERS) !== 0;
  for (const entry of readdirSync(folder)) {
    if (FILE_SYSTEM_ENTRIES.includes(entry)) continue;
    const file = path.join(folder, entry);
    const stats = statSync(file, { throwIfNoEntry: false });
    // SQLite removes its companions while another process works on them.
    if (stats === undefined) continue;
    if (!isTrusted(stats.uid, user)) {
      throw new DataDirError(
        `${file} belongs to user ${stats.uid}, and this process runs as user ${user}. Make sure that it is what it should be, then give it to that user (chown ${user} ${file}).`,
      );
    }
    if (isOpen && isWritableByOthers(stats)) {
      throw new DataDirError(
        `Others can write ${file}: its mode is ${modeText(stats)}. Make sure that no one changed it, then take their rights away (chmod go-w ${file}).`,
      );
    }
  }
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'EROFS')
    return 'its file system cannot be written (read-only). Mount it for writing, or name another DATA_DIR.';
  if (code === 'EACCES' || code === 'EPERM')
    return `user ${processUser()}, as whom this process runs, may not make or read it (${message}). Give the user that right, or name another DATA_DIR.`;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return `the disk is full (${message}). Make room, or name another DATA_DIR.`;
  if (code === 'ENOENT')
    return `it cannot be made (${message}). See that the file system of its parent folder can be written, or name another DATA_DIR.`;
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return `a part of its path is a file (${message}). Name another DATA_DIR.`;
  return message;
}

/**
 * Makes the folder if it is missing. An empty existing folder counts as missing.
 * @throws DataDirError when the path is not a folder, holds files that are not ours, belongs to another user, holds a chain of another
 * format, can be written by others, or cannot be written by this user.
 */
export function prepareDataDir(folder: string, options: DataDirOptions = {}): Record<DataDirFile, string> {
  try {
    if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
    else if (!statSync(folder).isDirectory())
      throw new DataDirError(`DATA_DIR ${folder} is a file; it must be a folder.`);
    refuseForeign(folder);
    refuseUnreadable(dataDirFiles(folder));
    refuseOtherFormat(dataDirFiles(folder));
    refuseOthers(folder, options);
    refuseFilesOfOthers(folder);
  } catch (error) {
    if (error instanceof DataDirError) throw error;
    throw new DataDirError(`DATA_DIR ${folder} cannot be used: ${reasonOf(error as NodeJS.ErrnoException)}`);
  }
  return dataDirFiles(folder);
}

/**
 * Prepares the folder and takes its lock.
 * @throws DataDirError also when another process holds the lock.
 */
export function openDataDir(folder: string, options: DataDirOptions = {}): DataDir {
  const files = prepareDataDir(folder, options);
  const release = lockFolder({ file: files.lock, why: 'sign two blocks of one height', waitMs: LOCK_WAIT_MS });
  removeLeftOvers(folder, Date.now());
  return { path: folder, files, release };
}
