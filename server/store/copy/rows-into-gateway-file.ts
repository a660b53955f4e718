/**
 * A new SQLite file of a gateway with the tables that some migrations make, filled with the rows of a copy: one transaction, fsynced at its
 * end.
 */
import type { Statement } from 'better-sqlite3';
import { Kysely } from 'kysely';
import { BACKUP_TABLES, type BackupTable } from '../backup/gateway-tables.ts';
import { migrate } from '../migrate.ts';
import { migrations } from '../migrations/index.ts';
import type { Tables } from '../schema.ts';
import { StoreDialect, StoreDriver } from '../sqlite/dialect.ts';
import { sqliteFragments } from '../sqlite/fragments.ts';
import { openConnection, type SqliteConnection } from '../sqlite/library.ts';
import { makeDurable, markNew } from '../sqlite/pragmas.ts';
import { hasTable, type Row } from './row-lines.ts';

/** Form of bytes in a line, and the columns that hold them. */
const BYTES_PREFIX = '\\x';
const BYTE_COLUMNS: ReadonlySet<string> = new Set(['hash', 'signature', 'reason_hash', 'executed_as', 'secret_sha256']);

const valueOf = (column: string, value: unknown): unknown =>
  BYTE_COLUMNS.has(column) && typeof value === 'string' && value.startsWith(BYTES_PREFIX)
    ? Buffer.from(value.slice(BYTES_PREFIX.length), 'hex')
    : value;

/** The service brings it up to date when it starts, as it does with a file of an earlier version. */
export async function rowsIntoGatewayFile(
  path: string,
  made: readonly string[],
  rows: (table: BackupTable) => AsyncIterable<string>,
): Promise<void> {
  await makeTables(path, made);
  const sql = openConnection(path);
  try {
    makeDurable(sql);
    sql.exec('BEGIN');
    for (const table of BACKUP_TABLES) {
      if (!hasTable(sql, table)) continue;
      // Rows that a migration wrote.
      if (sql.prepare(`SELECT 1 FROM ${table}`).get() !== undefined) sql.exec(`DELETE FROM ${table}`);
      for await (const line of rows(table)) insert(sql, table, JSON.parse(line) as Row);
    }
    sql.exec('COMMIT');
    // One file: a reader would leave companions of the log beside it.
    sql.pragma('journal_mode = DELETE');
  } finally {
    sql.close();
  }
}

function insert(sql: SqliteConnection, table: BackupTable, row: Row): void {
  const columns = Object.keys(row);
  const statement = `INSERT INTO ${table} (${columns.map((column) => `"${column}"`).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
  prepared(sql, statement).run(...Object.entries(row).map(([column, value]) => valueOf(column, value)));
}

/** Rows of a table have a handful of shapes, because their nulls are left out. */
const statements = new WeakMap<SqliteConnection, Map<string, Statement<unknown[]>>>();

function prepared(sql: SqliteConnection, text: string): Statement<unknown[]> {
  const known = statements.get(sql) ?? new Map<string, Statement<unknown[]>>();
  statements.set(sql, known);
  const statement = known.get(text) ?? sql.prepare<unknown[]>(text);
  known.set(text, statement);
  return statement;
}

async function makeTables(path: string, made: readonly string[]): Promise<void> {
  const connection = openConnection(path);
  markNew(connection);
  const driver = new StoreDriver(connection, 'write');
  await driver.init();
  try {
    const list = Object.fromEntries(
      Object.entries(migrations(sqliteFragments)).filter(([name]) => made.includes(name)),
    );
    await migrate(new Kysely<Tables>({ dialect: new StoreDialect(driver, connection) }), sqliteFragments, list);
  } finally {
    await driver.destroy();
  }
}
