/**
 * Moves a development folder of an earlier chain format aside, so that `npm start` can begin a new one in its place. Nothing is deleted. A
 * rename is atomic: an interrupted start leaves the folder under one of its two names.
 *
 * @module
 */
import { existsSync, renameSync } from 'node:fs';
import type { Clock } from '../engine/ports.ts';
import { CHAIN_FORMAT } from '../ledger/index.ts';
import { isOfDevelopment, otherFormatIn } from './chain-format.ts';
import { dataDirFiles } from './data-dir-files.ts';
import { DataDirError, lockFolder } from './folder-lock.ts';

export interface MoveOptions {
  folder: string;
  clock: Pick<Clock, 'nowMs'>;
  /** Asks the person at the terminal; undefined without a terminal. */
  ask: ((question: string) => Promise<boolean>) | undefined;
  /** True if --move-old-data has answered the question already. */
  isConfirmed: boolean;
}

/** Returns the new name: `data` becomes `data.format-1-20261122T155308Z`. */
function freeName(stem: string, nowMs: number): string {
  const name = `${stem}-${new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
  let free = name;
  for (let attempt = 2; existsSync(free); attempt += 1) free = `${name}-${attempt}`;
  return free;
}

/**
 * @returns the new path of the folder; undefined when nothing had to be moved, or no one agreed: opening the folder then refuses it.
 * @throws DataDirError when a process works on the folder, or it cannot be moved.
 */
export async function moveOldData({ folder, clock, ask, isConfirmed }: MoveOptions): Promise<string | undefined> {
  const files = dataDirFiles(folder);
  const found = otherFormatIn(files);
  if (found === undefined || found.format > CHAIN_FORMAT || !isOfDevelopment(files)) return undefined;
  if (!isConfirmed && ask === undefined) return undefined;
  const target = freeName(`${folder}.format-${found.format}`, clock.nowMs());
  const release = lockFolder({ file: files.lock, why: 'move files that are in use' });
  try {
    const question = `DATA_DIR ${folder} holds a development chain of format ${found.format}, which this version cannot carry on. Move it to ${target} and begin a new chain?`;
    if (!isConfirmed && !(await ask?.(question))) return undefined;
    renameSync(folder, target);
    return target;
  } catch (error) {
    throw new DataDirError(
      `DATA_DIR ${folder} cannot be moved to ${target} (${(error as Error).message}): move it yourself, or name another DATA_DIR.`,
    );
  } finally {
    release();
  }
}
