/**
 * Tables with a header. A pipe, a file and --wide get whole values, each column as wide as its longest. A terminal gets what fits it: development
 * accounts by name, moments to the second, long values shortened in the middle, the widest first, and at last columns left out that can be. Amounts
 * and statuses are always whole.
 *
 * Everything the service names is ASCII, so a character is a column; colours are added once all is measured.
 *
 * @module
 */
import { developmentAccounts } from '../app/dev-accounts.ts';
import { wantsWide } from './output.ts';
import { statusStyle, styled } from './style.ts';

/**
 * What a column holds, which says how it may be shown:
 * `account`: an address, or the name of a development account. `key`: an address that is asked for, a hash, a public key. `text`: words of people. `time`: a moment. `status`: has a colour. `amount`: a number, to the right.
 */
export type Kind = 'account' | 'key' | 'text' | 'time' | 'status' | 'amount' | 'plain';

export interface Column<Row> {
  readonly header: string;
  readonly kind: Kind;
  readonly value: (row: Row) => string;
  /** Left out of a terminal that is too narrow, the lowest first. */
  readonly dropped?: number;
}

const GAP = '  ';
/** A table fits a terminal of this width; one that is narrower wraps it. */
export const COLUMNS_MIN = 80;
/** Of a shortened value: two keys that look alike so are improbable, and the header still fits. */
const KEY_CHARS_MIN = 11;
const TEXT_CHARS_MIN = 12;
/** `2026-11-22 17:30:00`, then without its year. */
const TIME_CHARS = [19, 14] as const;

/** What fits between the edges of this terminal; undefined where nothing has to fit. */
function columnsOfTerminal(): number | undefined {
  if (!process.stdout.isTTY || wantsWide()) return undefined;
  return Math.max(process.stdout.columns || COLUMNS_MIN, COLUMNS_MIN);
}

/** The next smaller width in which such a value can be shown. */
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

/** One value outside of a table, as a column of the same kind shows it where room is short. */
export function shown(kind: Kind, text: string): string {
  if (columnsOfTerminal() === undefined) return text;
  const cell = inTerminal(kind, text);
  return shortened(kind, cell, kind === 'key' || kind === 'account' ? KEY_CHARS_MIN : cell.length);
}

let names: ReadonlyMap<string, string> | undefined;

/** The form of a value on a terminal, however much room there is. */
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

/** Makes the widest narrower until all fit, then leaves out what can be. */
function fit(all: readonly Measured[], width: number): Measured[] {
  // A column without a single value says nothing; its header costs room.
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
  /** What a terminal shows where there are no rows. */
  readonly none?: string;
  /** Spaces before each line. */
  readonly indent?: number;
}

/** @returns its lines, the header first. */
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
