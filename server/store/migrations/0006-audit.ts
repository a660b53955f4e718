/**
 * Who did what: the audit trail, which token made a submission or asked for a cancel, and when a token was used last.
 *
 * The columns are nullable and have no default, so that adding them touches no row, however many there are.
 */
import type { Kysely } from 'kysely';
import type { SqlFragments } from '../sql-fragments.ts';

export async function up(db: Kysely<unknown>, { keyType, appendOnly }: Pick<SqlFragments, 'keyType' | 'appendOnly'>): Promise<void> {
  await db.schema
    .createTable('audit')
    .addColumn('id', keyType, (c) => c.primaryKey())
    .addColumn('at_ms', 'bigint', (c) => c.notNull())
    .addColumn('actor', 'text', (c) => c.notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('details', 'text', (c) => c.notNull())
    .execute();
  for (const statement of appendOnly('audit')) await statement.execute(db);

  await db.schema.alterTable('transfers').addColumn('token_id', 'text').execute();
  await db.schema.alterTable('transfers').addColumn('cancel_token_id', 'text').execute();
  await db.schema.alterTable('tokens').addColumn('last_used_at_ms', 'bigint').execute();
}
