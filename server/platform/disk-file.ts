/**
 * Files that are on disk whole or not at all: written under a temporary name, synced, and given their own name then. After a crash at any
 * moment the file is the old one or the new one, and a file that exists is complete.
 *
 * The temporary name is random, because others may write the folder. Under a name that they can guess they could put a link, and its target
 * would be overwritten; or a file of their own, which would stay theirs with a key in it.
 *
 * @module
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

const RANDOM_BYTES = 8;
const TEMPORARY_NAME = /\.[0-9a-f]{16}\.tmp$/;
/** No write takes so long. A younger temporary file may be that of a command which runs now. */
const LEFT_OVER_MS_MIN = 60_000;
const PERMISSIONS = 0o777;
/** Windows has no such flag: there it takes a right of its own to make a link. */
const NO_FOLLOW = (constants.O_NOFOLLOW as number | undefined) ?? 0;
/** The file must not be there, not even as a link. */
const NEW_FILE = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | NO_FOLLOW;

/** A file is not as it was required, because of the file system or another user. The message is a sentence for the operator. */
export class DiskFileError extends Error {
  override readonly name = 'DiskFileError';
}

export interface WriteOptions {
  /** The file has at most these permissions; the umask may take some away. */
  readonly mode: number;
  /** `keep`: EEXIST when anything has the name, a link that leads nowhere included. `replace`: a link is replaced, and its target stays. */
  readonly existing: 'keep' | 'replace';
}

const temporaryName = (file: string): string => `${file}.${randomBytes(RANDOM_BYTES).toString('hex')}.tmp`;

/** True for the name of a temporary file of this module, which a crash has left. */
export const isTemporaryName = (name: string): boolean => TEMPORARY_NAME.test(name);

/** Before the content is written, so that no one else ever has any of it. */
function refuseForeign(stats: Stats, file: string, mode: number): void {
  const user = process.geteuid?.();
  // Windows has neither owners nor permissions of this kind.
  if (user === undefined) return;
  const found = stats.mode & PERMISSIONS;
  if (stats.uid === user && (found & ~mode) === 0) return;
  throw new DiskFileError(
    `The file system does not keep a file in ${path.dirname(file)} for one user: a new file there belongs to user ${stats.uid} with mode ${found.toString(8).padStart(4, '0')}, ` +
      `expected user ${user} with ${mode.toString(8).padStart(4, '0')}. Name a folder on another file system.`,
  );
}

/**
 * Gives a file that was written under a temporary name its own, which must be free; the caller removes the temporary one. Only a link can
 * do that in one step: a rename would replace a file that came there in the meantime.
 * @param written result of fstat for the file that was written.
 */
export function linkNew(temporary: string, file: string, written: Pick<Stats, 'dev' | 'ino'>): void {
  try {
    linkSync(temporary, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw error;
    throw new DiskFileError(
      `The file system of ${path.dirname(file)} has no hard links, by which a new file gets its name and replaces no other (${code}). Name a folder on another file system.`,
    );
  }
  // Numbers of devices and files are not the same by name and by descriptor on every Windows.
  if (process.geteuid === undefined) return;
  const named = lstatSync(file, { throwIfNoEntry: false });
  if (named?.ino === written.ino && named.dev === written.dev) return;
  throw new DiskFileError(
    `${file} is not the file that was written: another user, who can write its folder, changed it in that moment. Do not use it; name a folder of your own.`,
  );
}

/** Durable when it returns, the name included. */
export function writeWholeFile(file: string, content: string | Uint8Array, { mode, existing }: WriteOptions): void {
  const temporary = temporaryName(file);
  const descriptor = openSync(temporary, NEW_FILE, mode);
  let isRenamed = false;
  try {
    try {
      const stats = fstatSync(descriptor);
      refuseForeign(stats, file, mode);
      // Goes on after a short write, which is how a full disk begins: `writeSync` would leave a part of the content, and it would get the name.
      writeFileSync(descriptor, content);
      fsyncSync(descriptor);
      if (existing === 'keep') linkNew(temporary, file, stats);
    } finally {
      closeSync(descriptor);
    }
    // Windows renames no file that is open.
    if (existing === 'replace') {
      renameSync(temporary, file);
      isRenamed = true;
    }
  } finally {
    if (!isRenamed) rmSync(temporary, { force: true });
  }
  syncPath(path.dirname(file));
}

/**
 * Opens a temporary file that is written piece by piece, or beside other work. The caller closes it, and gives it its name or removes it.
 */
export async function openTemporary(file: string, mode: number): Promise<{ name: string; handle: FileHandle }> {
  const name = temporaryName(file);
  const handle = await open(name, NEW_FILE, mode);
  try {
    refuseForeign(await handle.stat(), file, mode);
    return { name, handle };
  } catch (error) {
    await handle.close();
    await rm(name, { force: true });
    throw error;
  }
}

/** As `writeWholeFile` with `replace`, with the waiting for the disk on threads of Node.js. */
export async function replaceInBackground(file: string, content: string, mode: number): Promise<void> {
  const { name, handle } = await openTemporary(file, mode);
  try {
    await handle.writeFile(content);
    await handle.sync();
    await handle.close();
    await rename(name, file);
  } catch (error) {
    await handle.close();
    await rm(name, { force: true });
    throw error;
  }
  const folder = await open(path.dirname(file), 'r');
  await folder.sync().finally(() => folder.close());
}

/** Syncs the contents of a file, or the names in a folder. */
export function syncPath(file: string): void {
  // Windows cannot open folders, and has their entries on disk with the file.
  if (process.platform === 'win32') return;
  const descriptor = openSync(file, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Removes what crashes have left in a folder: no later write has the same name and would remove it. */
export function removeLeftOvers(folder: string, nowMs: number): void {
  for (const name of readdirSync(folder)) {
    if (!isTemporaryName(name)) continue;
    const file = path.join(folder, name);
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats?.isDirectory() === false && nowMs - stats.mtimeMs >= LEFT_OVER_MS_MIN) rmSync(file, { force: true });
  }
}
