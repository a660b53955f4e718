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
/** Mode bits that are not allowed if a group may read: the mode is at most 0640. */
const BEYOND_GROUP = 0o137;
/** No key file is larger; a larger file is something else. */
const SECRET_FILE_BYTES_MAX = 64 * 1024;

export class SecretFileError extends ExplainedError {
  override readonly name = 'SecretFileError';
}

/**
 * On Windows a mode does not restrict a file to one user, and folders cannot be synced. So a key file there would be refused with advice
 * that does not work.
 */
function refuseOnWindows(what: string, file: string): void {
  if (process.platform !== 'win32') return;
  throw new SecretFileError(
    `On Windows the mode of a file does not keep it for one user, which ${what} at ${file} needs. Run this in WSL 2 (docs/OPERATING.md, "What is installed").`,
  );
}

/** The sticky bit of a folder, as on /tmp: no one can remove or rename the files of others. */
const STICKY = 0o1000;
const GROUP_WRITES = 0o020;
const OTHERS_WRITE = 0o002;

/**
 * Refuses a folder that others can write: they could replace a key at any later time, so that their validator's key gets into a genesis or
 * their account's key into a payment. The process's own group may write it, as a umask of 002 makes folders. The owner of the folder may be
 * another user: root writes into the home of a node.
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
 * Checks the parent of a folder for keys before it is made: others who can write the parent could replace the folder and its keys. Missing
 * parent folders are made for their owner alone.
 * @throws SecretFileError
 */
export function refuseSharedPlace(folder: string): void {
  let place = path.resolve(folder);
  while (!existsSync(path.dirname(place))) place = path.dirname(place);
  refuseSharedFolder(place);
}

/** Codes of faults that an operator can correct. A full disk keeps its code, because the start has a more precise message for it. */
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
 * Writes a key, or another file that must not replace an existing one.
 * @throws SecretFileError when anything has the name, a link included. The existing file is not changed.
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

/** Writes a file whose content changes, replacing the existing one. A link is replaced itself; its target is not changed. */
export function writeSecretFile(file: string, content: string | Uint8Array): void {
  write(file, content, 'replace');
}

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/**
 * @param what name of the file in an error: "the operator key (OPERATOR_KEY_FILE)".
 * @param group group whose files may have the mode 0640 (TXLEDGER_KEY_FILE_GROUP).
 * @throws SecretFileError when it is missing, too large, owned by another user than root, or its mode is looser than allowed.
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
