/**
 * Brings a database to the current schema.
 *
 * All of it runs in one write transaction, so that a server and a command line that open a new file at the same
 * moment take turns, and so that a crash half way leaves the old schema.
 */
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import { formatFault } from '../ledger/index.ts';
import { ChainFormatError, StoreDamagedError, StoreUnavailableError } from './errors.ts';
import { migrations } from './migrations/index.ts';
import type { Tables } from './schema.ts';
import type { SqliteConnection } from './sqlite/library.ts';
import type { SqlFragments } from './sql-fragments.ts';

/** The first migration of databases whose chain is of format 1. */
const FIRST_OF_FORMAT_1 = '0001-initial';

/** Checked before anything is changed. */
async function refuseOtherDatabases(db: Kysely<Tables>, list: Record<string, Migration>): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return;
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(db);
  if (rows.some(({ name }) => name === FIRST_OF_FORMAT_1)) throw new ChainFormatError(formatFault(1));
  const later = rows.find(({ name }) => !(name in list));
  if (later !== undefined)
    throw new StoreDamagedError(
      `the database has seen the migration ${later.name}, which this program does not know: a later version wrote it; run that one`,
    );
}

/**
 * Throws when a migration fails; StoreDamagedError for a database of a later version of this program, ChainFormatError for a chain of
 * another format.
 */
export async function migrate(
  db: Kysely<Tables>,
  fragments: SqlFragments,
  list: Record<string, Migration> = migrations(fragments),
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await refuseOtherDatabases(tx, list);
    const migrator = new Migrator({ db: tx, provider: { getMigrations: async () => list } });
    const { error } = await migrator.migrateToLatest();
    // An unavailable or busy database is not one that cannot be migrated.
    if (error instanceof StoreUnavailableError) throw error;
    if (error !== undefined)
      throw new StoreDamagedError(`the database schema could not be brought up to date: ${(error as Error).message}`, {
        cause: error,
      });
  });
}

/** Mark that shows the form of an SQLite file by its first bytes: the number of migrations that it has had (app/schema-versions.ts). */
export function markVersion(sql: SqliteConnection, list: Record<string, unknown>): void {
  const version = Object.keys(list).length;
  if (sql.pragma('user_version', { simple: true }) !== version) sql.pragma(`user_version = ${version}`);
}
