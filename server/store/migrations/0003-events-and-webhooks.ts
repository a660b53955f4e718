/**
 * Tables that the first migration of contract 1.6.0 makes and that of 1.5.0 did not: the event log and webhooks. Databases of 1.5.0 lack
 * them although they have had that migration. Their log begins with the next block.
 */
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { createWebhookTables } from '../webhooks/create-tables.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('events')
    .ifNotExists()
    .addColumn('height', 'bigint', (c) => c.notNull())
    .addColumn('idx', 'bigint', (c) => c.notNull())
    .addColumn('seq', 'bigint')
    .addPrimaryKeyConstraint('events_pkey', ['height', 'idx'])
    .execute();
  await db.schema
    .createTable('unknown_voids')
    .ifNotExists()
    .addColumn('height', 'bigint', (c) => c.notNull())
    .addColumn('idx', 'bigint', (c) => c.notNull())
    .addColumn('hash', sql`bytea`, (c) => c.notNull())
    .addColumn('from_id', 'bigint', (c) => c.notNull())
    .addColumn('nonce', 'bigint', (c) => c.notNull())
    .addColumn('block_time_ms', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('unknown_voids_pkey', ['height', 'idx'])
    .execute();
  await createWebhookTables(db);
}
