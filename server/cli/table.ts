/**
 * Tables with a header. A pipe, a file and --wide get complete values, each column as wide as its longest one. On a terminal the table fits
 * the width: development accounts are shown by name, moments to the second, long values are shortened in the middle, the widest first, and
 * finally dispensable columns are left out. Amounts and statuses are always complete.
 *
 * All values of the service are ASCII, so a character is one column wide; colours are added after measuring.
 *
 * @module
 */
import { developmentAccounts } from '../app/dev-accounts.ts';
import { wantsWide } from './output.ts';
import { statusStyle, styled } from './style.ts';

/**
 * The kind of a column's values, which decides how they may be shown: `account`: an address, or the name of a development account. `key`: a
 * queried address, a hash, a public key. `text`: text of people. `time`: a moment. `status`: coloured. `amount`: a number, aligned to the
 * right.
 */
export type Kind = 'account' | 'key' | 'text' | 'time' | 'status' | 'amount' | 'plain';

export interface Column<Row> {
  readonly header: string;
  readonly kind: Kind;
  readonly value: (row: Row) => string;
  /** Left out if the terminal is too narrow, the lowest number first. */
  readonly dropped?: number;
}

const GAP = '  ';
/** A table fits a terminal of this width; a narrower terminal wraps it. */
export const COLUMNS_MIN = 80;
/** Length of a shortened value: it makes equal-looking keys improbable, and the header still fits. */
const KEY_CHARS_MIN = 11;
const TEXT_CHARS_MIN = 12;
/** Widths of `2026-11-22 17:30:00`, and of the same without the year. */
const TIME_CHARS = [19, 14] as const;

/** The usable width of this terminal; undefined if the output is not bound to a width. */
function columnsOfTerminal(): number | undefined {
  if (!process.stdout.isTTY || wantsWide()) return undefined;
  return Math.max(process.stdout.columns || COLUMNS_MIN, COLUMNS_MIN);
}

/** The next smaller width in which a value of this kind can be shown. */
function narrower(kind: Kind, width: number): number | undefined {
  if (kind === 'time') return TIME_CHARS.find((each) => each < width);
  const least = kind === 'key' || kind === 'account' ? KEY_CHARS_MIN : kind === 'text' ? TEXT_CHARS_MIN : width;
  return width > least ? width - 1 : undefined;
}

function shortened(kind: Kind, text: string, width: number): string {
  if (text.length <= width) return text;
  if (kind === 'time') return text.slice(-width);
  if (kind === 'text') return `${text.slice(0, width - 1)}…`;
  const head = Math.ceil((width - 1) / 2);
  return `${text.slice(0, head)}…${text.slice(text.length - (width - 1 - head))}`;
}

/** Formats a single value as a narrow column of the same kind shows it. */
export function shown(kind: Kind, text: string): string {
  if (columnsOfTerminal() === undefined) return text;
  const cell = inTerminal(kind, text);
  return shortened(kind, cell, kind === 'key' || kind === 'account' ? KEY_CHARS_MIN : cell.length);
}

let names: ReadonlyMap<string, string> | undefined;

/** The form of a value on a terminal of any width. */
function inTerminal(kind: Kind, text: string): string {
  if (kind === 'time') return text.slice(0, TIME_CHARS[0]).replace('T', ' ');
  if (kind !== 'account') return text;
  names ??= new Map(developmentAccounts().map(({ name, address }) => [address, name]));
  return names.get(text) ?? text;
}

interface Measured {
  readonly header: string;
  readonly kind: Kind;
  readonly cells: readonly string[];
  readonly dropped: number | undefined;
  width: number;
}

const totalOf = (measured: readonly Measured[]): number =>
  measured.reduce((sum, { width }) => sum + width, 0) + GAP.length * (measured.length - 1);

/** Narrows the widest columns until all fit, then leaves out dispensable ones. */
function fit(all: readonly Measured[], width: number): Measured[] {
  // A column without a single value is useless, and its header takes room.
  let measured = all.filter(({ cells, dropped }) => dropped === undefined || cells.some((cell) => cell !== ''));
  for (;;) {
    while (totalOf(measured) > width) {
      const next = measured
        .filter((each) => (narrower(each.kind, each.width) ?? 0) >= each.header.length)
        .toSorted((a, b) => b.width - a.width)[0];
      if (next === undefined) break;
      next.width = narrower(next.kind, next.width) as number;
    }
    if (totalOf(measured) <= width) return measured;
    const least = measured
      .filter(({ dropped }) => dropped !== undefined)
      .toSorted((a, b) => (a.dropped as number) - (b.dropped as number))[0];
    if (least === undefined) return measured;
    measured = measured.filter((each) => each !== least);
  }
}

function line(
  measured: readonly Measured[],
  textOf: (column: Measured) => string,
  styleOf: (text: string, column: Measured) => string,
): string {
  const cells = measured.map((column, at) => {
    const { kind, width } = column;
    const text = shortened(kind, textOf(column), width);
    const isLast = at === measured.length - 1;
    return styleOf(kind === 'amount' ? text.padStart(width) : isLast ? text : text.padEnd(width), column);
  });
  return cells.join(GAP).trimEnd();
}

export interface TableOptions {
  /** The text on a terminal for a table without rows. */
  readonly none?: string;
  /** Number of spaces before each line. */
  readonly indent?: number;
}

/** @returns the lines, the header first. */
export function table<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { none = 'none', indent = 0 }: TableOptions = {},
): string[] {
  const terminal = columnsOfTerminal();
  const width = terminal === undefined ? undefined : terminal - indent;
  if (rows.length === 0 && width !== undefined) return [none];
  const all = columns.map(({ header, kind, value, dropped }): Measured => {
    const cells = rows.map((row) => (width === undefined ? value(row) : inTerminal(kind, value(row))));
    return {
      header,
      kind,
      cells,
      dropped,
      width: cells.reduce((most, { length }) => Math.max(most, length), header.length),
    };
  });
  const measured = width === undefined ? all : fit(all, width);
  const head = line(
    measured,
    ({ header }) => header,
    (text) => styled('bold', text),
  );
  const body = rows.map((_, at) =>
    line(
      measured,
      ({ cells }) => cells[at] as string,
      (text, { kind, cells }) => (kind === 'status' ? styled(statusStyle(cells[at] as string), text) : text),
    ),
  );
  return [head, ...body].map((each) => ' '.repeat(indent) + each);
}
