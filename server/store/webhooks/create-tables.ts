/**
 * Makes the tables of webhooks in the database of a gateway before CometBFT nodes, where they are not there yet. Once released, a change is
 * a migration of its own.
 */
import type { Kysely } from 'kysely';

export async function createWebhookTables({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('webhooks')
    .ifNotExists()
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('owner', 'text', (c) => c.notNull())
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('description', 'text')
    .addColumn('filters', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('disabled_reason', 'text')
    .addColumn('secret', 'text', (c) => c.notNull())
    .addColumn('previous_secrets', 'text', (c) => c.notNull())
    .addColumn('place_height', 'bigint', (c) => c.notNull())
    .addColumn('place_idx', 'bigint', (c) => c.notNull())
    .addColumn('first_failed_at_ms', 'bigint')
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('next_attempt_at_ms', 'bigint')
    .addColumn('last_success_at_ms', 'bigint')
    .addColumn('last_failure_at_ms', 'bigint')
    .addColumn('last_failure_code', 'text')
    .addColumn('last_failure_detail', 'text')
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('updated_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('version', 'bigint', (c) => c.notNull())
    .execute();
  await schema
    .createIndex('webhooks_by_owner')
    .ifNotExists()
    .on('webhooks')
    .columns(['owner', 'created_at_ms', 'id'])
    .execute();

  await schema
    .createTable('webhook_deliveries')
    .ifNotExists()
    .addColumn('webhook_id', 'text', (c) => c.notNull())
    .addColumn('seq', 'bigint', (c) => c.notNull())
    .addColumn('event_id', 'text', (c) => c.notNull())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('at_ms', 'bigint', (c) => c.notNull())
    .addColumn('attempt', 'integer', (c) => c.notNull())
    .addColumn('outcome', 'text', (c) => c.notNull())
    .addColumn('status_code', 'integer')
    .addColumn('duration_ms', 'bigint', (c) => c.notNull())
    .addColumn('error_code', 'text')
    .addColumn('error_detail', 'text')
    .addColumn('answer', 'text')
    .addPrimaryKeyConstraint('webhook_deliveries_pkey', ['webhook_id', 'seq'])
    .execute();

  await schema
    .createTable('webhook_work')
    .ifNotExists()
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('webhook_id', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('created_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('next_attempt_at_ms', 'bigint', (c) => c.notNull())
    .addColumn('about', 'text')
    .addColumn('reason', 'text')
    .addColumn('after_height', 'bigint')
    .addColumn('after_idx', 'bigint')
    .addColumn('until_height', 'bigint')
    .addColumn('until_idx', 'bigint')
    .addColumn('place_height', 'bigint')
    .addColumn('place_idx', 'bigint')
    .execute();

  await schema
    .createTable('webhook_audit')
    .ifNotExists()
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('seq', 'bigint', (c) => c.notNull())
    .addColumn('at_ms', 'bigint', (c) => c.notNull())
    .addColumn('actor', 'text', (c) => c.notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('details', 'text', (c) => c.notNull())
    .execute();
}
