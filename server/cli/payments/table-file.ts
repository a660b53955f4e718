/**
 * Tables in a file: CSV with a line of names, or JSON, an array of objects; the extension decides.
 *
 * @module
 */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { writeWholeFile } from '../../platform/disk-file.ts';
import { CommandError } from '../failure.ts';
import { parseStrict } from '../strict-file.ts';
import { csvLine, parseCsv } from './csv.ts';

/** Values are text; a JSON number is the text of that number. */
export type Row = Readonly<Record<string, string>>;

/** 20,000 rows with every column are under 8 MiB. */
const FILE_BYTES_MAX = 16 * 1024 * 1024;
export const ROWS_MAX = 20_000;
/** Payments are private: only the owner may read the file. */
const FILE_MODE = 0o600;

const isJson = (file: string): boolean => {
  const extension = path.extname(file).toLowerCase();
  if (extension !== '.csv' && extension !== '.json')
    throw new CommandError(`${file} must end in .csv or .json, which says what is in it.`);
  return extension === '.json';
};

/** @throws CommandError that names the line or item. */
export function readTable(file: string, columns: { required: readonly string[]; optional: readonly string[] }): Row[] {
  const json = isJson(file);
  let bytes: Buffer;
  try {
    if (statSync(file).size > FILE_BYTES_MAX)
      throw new CommandError(`${file} is larger than ${FILE_BYTES_MAX} bytes. Split it.`);
    bytes = readFileSync(file);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}.`);
  }
  const rows = json ? jsonRows(file, parseStrict(file, bytes)) : csvRows(file, bytes.toString('utf8'));
  if (rows.length === 0) throw new CommandError(`${file} has no rows.`);
  if (rows.length > ROWS_MAX)
    throw new CommandError(`${file} has ${rows.length} rows; at most ${ROWS_MAX} are taken. Split it.`);
  const known = new Set([...columns.required, ...columns.optional]);
  for (const { where, row } of rows) {
    const missing = columns.required.find((name) => !Object.hasOwn(row, name));
    if (missing !== undefined) throw new CommandError(`${file}, ${where}: ${missing} is missing.`);
    const unknown = Object.keys(row).find((name) => !known.has(name));
    if (unknown !== undefined)
      throw new CommandError(
        `${file}, ${where}: ${JSON.stringify(unknown)} is not known here. There are ${[...known].join(', ')}.`,
      );
  }
  return rows.map(({ row }) => row);
}

type Placed = { where: string; row: Row };

function csvRows(file: string, text: string): Placed[] {
  const parsed = parseCsv(text);
  if (!parsed.ok)
    throw new CommandError(
      `${file}, line ${parsed.line}: this is no CSV. A quote has no end, or something follows it.`,
    );
  const [head, ...records] = parsed.records;
  const names = head?.fields.map((name) => name.trim()) ?? [];
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new CommandError(`${file} has the column ${twice} twice.`);
  return records.map(({ line, fields }) => {
    const where = `line ${line}`;
    if (fields.length !== names.length)
      throw new CommandError(
        `${file}, ${where}: it has ${fields.length} fields where the first line has ${names.length}.`,
      );
    return { where, row: Object.fromEntries(names.map((name, at) => [name, (fields[at] as string).trim()])) };
  });
}

function jsonRows(file: string, items: unknown): Placed[] {
  if (!Array.isArray(items)) throw new CommandError(`${file} must hold an array of objects.`);
  return items.map((item: unknown, index) => {
    const where = `item ${index + 1}`;
    if (typeof item !== 'object' || item === null || Array.isArray(item))
      throw new CommandError(`${file}, ${where}: it must be an object.`);
    const row = Object.entries(item).flatMap(([name, value]): [string, string][] => {
      if (value === null) return [];
      if (typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value)))
        return [[name, String(value)]];
      throw new CommandError(
        `${file}, ${where}: ${name} must be text or a whole number below 2^53. Write larger amounts in quotes.`,
      );
    });
    return { where, row: Object.fromEntries(row) };
  });
}

const NUMBERS: ReadonlySet<string> = new Set(['nonce', 'validUntil']);
/** Left out where they are empty, as in the contract. */
const OPTIONAL: ReadonlySet<string> = new Set(['reference', 'validUntil']);

const jsonMember = (name: string, text: string): [string, string | number][] =>
  // A lone surrogate, as in a message of a broken service, is not valid text: the file could not be read again.
  text === '' && OPTIONAL.has(name) ? [] : [[name, NUMBERS.has(name) ? Number(text) : text.toWellFormed()]];

/**
 * Writes a table completely or not at all, and synced: its contents are needed after a crash. With `first`, an existing file is not
 * replaced, and the result is false.
 */
export function writeTable(file: string, columns: readonly string[], rows: readonly Row[], first: boolean): boolean {
  const text = isJson(file)
    ? `[\n${rows.map((row) => `  ${JSON.stringify(Object.fromEntries(columns.flatMap((name) => jsonMember(name, row[name] ?? ''))))}`).join(',\n')}\n]\n`
    : [csvLine(columns), ...rows.map((row) => csvLine(columns.map((name) => row[name] ?? '')))].join('');
  try {
    writeWholeFile(file, text, { mode: FILE_MODE, existing: first ? 'keep' : 'replace' });
    return true;
  } catch (error) {
    if (first && (error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new CommandError(`${file} cannot be written: ${(error as Error).message}.`);
  }
}
