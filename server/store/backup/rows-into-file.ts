/** Rows that PostgreSQL wrote, in an SQLite file of the same tables: so that one verification serves both. */
import { StoreDamagedError } from '../errors.ts';
import { openSqliteStore } from '../sqlite/open.ts';
import { openConnection } from '../sqlite/library.ts';
import { BACKUP_TABLES, type BackupTable } from './gateway-tables.ts';

/** How PostgreSQL writes bytes in JSON. */
const BYTES = /^\\x[0-9a-f]*$/;
const BYTE_COLUMNS = new Set(['hash', 'signature', 'reason_hash', 'executed_as', 'secret_sha256']);

/** A name of a column becomes part of a statement. */
const COLUMN = /^[a-z][a-z0-9_]{0,62}$/;

const valueOf = (column: string, value: unknown): unknown => (typeof value === 'string' && BYTE_COLUMNS.has(column) && BYTES.test(value) ? Buffer.from(value.slice(2), 'hex') : value);

export async function rowsIntoFile(path: string, rows: (table: BackupTable) => AsyncIterable<string>): Promise<void> {
  await (await openSqliteStore({ path })).close();
  const sql = openConnection(path);
  try {
    // It is thrown away afterwards.
    sql.pragma('synchronous = OFF');
    sql.exec('BEGIN; DELETE FROM counters');
    for (const table of BACKUP_TABLES) {
      for await (const line of rows(table)) {
        const row = JSON.parse(line) as unknown;
        const entries = typeof row === 'object' && row !== null ? Object.entries(row) : [];
        const strange = entries.find(([column]) => !COLUMN.test(column));
        if (entries.length === 0 || strange !== undefined) throw new StoreDamagedError(`a line of ${table} is no row: ${JSON.stringify(strange?.[0] ?? row).slice(0, 100)}`);
        const columns = entries.map(([column]) => `"${column}"`).join(', ');
        sql.prepare(`INSERT INTO ${table} (${columns}) VALUES (${entries.map(() => '?').join(', ')})`).run(...entries.map(([column, value]) => valueOf(column, value)));
      }
    }
    sql.exec('COMMIT');
  } finally {
    sql.close();
  }
}
