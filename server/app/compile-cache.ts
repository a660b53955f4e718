/**
 * Cache of the code that Node.js compiled, on disk: a start reads it instead of stripping types from every file and compiling it, in each
 * of three threads.
 *
 * Code that is read there is run, so the folder must be the process's own: it is in DATA_DIR, with mode 0700. A folder that others can
 * write to, or that belongs to another user, is not read. The cache only saves time: everything works without it. An operator's
 * NODE_COMPILE_CACHE and NODE_DISABLE_COMPILE_CACHE have precedence.
 *
 * Imported before everything else, so it imports nothing but Node.js.
 *
 * @module
 */
import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { constants, enableCompileCache, flushCompileCache, getCompileCacheDir } from 'node:module';
import path from 'node:path';
import type { Clock } from '../engine/ports.ts';

/** Its name in DATA_DIR. */
export const COMPILE_CACHE_FOLDER = 'compile-cache';

/** The line that is logged if the cache cannot be used. */
export const NOT_CACHED = 'what is compiled cannot be kept, so starts take longer';

const FOLDER_MODE = 0o700;
const MODE_OF_OTHERS = 0o077;
/** A start keeps about 1,300 files. With this many, the files of other versions of Node.js and of this program are dropped. */
const FILES_MAX = 5_000;
/** Callers that waited for the start are answered first: at the first start of a folder the write occupies a thread for 0.3 s. */
const KEEP_AFTER_MS = 2_000;
/** Node.js reads this variable when a thread starts, so that the threads of this process use the folder too. */
const VARIABLE = 'NODE_COMPILE_CACHE';
const VARIABLE_AGAINST = 'NODE_DISABLE_COMPILE_CACHE';

const folderIn = (dataDir: string): string => path.join(dataDir, COMPILE_CACHE_FOLDER);

/** True if the operator named a folder or turned the cache off, or ours is already in use. */
const isSettled = (): boolean => getCompileCacheDir() !== undefined || process.env[VARIABLE_AGAINST] !== undefined;

/** Returns why the folder is not read; undefined if it can be. */
function unfit(folder: string): string | undefined {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return 'it does not exist';
  if (!found.isDirectory()) return 'it is no folder';
  if (found.uid !== process.geteuid?.()) return 'it belongs to another user';
  if ((found.mode & MODE_OF_OTHERS) !== 0) return 'others than its owner have access to it';
  return undefined;
}

/**
 * Uses the folder if it exists, before anything else is imported.
 * @returns the reason why it is not used, for the log.
 */
export function useCompileCache(dataDir: string): string | undefined {
  if (isSettled()) return undefined;
  const folder = folderIn(dataDir);
  try {
    const reason = unfit(folder);
    if (reason !== undefined) return `${folder}: ${reason}`;
  } catch (error) {
    return (error as Error).message;
  }
  const { status, message } = enableCompileCache(folder);
  if (status === constants.compileCacheStatus.ENABLED) process.env[VARIABLE] = folder;
  return status === constants.compileCacheStatus.FAILED
    ? `${folder}: ${message ?? 'Node.js cannot use it'}`
    : undefined;
}

/**
 * Makes the folder first, once DATA_DIR is known to be ours.
 * @returns the reason why it is not used, for the log.
 */
export function makeCompileCache(dataDir: string): string | undefined {
  if (isSettled()) return undefined;
  try {
    mkdirSync(folderIn(dataDir), { recursive: true, mode: FOLDER_MODE });
  } catch (error) {
    return (error as Error).message;
  }
  return useCompileCache(dataDir);
}

/**
 * Writes the code that this thread compiled because it was not in the cache. Node.js itself writes it only at an orderly end, and a process
 * may be killed.
 */
export function keepCompiled(): void {
  flushCompileCache();
}

/** @param keep writes the compiled code of every thread of the process; it may fail, since it only saves time. */
export function keepCompiledSoon(clock: Clock, dataDir: string, keep: () => Promise<void>): void {
  clock.setTimer(() => {
    keep().then(
      () => boundCompileCache(dataDir),
      () => undefined,
    );
  }, KEEP_AFTER_MS);
}

/** Empties the folder when too many files of other versions have gathered in it; the next start fills it. */
export function boundCompileCache(dataDir: string): void {
  const folder = folderIn(dataDir);
  try {
    if (readdirSync(folder, { recursive: true }).length <= FILES_MAX) return;
    for (const entry of readdirSync(folder)) rmSync(path.join(folder, entry), { recursive: true, force: true });
  } catch {
    // The folder does not exist, or cannot be written: only time is lost.
  }
}
