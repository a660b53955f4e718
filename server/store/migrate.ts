/**
 * Brings a database to the current schema.
 *
 * All of it runs in one write transaction, so that a server and a command line that open a new file at the same
 * moment take turns, and so that a crash half way leaves the old schema.
 */
import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { StoreUnavailableError } from './errors.ts';
import { migrations } from './migrations/index.ts';
import type { Tables } from './schema.ts';
import type { SqlFragments } from './sql-fragments.ts';

/** Throws when a migration fails or when the database was made by a newer version of this program. */
export async function migrate(db: Kysely<Tables>, fragments: SqlFragments): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const migrator = new Migrator({ db: tx, provider: { getMigrations: async () => migrations(fragments) } });
    const { error } = await migrator.migrateToLatest();
    // A database that is away or busy is not one that cannot be migrated.
    if (error instanceof StoreUnavailableError) throw error;
    if (error !== undefined) throw new Error('the database schema could not be brought up to date', { cause: error });
  });
}
