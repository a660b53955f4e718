/** Rows that PostgreSQL wrote, in an SQLite file of the same tables: so that one verification serves both. */
import { Kysely } from 'kysely';
import { StoreDamagedError } from '../errors.ts';
import { migrate } from '../migrate.ts';
import { BY_SHARDS, migrations } from '../migrations/index.ts';
import type { Tables } from '../schema.ts';
import { StoreDialect, StoreDriver } from '../sqlite/dialect.ts';
import { sqliteFragments } from '../sqlite/fragments.ts';
import { openConnection, type SqliteConnection } from '../sqlite/library.ts';
import { type BackupTable, tablesMadeBy } from './gateway-tables.ts';

/** Form of bytes in PostgreSQL's JSON. */
const BYTES = /^\\x[0-9a-f]*$/;
const BYTE_COLUMNS = new Set(['hash', 'signature', 'reason_hash', 'executed_as', 'secret_sha256']);

/** A name of a column becomes part of a statement. */
const COLUMN = /^[a-z][a-z0-9_]{0,62}$/;

const valueOf = (column: string, value: unknown): unknown =>
  typeof value === 'string' && BYTE_COLUMNS.has(column) && BYTES.test(value)
    ? Buffer.from(value.slice(2), 'hex')
    : value;

/**
 * `made`: the migrations that made the tables of the rows. The file has the tables of this version in the end, as a start would make them.
 */
export async function rowsIntoFile(
  path: string,
  made: readonly string[],
  rows: (table: BackupTable) => AsyncIterable<string>,
): Promise<void> {
  await bringTo(path, made);
  const sql = openConnection(path);
  try {
    // The file is deleted afterwards.
    sql.pragma('synchronous = OFF');
    sql.exec('BEGIN; DELETE FROM counters');
    if (made.includes(BY_SHARDS)) sql.exec('DELETE FROM shards');
    for (const table of tablesMadeBy(made)) {
      for await (const line of rows(table)) {
        const row = JSON.parse(line) as unknown;
        const entries = typeof row === 'object' && row !== null ? Object.entries(row) : [];
        const strange = entries.find(([column]) => !COLUMN.test(column));
        if (entries.length === 0 || strange !== undefined)
          throw new StoreDamagedError(
            `a line of ${table} is no row: ${JSON.stringify(strange?.[0] ?? row).slice(0, 100)}`,
          );
        const columns = entries.map(([column]) => `"${column}"`).join(', ');
        sql
          .prepare(`INSERT INTO ${table} (${columns}) VALUES (${entries.map(() => '?').join(', ')})`)
          .run(...entries.map(([column, value]) => valueOf(column, value)));
      }
    }
    sql.exec('COMMIT');
  } finally {
    sql.close();
  }
  await bringUpToDate(path);
}

/** The migrations of this version. */
export const CURRENT = Object.keys(migrations(sqliteFragments));

export const bringUpToDate = (path: string): Promise<void> => bringTo(path, CURRENT);

/** True when a file has the tables of this version. */
export function isUpToDate(sql: SqliteConnection): boolean {
  return sql.prepare('SELECT 1 FROM kysely_migration WHERE name = ?').get(CURRENT.at(-1)) !== undefined;
}

/** Runs those migrations that are named and have not run yet. */
async function bringTo(path: string, names: readonly string[]): Promise<void> {
  const connection = openConnection(path);
  const driver = new StoreDriver(connection, 'write');
  await driver.init();
  try {
    const list = Object.entries(migrations(sqliteFragments)).filter(([name]) => names.includes(name));
    await migrate(
      new Kysely<Tables>({ dialect: new StoreDialect(driver, connection) }),
      sqliteFragments,
      Object.fromEntries(list),
    );
  } finally {
    await driver.destroy();
  }
}
