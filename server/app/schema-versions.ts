/**
 * Reads the schema version of the databases of a folder from their bytes alone: opening one with SQLite can already change it and the files
 * beside it.
 *
 * @module
 */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { DataDirFile } from './data-dir-files.ts';
import { StartError } from './start-error.ts';

/**
 * The `user_version` that this program writes into each database: the number of steps that made its schema. A test compares them with the
 * lists of steps.
 */
export const SCHEMA_VERSIONS = {
  chain: 9,
  log: 1,
  search: 1,
  statements: 1,
  gateway: 6,
  app: 2,
  snapshots: 1,
} as const satisfies Partial<Record<DataDirFile, number>>;

export type DatabaseFile = keyof typeof SCHEMA_VERSIONS;

/** For each number in `user_version`, the contract of the versions that wrote it. */
const WRITTEN_BY: Partial<Record<DatabaseFile, Readonly<Record<number, string>>>> = {
  chain: { 1: '1.5 or 1.6', 2: '1.7', 3: '1.7', 4: '1.8', 5: '1.9 or 1.10', 6: '1.11' },
  gateway: { 0: '1.8 or an earlier one' },
  app: { 1: '1.7 or an earlier one' },
};

/** https://www.sqlite.org/fileformat.html, sections 1.3 (header), 4.1 (log) */
const SQLITE_MAGIC = 'SQLite format 3\0';
const USER_VERSION_AT = 60;
const HEADER_BYTES = 100;
const LOG_HEADER_BYTES = 32;
const LOG_PAGE_SIZE_AT = 8;
const LOG_SALTS_AT = 16;
const FRAME_HEADER_BYTES = 24;
const FRAME_SALTS_AT = 8;
const SALTS_BYTES = 8;
const PAGE_SIZE_MIN = 512;
const PAGE_SIZE_MAX = 65_536;
/** A log is read in pieces of about this size. */
const READ_BYTES = 4 * 1024 * 1024;

/** `fresh`: the file is missing, or nothing was ever written into it. `other`: an earlier or a later version. `none`: not a database. */
export function formOf(file: string, version: number): 'fresh' | 'this' | 'other' | 'none' {
  const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes === 0) return 'fresh';
  const found = numbersIn(file);
  if (found === undefined) return 'none';
  return found.every((each) => each === version) ? 'this' : 'other';
}

/** Returns the versions in the file and its log; undefined if it is not a database. */
function numbersIn(file: string): number[] | undefined {
  const header = readBytes(file, HEADER_BYTES);
  if (header.length < HEADER_BYTES || header.toString('latin1', 0, SQLITE_MAGIC.length) !== SQLITE_MAGIC)
    return undefined;
  const inLog = versionsInLog(`${file}-wal`);
  const inFile = header.readUInt32BE(USER_VERSION_AT);
  // The header of a new file is written before its tables, which are still in the log.
  return inFile === 0 && inLog.length > 0 ? inLog : [inFile, ...inLog];
}

/**
 * For a command, which opens a database only in the form of this version. A migration is checked by the start of a service.
 * @throws StartError
 */
export function refuseOtherForm(file: string, name: DatabaseFile): void {
  if (formOf(file, SCHEMA_VERSIONS[name]) === 'other') throw new StartError(describeOther(file, name));
}

/**
 * For a command that only reads. Databases of earlier versions answer most of its queries, so another version is reported only after a
 * query that failed.
 * @returns undefined for an error of another kind.
 */
export function missingInOtherForm(
  error: unknown,
  files: Readonly<Partial<Record<DatabaseFile, string>>>,
): StartError | undefined {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (code !== 'SQLITE_ERROR' || !/^no such (table|column)/.test(String(message))) return undefined;
  for (const name of Object.keys(SCHEMA_VERSIONS) as DatabaseFile[]) {
    const file = files[name];
    if (file !== undefined && formOf(file, SCHEMA_VERSIONS[name]) === 'other')
      return new StartError(describeOther(file, name));
  }
  return undefined;
}

function describeOther(file: string, name: DatabaseFile): string {
  const version = SCHEMA_VERSIONS[name];
  const numbers = numbersIn(file) ?? [];
  const newest = Math.max(...numbers);
  if (newest > version)
    return `${file} was written by a later version of this program (its schema version is ${newest}, and this one knows ${version}), or is damaged: use that version.`;
  const contract = WRITTEN_BY[name]?.[newest];
  const by = contract === undefined ? 'another version of this program' : `a version with contract ${contract}`;
  return `${file} was written by ${by}, or is damaged. Start the service of this version on its folder once, which checks it before it changes anything. A backup is brought to this version by \`txledger restore\`.`;
}

function readBytes(file: string, count: number): Buffer {
  const bytes = Buffer.alloc(count);
  const descriptor = openSync(file, 'r');
  try {
    return bytes.subarray(0, readSync(descriptor, bytes, 0, count, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** Returns the version in every copy of the first page in the log's current run. Commits wrote them, except perhaps the last ones. */
function versionsInLog(log: string): number[] {
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) <= LOG_HEADER_BYTES) return [];
  const descriptor = openSync(log, 'r');
  try {
    const header = Buffer.alloc(LOG_HEADER_BYTES);
    readSync(descriptor, header, 0, LOG_HEADER_BYTES, 0);
    const pageBytes = header.readUInt32BE(LOG_PAGE_SIZE_AT);
    if (pageBytes < PAGE_SIZE_MIN || pageBytes > PAGE_SIZE_MAX) return [];
    const salts = header.subarray(LOG_SALTS_AT, LOG_SALTS_AT + SALTS_BYTES);
    const frameBytes = FRAME_HEADER_BYTES + pageBytes;
    const frames = Buffer.alloc(Math.floor(READ_BYTES / frameBytes) * frameBytes);
    const found = new Set<number>();
    for (let at = LOG_HEADER_BYTES; ; at += frames.length) {
      const read = readSync(descriptor, frames, 0, frames.length, at);
      for (let frame = 0; frame + frameBytes <= read; frame += frameBytes) {
        // Frames after the last one with these salts are left from an earlier run.
        if (frames.compare(salts, 0, SALTS_BYTES, frame + FRAME_SALTS_AT, frame + FRAME_SALTS_AT + SALTS_BYTES) !== 0)
          return [...found];
        if (frames.readUInt32BE(frame) === 1)
          found.add(frames.readUInt32BE(frame + FRAME_HEADER_BYTES + USER_VERSION_AT));
      }
      if (read < frames.length) return [...found];
    }
  } finally {
    closeSync(descriptor);
  }
}
