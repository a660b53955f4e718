/** Fills an empty PostgreSQL database with the rows of a backup. @module */
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { rowsFile } from '../../store/backup/gateway-tables.ts';
import { RowsRefusedError, writeRows } from '../../store/backup/postgres-rows.ts';
import { DatabaseUnreachableError } from '../database-error.ts';
import { withoutPassword } from '../engine-config.ts';
import { BackupError } from './backup-error.ts';
import type { Manifest } from './manifest.ts';

/** Longest line, far above any row; it bounds memory: a file without line ends must not be read as one line. */
const LINE_CHARACTERS_MAX = 16 * 1024 * 1024;

/** The lines of a file, one at a time. */
export async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(file, 'utf8') as AsyncIterable<string>) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LINE_CHARACTERS_MAX)
      throw new BackupError(
        `${file} has a line of more than ${LINE_CHARACTERS_MAX} characters: it holds no rows of a database.`,
      );
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** @returns the name of the database for messages. */
export async function restoreRows(
  url: string,
  folder: string,
  { migrations = [], counts }: Manifest,
  onProgress: (done: number, all: number) => void,
): Promise<string> {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const name = withoutPassword(url);
  try {
    await writeRows(url, { migrations, rows: (table) => linesOf(path.join(folder, rowsFile(table))) }, (rows) =>
      onProgress(Math.min(rows, all), all),
    );
  } catch (error) {
    if (error instanceof BackupError) throw error;
    if (error instanceof RowsRefusedError) throw new BackupError(`${name} cannot be filled: ${error.message}.`);
    if ((error as Error).name === 'StoreUnavailableError')
      throw new DatabaseUnreachableError(`The database ${name} cannot be used: ${(error as Error).message}.`, {
        cause: error,
      });
    throw error;
  }
  return name;
}
