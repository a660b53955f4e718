/**
 * Files that hold keys and tokens: written whole or not at all, readable by their owner only, and refused when others
 * can read them.
 *
 * @module
 */
import { closeSync, fchmodSync, fsyncSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
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

/**
 * Writes under a temporary name, then renames: after a crash at any moment the file is the old one or the new one, and
 * a file that exists is complete. The folder is synced too, or the name itself could be lost with the power.
 */
export function writeSecretFile(file: string, content: string | Uint8Array): void {
  refuseOnWindows('the file', file);
  const temporary = `${file}.tmp`;
  const handle = openSync(temporary, 'w', SECRET_FILE_MODE);
  try {
    // The mode above is for a new file only; a temporary file that a crash left behind keeps its own.
    fchmodSync(handle, SECRET_FILE_MODE);
    // Goes on after a short write, which is how a full disk begins: `writeSync` would leave a part of the content, and it would get the name.
    writeFileSync(handle, content);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(temporary, file);
  const folder = openSync(path.dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
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
