/** Limits of one token; null where those of the service apply. */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // One column a statement: SQLite adds no two at once.
  await db.schema.alterTable('tokens').addColumn('rate_per_s', 'bigint').execute();
  await db.schema.alterTable('tokens').addColumn('pending_max', 'bigint').execute();
}
