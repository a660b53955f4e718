/**
 * What Node.js compiled of the commands, kept in the user's cache folder: the next command reads it instead of stripping types and compiling again.
 *
 * What is read there is run, so it is used only where no one else can write: the folder is this user's alone, and every folder above it belongs to
 * this user or to root and lets no one else put another in its place. It only saves time: without it everything works.
 *
 * Imported before everything else, so it imports next to nothing.
 *
 * @module
 */
import { lstatSync, mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';
import { boundFolder, FOLDER_MODE, isSettled, unfit } from '../app/compile-cache.ts';

const WRITTEN_BY_OTHERS = 0o022;
const STICKY = 0o1000;
const ROOT_USER = 0;

/** Where programs of one user keep what they can make again (XDG Base Directory; on macOS its own place). */
export function cacheFolder(env: Readonly<Record<string, string | undefined>>, home: string): string {
  const given = env['XDG_CACHE_HOME'];
  // A relative path is to be ignored, the specification says.
  const base = given !== undefined && path.isAbsolute(given) ? given : path.join(home, process.platform === 'darwin' ? 'Library/Caches' : '.cache');
  return path.join(base, 'txledger', 'compile-cache');
}

/** Whether someone else could put another folder in the place of one below it. */
function isOpen(folder: string): boolean {
  const { uid, mode } = lstatSync(folder);
  if (uid !== ROOT_USER && uid !== process.geteuid?.()) return true;
  // In /tmp others can write, and cannot move what is not theirs.
  return (mode & WRITTEN_BY_OTHERS) !== 0 && (mode & STICKY) === 0;
}

export function isSafe(folder: string): boolean {
  if (unfit(folder) !== undefined) return false;
  for (let parent = path.dirname(folder); ; parent = path.dirname(parent)) {
    if (isOpen(parent)) return false;
    if (parent === path.dirname(parent)) return true;
  }
}

export function useCommandCache(): void {
  if (isSettled()) return;
  try {
    const folder = cacheFolder(process.env, homedir());
    mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
    if (!isSafe(folder)) return;
    boundFolder(folder);
    enableCompileCache(folder);
  } catch {
    // A home that does not exist or cannot be written: nothing is lost but time.
  }
}
