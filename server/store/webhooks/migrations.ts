/** Every migration of webhooks.db in order. One that has been released is never edited: a change is a new one with the next number. */
import type { Migration } from 'kysely/migration';
import { createWebhookTables } from './create-tables.ts';

export const WEBHOOK_MIGRATIONS: Record<string, Migration> = {
  '0001-webhooks': { up: (db) => createWebhookTables(db) },
};
