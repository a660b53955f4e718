/**
 * Output of a command: lines for a person or, with --json, exactly one document on standard output. Progress and notes go to standard
 * error, so that standard output can be piped in both forms.
 *
 * @module
 */
import type { Command } from 'commander';
import { escapedJson, visibleLine } from '../app/visible-text.ts';

/** Words after `--` are arguments, even if they look like options. */
const isAsked = (argv: readonly string[], option: string): boolean =>
  argv.slice(2, argv.includes('--') ? argv.indexOf('--') : undefined).includes(option);

/** Decided before the command line is parsed, because its faults are reported in the same form. */
export function wantsJson(): boolean {
  return isAsked(process.argv, '--json');
}

export function withJson(command: Command): Command {
  return command.option('--json', 'print one JSON document, errors included');
}

/** True if tables have complete values on a terminal too. */
export function wantsWide(): boolean {
  return isAsked(process.argv, '--wide');
}

export function withWide(command: Command): Command {
  return command.option('--wide', 'whole values, however wide; a pipe or a file gets them in any case');
}

/** Prints the result: `document` for programs, or `lines` for people. */
export function print(document: unknown, lines: readonly string[]): void {
  if (wantsJson()) printLine(JSON.stringify(document, undefined, 2));
  else for (const line of lines) printLine(line);
}

/** Prints a note while the command continues; for people only. */
export function note(line: string): void {
  if (!wantsJson()) printLine(line);
}

/**
 * Prints a line on standard output. Parts of it may come from a service, a node or a file: none of them can move the cursor or change the
 * direction of the line.
 */
export function printLine(line: string): void {
  clearLine();
  console.log(safe(line));
}

const safe = (line: string): string => (wantsJson() ? escapedJson(line) : visibleLine(line));

/** Prints a line on standard error, or an error with all its details. */
export function printError(line: unknown): void {
  clearLine();
  console.error(typeof line === 'string' ? safe(line) : line);
}

/** Returns to the start of the line and clears it (ECMA-48 EL). */
const CLEAR_LINE = '\r\u001B[K';
/** Width of a shown line. A longer one would wrap, and only its last part would be cleared. */
const COLUMNS_DEFAULT = 80;

let isShown = false;

/** Shows a line that the next output replaces: on a terminal, and for people only. */
export function showLine(line: string): void {
  const { stderr } = process;
  if (!stderr.isTTY || wantsJson()) return;
  // However the command ends, the shell's next prompt begins on an empty line.
  if (!isShown) process.once('exit', clearLine);
  isShown = true;
  stderr.write(`${CLEAR_LINE}${visibleLine(line).slice(0, (stderr.columns || COLUMNS_DEFAULT) - 1)}`);
}

export function clearLine(): void {
  if (!isShown) return;
  isShown = false;
  process.off('exit', clearLine);
  process.stderr.write(CLEAR_LINE);
}

/** Formats facts in two columns. */
export function facts(rows: readonly (readonly [name: string, value: string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
}

/** Formats rows in columns, each as wide as its longest cell, without a header: for the parts of one thing, such as its history. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>(
    (known, row) => row.map((cell, at) => Math.max(cell.length, known[at] ?? 0)),
    [],
  );
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** A moment in the form of the service. */
export const time = (ms: number): string => new Date(ms).toISOString();
