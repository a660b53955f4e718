/**
 * Refuses files of a chain in another format than this version's: its transactions, roles and genesis differ, so this version cannot
 * continue it.
 *
 * Only genesis and the first bytes of databases are read, and nothing is changed: not even what opening a database would change.
 *
 * @module
 */
import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { CHAIN_FORMAT, formatFault, formatOfFileId, genesisFormat } from '../ledger/index.ts';
import type { DataDirFile } from './data-dir-files.ts';
import { DEVELOPMENT_CHAIN_ID } from './dev-accounts.ts';
import { DataDirError } from './folder-lock.ts';

type Files = Readonly<Record<DataDirFile, string>>;

/** Files that only folders of format 1 have. */
export const FORMAT_1_ENTRIES: readonly string[] = ['blocks.db', 'ledger.db', 'before-upgrade'];

/** https://www.sqlite.org/fileformat.html, section 1.3 */
const SQLITE_MAGIC = 'SQLite format 3\0';
const APPLICATION_ID_AT = 68;
const HEADER_BYTES = APPLICATION_ID_AT + 4;

/** An unreadable genesis counts as empty: data-dir.ts has the reason. */
function genesisOf({ genesis }: Files): Buffer {
  try {
    return readFileSync(genesis);
  } catch {
    return Buffer.alloc(0);
  }
}

/** Undefined for a file that is not yet a database: a new one gets its application_id before anything else. */
function databaseFormat(file: string): number | undefined {
  if (!statSync(file).isFile()) return undefined;
  const header = Buffer.alloc(HEADER_BYTES);
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch {
    return undefined;
  }
  try {
    const isWhole = readSync(descriptor, header, 0, HEADER_BYTES, 0) === HEADER_BYTES;
    return isWhole && header.toString('latin1', 0, SQLITE_MAGIC.length) === SQLITE_MAGIC
      ? formatOfFileId(header.readUInt32BE(APPLICATION_ID_AT))
      : undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** The first of the folder's files that is of another chain format; undefined if there is no such file. */
export function otherFormatIn(files: Files): { name: string; format: number } | undefined {
  const folder = path.dirname(files.genesis);
  const databases = Object.values(files).filter(
    (file) => file.endsWith('.db') && file !== files.lock && existsSync(file),
  );
  const formats: [file: string, format: number | undefined][] = [
    [files.genesis, genesisFormat(genesisOf(files))],
    ...databases.map((file): [string, number | undefined] => [file, databaseFormat(file)]),
    ...FORMAT_1_ENTRIES.map((name) => path.join(folder, name))
      .filter((file) => existsSync(file))
      .map((file): [string, number] => [file, 1]),
  ];
  for (const [file, format] of formats)
    if (format !== undefined && format !== CHAIN_FORMAT) return { name: path.basename(file), format };
  return undefined;
}

/** A development chain can be replaced by a new one. Only its operator can say what any other chain is worth. */
export function isOfDevelopment(files: Files): boolean {
  try {
    return (JSON.parse(genesisOf(files).toString('utf8')) as { chain_id?: unknown }).chain_id === DEVELOPMENT_CHAIN_ID;
  } catch {
    return false;
  }
}

/** @throws DataDirError that describes the folder and what to do. */
export function refuseOtherFormat(files: Files): void {
  const found = otherFormatIn(files);
  if (found === undefined) return;
  const canMove = isOfDevelopment(files)
    ? '. `npm start -- --move-old-data` moves the folder aside and starts a new development chain; it deletes nothing'
    : '';
  throw new DataDirError(
    `DATA_DIR ${path.dirname(files.genesis)} cannot be used (${found.name}): ${formatFault(found.format)}${canMove}.`,
  );
}
