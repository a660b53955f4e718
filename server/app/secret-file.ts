/**
 * Files that hold keys and tokens: written whole or not at all, readable by their owner only, and refused when others
 * can read them.
 *
 * @module
 */
import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { DiskFileError, writeWholeFile } from '../platform/disk-file.ts';
import { ExplainedError } from './explained-error.ts';
import { isTrusted, modeText, processUser } from './ownership.ts';

/** Read and write for the owner, nothing for anyone else. */
export const SECRET_FILE_MODE = 0o600;
const OTHERS = 0o077;
/** What a mode may not have where a group may read: at most 0640. */
const BEYOND_GROUP = 0o137;
/** No key file is larger; a larger one is some other file. */
const SECRET_FILE_BYTES_MAX = 64 * 1024;

export class SecretFileError extends ExplainedError {
  override readonly name = 'SecretFileError';
}

/** Windows keeps no file for one user by its mode and syncs no folder, so a key file there would be refused with advice that does not work. */
function refuseOnWindows(what: string, file: string): void {
  if (process.platform !== 'win32') return;
  throw new SecretFileError(
    `On Windows the mode of a file does not keep it for one user, which ${what} at ${file} needs. Run this in WSL 2 (docs/OPERATING.md, "What is installed").`,
  );
}

/** A folder with it lets no one remove or rename the files of others, as /tmp. */
const STICKY = 0o1000;
const GROUP_WRITES = 0o020;
const OTHERS_WRITE = 0o002;

/**
 * Who can write the folder can put another file in the place of a key at any later time: their validator's key into a genesis, their account's key into a
 * payment. The process's own group may write it, as a umask of 002 makes folders. The owner of the folder may be another user: root writes into the home
 * of a node.
 */
function refuseSharedFolder(file: string): void {
  const folder = path.dirname(file);
  const { mode, gid } = statSync(folder);
  const isGroups = (mode & GROUP_WRITES) !== 0 && gid !== process.getegid?.();
  if ((mode & STICKY) !== 0 || ((mode & OTHERS_WRITE) === 0 && !isGroups)) return;
  throw new SecretFileError(
    `Others can write the folder ${folder}: its mode is ${modeText({ mode })}, its group ${gid}, and it has no sticky bit, so that they could put something else in the place of ${file}. ` +
      `Name a folder of your own, or take their rights away (chmod ${isGroups ? 'g-w,' : ''}o-w ${folder}). Nothing was written.`,
  );
}

/**
 * For a folder with keys in it, before it is made: who can write the folder where it gets its name can put another folder in its place, with other keys.
 * Folders on the way to it that are not there yet are made for their owner alone.
 * @throws SecretFileError
 */
export function refuseSharedPlace(folder: string): void {
  let place = path.resolve(folder);
  while (!existsSync(path.dirname(place))) place = path.dirname(place);
  refuseSharedFolder(place);
}

/** What an operator puts right. A full disk keeps its code: a start says more about that. */
const NOT_WRITABLE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS']);

function write(file: string, content: string | Uint8Array, existing: 'keep' | 'replace'): void {
  refuseOnWindows('the file', file);
  try {
    refuseSharedFolder(file);
    writeWholeFile(file, content, { mode: SECRET_FILE_MODE, existing });
  } catch (error) {
    if (error instanceof DiskFileError) throw new SecretFileError(error.message);
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (NOT_WRITABLE.has(code)) throw new SecretFileError(`Cannot write ${file}: ${message}.`);
    throw error;
  }
}

/**
 * Writes a key, or another file that must not take the place of any.
 * @throws SecretFileError when anything has the name, a link included: what is there stays as it is.
 */
export function createSecretFile(file: string, content: string | Uint8Array): void {
  try {
    write(file, content, 'keep');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new SecretFileError(
      lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true
        ? `${file} is a symbolic link, and a new file is not written through one. Name the file itself, or remove the link.`
        : `${file} exists already and is not overwritten.`,
    );
  }
}

/** Writes a file whose content changes, in place of the one that is there. A link in its place is replaced; what it leads to stays as it is. */
export function writeSecretFile(file: string, content: string | Uint8Array): void {
  write(file, content, 'replace');
}

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/**
 * @param what names the file in an error: "the operator key (OPERATOR_KEY_FILE)".
 * @param group a file of this group may have the mode 0640 (TXLEDGER_KEY_FILE_GROUP).
 * @throws SecretFileError when it is missing, too large, another user's (but root's), or its mode is looser than allowed.
 */
export function readSecretFile(file: string, what: string, group?: number): string {
  refuseOnWindows(what, file);
  let mode: number;
  let bytes: number;
  let owner: number;
  let gid: number;
  try {
    ({ mode, size: bytes, uid: owner, gid } = statSync(file));
  } catch (error) {
    throw new SecretFileError(`Cannot read ${what} at ${file}: ${(error as Error).message}`);
  }
  const user = processUser();
  if (!isTrusted(owner, user)) {
    throw new SecretFileError(
      `${capital(what)} at ${file} belongs to user ${owner}, expected user ${user}, as whom this process runs (chown ${user} ${file}).`,
    );
  }
  const isOfGroup = group !== undefined && gid === group;
  if (group !== undefined && !isOfGroup && (mode & OTHERS) !== 0 && (mode & BEYOND_GROUP) === 0) {
    throw new SecretFileError(
      `The group ${gid} can read ${what} at ${file}; TXLEDGER_KEY_FILE_GROUP lets only the group ${group} read it (chgrp ${group} ${file}, or chmod 600 ${file}).`,
    );
  }
  if (isOfGroup && (mode & BEYOND_GROUP) !== 0) {
    throw new SecretFileError(
      `More than its owner and the group ${group} can use ${what} at ${file}: its mode is ${modeText({ mode })}, expected 0640 or 0600 (chmod 640 ${file}).`,
    );
  }
  if (!isOfGroup && (mode & OTHERS) !== 0) {
    throw new SecretFileError(
      `Others can read ${what} at ${file}: its mode is ${modeText({ mode })}, expected 0600 (chmod 600 ${file}).`,
    );
  }
  if (bytes > SECRET_FILE_BYTES_MAX)
    throw new SecretFileError(`${what} at ${file} has ${bytes} bytes: this is no key file.`);
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new SecretFileError(`Cannot read ${what} at ${file}: ${(error as Error).message}`);
  }
}
