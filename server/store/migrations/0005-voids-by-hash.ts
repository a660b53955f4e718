/**
 * Finds the cancel that names a transfer without a row: after a fail-over or a restore that lost the row, a request for the transfer is
 * answered from the chain. Such cancels are few, so the index costs a transfer nothing.
 */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('unknown_voids_hash').ifNotExists().on('unknown_voids').column('hash').execute();
}
