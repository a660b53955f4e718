/**
 * Reads and writes tables in a file: text with a line of names (CSV), or JSON, an array of objects, by the extension.
 *
 * @module
 */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { writeWholeFile } from '../../platform/disk-file.ts';
import { CommandError } from '../failure.ts';
import { parseStrict } from '../strict-file.ts';
import { csvLine, DELIMITERS, parseCsv, type CsvRecord, type Delimiter } from './csv.ts';
import { decodeText } from './file-text.ts';
import type { FileFault, Place } from './file-faults.ts';

/** Values are text; a JSON number is the text of that number. */
export type Cells = Readonly<Record<string, string>>;

export interface TableRow {
  readonly place: Place;
  readonly cells: Cells;
}

/** The readable rows, and the faults of the others. */
export interface Table {
  readonly rows: readonly TableRow[];
  readonly faults: readonly FileFault[];
}

interface Columns {
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

/** 20,000 rows with every column are under 8 MiB, and twice as much in UTF-16. */
const FILE_BYTES_MAX = 16 * 1024 * 1024;
export const ROWS_MAX = 20_000;
/** Payments are private: only the owner may read the file. */
const FILE_MODE = 0o600;
/** Extensions of text tables. Spreadsheets use the second and third for text that is separated by tabs. */
const TEXT_EXTENSIONS: readonly string[] = ['.csv', '.tsv', '.txt'];

const extensionOf = (file: string): string => path.extname(file).toLowerCase();

function bytesOf(file: string): Buffer {
  try {
    if (statSync(file).size > FILE_BYTES_MAX)
      throw new CommandError(`${file} is larger than ${FILE_BYTES_MAX} bytes. Split it.`);
    return readFileSync(file);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}.`);
  }
}

/** @throws CommandError for a file that is not a table. */
export function readTable(file: string, columns: Columns): Table {
  const isJson = extensionOf(file) === '.json';
  if (!isJson && !TEXT_EXTENSIONS.includes(extensionOf(file)))
    throw new CommandError(
      `${file} must end in .csv (or .tsv, .txt) or .json, which says what is in it. A workbook has to be saved as "CSV UTF-8" first.`,
    );
  const bytes = bytesOf(file);
  const table = isJson ? jsonTable(file, parseStrict(file, bytes), columns) : textTable(bytes, columns);
  if (table.rows.length === 0 && table.faults.length === 0) throw new CommandError(`${file} has no rows.`);
  if (table.rows.length > ROWS_MAX)
    throw new CommandError(`${file} has ${table.rows.length} rows; at most ${ROWS_MAX} are taken. Split it.`);
  return table;
}

const listed = (names: readonly string[]): string => names.join(', ');

/** A first line that only defines the delimiter, as Excel reads it. */
const SEPARATOR_LINE = /^"?sep=(.)"?(?=[\r\n])/i;

/** The delimiter for which the first line names the most columns. */
function delimiterOf(text: string, known: ReadonlyMap<string, string>): Delimiter {
  const start = /[^\s,;"][^\r\n]*/.exec(text)?.index ?? 0;
  const from = Math.max(text.lastIndexOf('\n', start), text.lastIndexOf('\r', start)) + 1;
  const [head = ''] = /^[^\r\n]*/.exec(text.slice(from)) ?? [];
  const counts = DELIMITERS.map(
    (delimiter) => head.split(delimiter).filter((name) => known.has(keyOf(name.replaceAll('"', '')))).length,
  );
  const most = Math.max(...counts);
  if (most > 0) return DELIMITERS[counts.indexOf(most)] as Delimiter;
  const lengths = DELIMITERS.map((delimiter) => head.split(delimiter).length);
  return DELIMITERS[lengths.indexOf(Math.max(...lengths))] as Delimiter;
}

const keyOf = (name: string): string => name.trim().toLowerCase();

function textTable(bytes: Buffer, columns: Columns): Table {
  const decoded = decodeText(bytes);
  if (!decoded.ok) {
    const { line, message } = decoded;
    return { rows: [], faults: [{ ...(line === undefined ? {} : { line }), message }] };
  }
  const known = new Map([...columns.required, ...columns.optional].map((name) => [keyOf(name), name]));
  const [, separator] = SEPARATOR_LINE.exec(decoded.text) ?? [];
  const text = decoded.text.replace(SEPARATOR_LINE, '');
  const said = DELIMITERS.find((delimiter) => delimiter === separator);
  const parsed = parseCsv(text, said ?? delimiterOf(text, known));
  const [head, ...records] = parsed.records;
  if (head === undefined) return { rows: [], faults: parsed.faults };
  const read = headOf(head, known, columns);
  if (read.faults.length > 0) return { rows: [], faults: [...parsed.faults, ...read.faults] };
  const rows: TableRow[] = [];
  const faults: FileFault[] = [...parsed.faults];
  for (const record of records) {
    const { line } = record;
    const message = faultOfLength(record, read.names, columns);
    if (message !== undefined) faults.push({ line, message });
    else {
      const cells = read.names.map((name, at) => [name, record.fields[at]?.trim() ?? '']);
      rows.push({ place: { line }, cells: Object.fromEntries(cells) });
    }
  }
  return { rows, faults };
}

/** Returns the names of the columns in canonical form, without empty columns at the end. */
function headOf(
  { line, fields }: CsvRecord,
  known: ReadonlyMap<string, string>,
  { required }: Columns,
): { names: readonly string[]; faults: readonly FileFault[] } {
  const given = fields.map((name) => name.trim());
  while (given.at(-1) === '') given.pop();
  const names = given.map((name) => known.get(keyOf(name)) ?? name);
  const faults: FileFault[] = [];
  const fault = (message: string, member?: string): void =>
    void faults.push({ line, ...(member === undefined ? {} : { member }), message });
  if (!names.some((name) => known.has(keyOf(name)))) {
    fault(
      `the first line must name the columns, separated by comma, semicolon or tab: ${listed([...known.values()])}. It is ${JSON.stringify(given.join(' '))}.`,
    );
    return { names, faults };
  }
  for (const [at, name] of names.entries()) {
    if (name === '') fault(`column ${at + 1} has no name.`);
    else if (!known.has(keyOf(name)))
      fault(`${JSON.stringify(name)} is not known here. There are ${listed([...known.values()])}.`, name);
    else if (names.indexOf(name) < at) fault('this column is there twice.', name);
  }
  for (const name of required) if (!names.includes(name)) fault('this column is missing.', name);
  return { names, faults };
}

/** Optional cells may be missing at the end, but not in a line that may be cut off within a cell. */
function faultOfLength(
  { fields, hasEnd }: CsvRecord,
  names: readonly string[],
  { optional }: Columns,
): string | undefined {
  if (fields.slice(names.length).some((field) => field.trim() !== ''))
    return `it has ${fields.length} cells where the first line has ${names.length}. A cell with the separator in it has to be in quotes.`;
  const missing = names.slice(fields.length);
  if (missing.every((name) => optional.includes(name)) && (missing.length === 0 || hasEnd)) return undefined;
  const cut = hasEnd ? '' : ' It is the last line and has no end: the file was perhaps cut off.';
  return `it has ${fields.length} cells where the first line has ${names.length}: ${listed(missing)} is missing.${cut}`;
}

function jsonTable(file: string, items: unknown, columns: Columns): Table {
  if (!Array.isArray(items)) throw new CommandError(`${file} must hold an array of objects.`);
  const known = new Set([...columns.required, ...columns.optional]);
  const rows: TableRow[] = [];
  const faults: FileFault[] = [];
  for (const [index, item] of items.entries() as ArrayIterator<[number, unknown]>) {
    const place = { item: index + 1 };
    if (typeof item !== 'object' || item === null || Array.isArray(item)) {
      faults.push({ ...place, message: 'it must be an object.' });
      continue;
    }
    const before = faults.length;
    const cells: Record<string, string> = {};
    for (const [member, value] of Object.entries(item)) {
      if (!known.has(member))
        faults.push({ ...place, member, message: `it is not known here. There are ${listed([...known])}.` });
      else if (typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value)))
        cells[member] = String(value);
      else if (value !== null)
        faults.push({
          ...place,
          member,
          message: 'it must be text or a whole number below 2^53. Write larger amounts in quotes.',
        });
    }
    for (const member of columns.required)
      if (((item as Record<string, unknown>)[member] ?? undefined) === undefined)
        faults.push({ ...place, member, message: 'it is missing.' });
    if (faults.length === before) rows.push({ place, cells });
  }
  return { rows, faults };
}

const NUMBERS: ReadonlySet<string> = new Set(['nonce', 'validUntil']);
/** Columns that are left out when they are empty, as in the contract. */
const OPTIONAL: ReadonlySet<string> = new Set(['reference', 'validUntil']);

const jsonMember = (name: string, text: string): [string, string | number][] =>
  // A lone surrogate, as in a message of a broken service, is not valid text: the file could not be read again.
  text === '' && OPTIONAL.has(name) ? [] : [[name, NUMBERS.has(name) ? Number(text) : text.toWellFormed()]];

/**
 * Writes a table completely or not at all, and syncs it: its contents are needed after a crash. With `first`, an existing file is not
 * replaced, and the result is false.
 */
export function writeTable(file: string, columns: readonly string[], rows: readonly Cells[], first: boolean): boolean {
  const text =
    extensionOf(file) === '.json'
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
