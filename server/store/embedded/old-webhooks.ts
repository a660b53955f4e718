/** Webhooks of earlier versions, which had a database of their own beside chain.db: the step that makes its tables copies them into it. */
import { existsSync, renameSync } from 'node:fs';
import path from 'node:path';
import { StoreDamagedError } from '../errors.ts';
import { openReadOnly, type SqliteConnection, sqliteCode } from '../sqlite/library.ts';

const NAME = 'webhooks.db';
/** Its name once chain.db has everything in it. */
const TAKEN_NAME = 'webhooks.db.old';
const LOG_SUFFIXES = ['-wal', '-shm'] as const;

const beside = (chainFile: string, name: string): string => path.join(path.dirname(chainFile), name);

/** Inside the transaction of the migration, so it is done once, even if a start is killed. The file is not changed. */
export function takeOldWebhooks(sql: SqliteConnection): void {
  const file = beside(sql.name, NAME);
  // A database in memory has no file beside it.
  if (sql.memory || !existsSync(file)) return;
  let old: SqliteConnection | undefined;
  try {
    old = openReadOnly(file);
    for (const table of ['webhooks', 'webhook_deliveries', 'webhook_work']) copyRows(old, sql, table);
    takeAudit(old, sql);
  } catch (error) {
    const isOfOld = error instanceof OldFileError || UNFIT.test(sqliteCode(error) ?? '') || old === undefined;
    const reason = error instanceof OldFileError ? error.cause : error;
    const code = sqliteCode(reason);
    // A file that cannot be read now (no descriptors, a lock) may be read by the next start.
    if (!isOfOld || code === undefined || LATER.test(code)) throw reason;
    throw new StoreDamagedError(
      `${file} is damaged or no database of webhooks (${(reason as Error).message}). It holds the webhooks and their secrets, which nothing else has. Put a copy of it back; or move it away, and have the owners of webhooks make them again`,
    );
  } finally {
    old?.close();
  }
}

/** Its rows do not fit the tables of webhooks. */
const UNFIT = /^SQLITE_(CONSTRAINT|MISMATCH)/;
const LATER = /^SQLITE_(BUSY|LOCKED|FULL|CANTOPEN|IOERR)/;

/** A fault of the old file, not of chain.db, which is written meanwhile. */
class OldFileError extends Error {}

function* rowsOf(old: SqliteConnection, query: string): Generator<unknown> {
  try {
    for (const row of old.prepare(query).iterate()) yield row;
  } catch (error) {
    throw new OldFileError('webhooks.db', { cause: error });
  }
}

/** Runs after the migration. A file that a start has left, because it was killed between the two, is renamed by the next. */
export function setOldWebhooksAside(chainFile: string): string | undefined {
  const file = beside(chainFile, NAME);
  if (!existsSync(file)) return undefined;
  const taken = beside(chainFile, TAKEN_NAME);
  renameSync(file, taken);
  for (const suffix of LOG_SUFFIXES) if (existsSync(file + suffix)) renameSync(file + suffix, taken + suffix);
  return taken;
}

/** A process that died early may have left a file without tables. */
const hasTable = (old: SqliteConnection, table: string): boolean =>
  [...rowsOf(old, `SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = '${table}'`)].length > 0;

function copyRows(from: SqliteConnection, to: SqliteConnection, table: string): void {
  if (!hasTable(from, table)) return;
  const names = to.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck().all(table);
  const columns = names.join(', ');
  const insert = to.prepare(`INSERT INTO ${table} (${columns}) VALUES (${names.map((name) => `:${name}`).join(', ')})`);
  for (const row of rowsOf(from, `SELECT ${columns} FROM ${table}`)) insert.run(row);
}

/** Lines that were not copied to the audit trail yet. */
function takeAudit(from: SqliteConnection, to: SqliteConnection): void {
  if (!hasTable(from, 'webhook_audit')) return;
  const insert = to.prepare(
    'INSERT INTO audit (id, at_ms, actor, action, subject, details) SELECT coalesce(max(id), 0) + 1, :at_ms, :actor, :action, :subject, :details FROM audit',
  );
  for (const row of rowsOf(from, 'SELECT at_ms, actor, action, subject, details FROM webhook_audit ORDER BY seq'))
    insert.run(row);
}
