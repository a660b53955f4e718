/**
 * Which validators sign from which height on, as the followed blocks decided it, and up to which height the follower's chain was verified by
 * their signatures. An older version followed without that: its store has 0 there, and the chain is verified from genesis again.
 */
import type { Kysely } from 'kysely';
import type { SqlFragments } from '../sql-fragments.ts';

export async function up(db: Kysely<unknown>, { keyType }: Pick<SqlFragments, 'keyType'>): Promise<void> {
  await db.schema
    .createTable('validator_sets')
    .addColumn('height', keyType, (c) => c.primaryKey())
    .addColumn('validators', 'text', (c) => c.notNull())
    .execute();
  await db.schema.alterTable('follower').addColumn('verified_height', 'bigint', (c) => c.notNull().defaultTo(0)).execute();
}
