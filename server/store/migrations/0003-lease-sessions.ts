/** By what the database knows that the holder of a lease is connected still: the key of an advisory lock of its session. */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('leases').addColumn('session_key', 'bigint').execute();
}
