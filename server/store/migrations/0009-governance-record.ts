/**
 * Governance as one record: what a chain decides about itself grew beyond operators, validators and a sequence, and is read and written whole.
 *
 * The old row is of chain format 1, whose genesis is refused before a database is opened, so nothing of it is carried over.
 */
import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('governance').execute();
  await db.schema
    .createTable('governance')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('record', 'text', (c) => c.notNull())
    .execute();
}
