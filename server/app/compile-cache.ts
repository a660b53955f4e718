/**
 * Cache of the code that Node.js compiled, on disk: a start reads it instead of stripping types from every file and compiling it, in each
 * of three threads.
 *
 * Code that is read there is run, so the folder must be the process's own: it is in DATA_DIR, with mode 0700, and one that others can write
 * to, or that belongs to another user, is not read. It only saves time: without it everything works. An operator's NODE_COMPILE_CACHE and
 * NODE_DISABLE_COMPILE_CACHE have precedence.
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

/** The line that is logged where it cannot be used. */
export const NOT_CACHED = 'what is compiled cannot be kept, so starts take longer';

const FOLDER_MODE = 0o700;
const MODE_OF_OTHERS = 0o077;
/** A start keeps about 1,300 files. What other versions of Node.js and of this program left is dropped when there are this many. */
const FILES_MAX = 5_000;
/** Callers that waited for the start are answered first: at the first start of a folder writing keeps a thread for 0.3 s. */
const KEEP_AFTER_MS = 2_000;
/** Node.js reads it when a thread starts, so the threads of this process find the folder too. */
const VARIABLE = 'NODE_COMPILE_CACHE';
const VARIABLE_AGAINST = 'NODE_DISABLE_COMPILE_CACHE';

const folderIn = (dataDir: string): string => path.join(dataDir, COMPILE_CACHE_FOLDER);

/** The operator named a folder of their own or turned the cache off, or ours is already in use. */
const isSettled = (): boolean => getCompileCacheDir() !== undefined || process.env[VARIABLE_AGAINST] !== undefined;

/** The reason why nothing is read from the folder; undefined when there is no reason. */
function unfit(folder: string): string | undefined {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return 'it does not exist';
  if (!found.isDirectory()) return 'it is no folder';
  if (found.uid !== process.geteuid?.()) return 'it belongs to another user';
  if ((found.mode & MODE_OF_OTHERS) !== 0) return 'others than its owner have access to it';
  return undefined;
}

/**
 * Uses the folder if there is one, before anything else is imported.
 * @returns why it is not used, for the log.
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
 * Writes the code that this thread compiled because it was not in the cache. Node.js does it at an orderly end only, and the end may be a
 * kill.
 */
export function keepCompiled(): void {
  flushCompileCache();
}

/** @param keep writes what every thread of the process compiled; it may fail, since it only saves time. */
export function keepCompiledSoon(clock: Clock, dataDir: string, keep: () => Promise<void>): void {
  clock.setTimer(() => {
    keep().then(
      () => boundCompileCache(dataDir),
      () => undefined,
    );
  }, KEEP_AFTER_MS);
}

/** Begins the folder again when too much of other versions has gathered in it; the next start fills it. */
export function boundCompileCache(dataDir: string): void {
  const folder = folderIn(dataDir);
  try {
    if (readdirSync(folder, { recursive: true }).length <= FILES_MAX) return;
    for (const entry of readdirSync(folder)) rmSync(path.join(folder, entry), { recursive: true, force: true });
  } catch {
    // There is none, or it cannot be written: nothing is lost but time.
  }
}
