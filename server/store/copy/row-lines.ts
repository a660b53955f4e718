/**
 * Rows of a gateway's database as lines of JSON, in the form in which PostgreSQL writes and reads them: bytes as `\x` and hex digits, no
 * member for null. Counts and hashes over many lines, by which two databases are compared.
 */
import { createHash } from 'node:crypto';
import type { SqliteConnection } from '../sqlite/library.ts';
import { BACKUP_TABLES, type BackupTable, ORDER_OF } from '../backup/gateway-tables.ts';

export type Row = Readonly<Record<string, unknown>>;

export function lineOf(row: Row): string {
  const members = Object.entries(row).flatMap(([name, value]) => {
    if (value === null || value === undefined) return [];
    return [[name, value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value] as const];
  });
  return JSON.stringify(Object.fromEntries(members.toSorted(([a], [b]) => (a < b ? -1 : 1))));
}

/** The same line for every order and spacing in which a database can write it. */
export const sameLine = (line: string): string => lineOf(JSON.parse(line) as Row);

export const hasTable = (sql: SqliteConnection, table: BackupTable): boolean =>
  sql.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table) !== undefined;

/** The rows of a table of an SQLite file of a gateway. */
export function* fileRows(sql: SqliteConnection, table: BackupTable): Generator<string> {
  if (!hasTable(sql, table)) return;
  for (const row of sql.prepare(`SELECT * FROM ${table} ORDER BY ${ORDER_OF[table]}`).iterate() as Iterable<Row>)
    yield lineOf(row);
}

/** The migrations that made the tables of such a file, in order. */
export function fileMigrations(sql: SqliteConnection): string[] {
  return sql.prepare('SELECT name FROM kysely_migration ORDER BY name').pluck().all() as string[];
}

export interface TableSum {
  rows: number;
  /** SHA-256 over the lines, each with a line end. */
  sha256: string;
}

/** Counts and hashes of tables, as their lines go by. */
export class TableSums {
  readonly #sums = new Map(BACKUP_TABLES.map((table) => [table, { rows: 0, hash: createHash('sha256') }]));

  add(table: BackupTable, line: string): void {
    const sum = this.#sums.get(table);
    if (sum === undefined) return;
    sum.rows += 1;
    sum.hash.update(`${line}\n`);
  }

  /** Once. */
  end(): Map<BackupTable, TableSum> {
    return new Map([...this.#sums].map(([table, { rows, hash }]) => [table, { rows, sha256: hash.digest('hex') }]));
  }
}
