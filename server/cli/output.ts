/**
 * What a command says: lines for a person or, with --json, exactly one document on standard output. Progress and notes
 * go to standard error, so that standard output can be piped either way.
 *
 * @module
 */
import type { Command } from 'commander';

/** What follows `--` is an argument, whatever it looks like. */
const isAsked = (argv: readonly string[]): boolean => argv.slice(2, argv.includes('--') ? argv.indexOf('--') : undefined).includes('--json');

/** Known before the command line is parsed, because what is wrong with it is told in the same way. */
export function wantsJson(): boolean {
  return isAsked(process.argv);
}

export function withJson(command: Command): Command {
  return command.option('--json', 'print one JSON document, errors included');
}

/** The result: `document` for programs, or `lines` for people. */
export function print(document: unknown, lines: readonly string[]): void {
  if (wantsJson()) console.log(JSON.stringify(document, undefined, 2));
  else for (const line of lines) console.log(line);
}

/** Something worth knowing while the command goes on; for people only. */
export function note(line: string): void {
  if (!wantsJson()) console.log(line);
}

/** Two columns. */
export function facts(rows: readonly (readonly [name: string, value: string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
}

/** As many columns as the rows have, each as wide as its longest cell. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>((known, row) => row.map((cell, at) => Math.max(cell.length, known[at] ?? 0)), []);
  return rows.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ').trimEnd());
}

/** A moment as the service writes it. */
export const time = (ms: number): string => new Date(ms).toISOString();
