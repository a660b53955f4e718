/**
 * Which transfer an owner's Idempotency-Key belongs to.
 *
 * A table of its own, not a column of the transfers: one that comes without a key then costs no byte and no index, and a
 * store with millions of rows is migrated without touching one of them.
 */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('idempotency_keys')
    .addColumn('owner_id', 'bigint', (c) => c.notNull())
    .addColumn('idempotency_key', 'text', (c) => c.notNull())
    .addColumn('seq', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('idempotency_keys_pkey', ['owner_id', 'idempotency_key'])
    .execute();
}
