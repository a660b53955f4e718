/** Fills an empty PostgreSQL database with the rows of a backup. @module */
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { rowsFile } from '../../store/backup/gateway-tables.ts';
import { RowsRefusedError, writeRows } from '../../store/backup/postgres-rows.ts';
import { DatabaseUnreachableError } from '../database-error.ts';
import { withoutPassword } from '../engine-config.ts';
import { BackupError } from './backup-error.ts';
import type { Manifest } from './manifest.ts';

/** The lines of a file, one at a time. */
export const linesOf = (file: string): AsyncIterable<string> => createInterface({ input: createReadStream(file), crlfDelay: Infinity });

/** @returns the database as messages name it. */
export async function restoreRows(url: string, folder: string, { migrations = [], counts }: Manifest, onProgress: (done: number, all: number) => void): Promise<string> {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const name = withoutPassword(url);
  try {
    await writeRows(url, { migrations, rows: (table) => linesOf(path.join(folder, rowsFile(table))) }, (rows) => onProgress(Math.min(rows, all), all));
  } catch (error) {
    if (error instanceof RowsRefusedError) throw new BackupError(`${name} cannot be filled: ${error.message}.`);
    if ((error as Error).name === 'StoreUnavailableError') throw new DatabaseUnreachableError(`The database ${name} cannot be used: ${(error as Error).message}.`, { cause: error });
    throw error;
  }
  return name;
}
