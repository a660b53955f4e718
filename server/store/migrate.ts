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
import { ChainFormatError, StoreUnavailableError } from './errors.ts';
import { migrations } from './migrations/index.ts';
import type { Tables } from './schema.ts';
import type { SqlFragments } from './sql-fragments.ts';

/** The first migration of databases whose chain is of format 1. */
const FIRST_OF_FORMAT_1 = '0001-initial';

/** Asked before anything is changed. */
async function refuseFormat1(db: Kysely<Tables>): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return;
  const { rows } =
    await sql`select 1 from ${sql.table(DEFAULT_MIGRATION_TABLE)} where name = ${FIRST_OF_FORMAT_1}`.execute(db);
  if (rows.length > 0) throw new ChainFormatError(formatFault(1));
}

/** Throws when a migration fails or when the database was made by a newer version of this program; ChainFormatError for a chain of another format. */
export async function migrate(
  db: Kysely<Tables>,
  fragments: SqlFragments,
  list: Record<string, Migration> = migrations(fragments),
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await refuseFormat1(tx);
    const migrator = new Migrator({ db: tx, provider: { getMigrations: async () => list } });
    const { error } = await migrator.migrateToLatest();
    // A database that is away or busy is not one that cannot be migrated.
    if (error instanceof StoreUnavailableError) throw error;
    if (error !== undefined) throw new Error('the database schema could not be brought up to date', { cause: error });
  });
}
