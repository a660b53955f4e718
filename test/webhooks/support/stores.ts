/** The databases that webhooks are kept in, each opened the same way. */
import { describe } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openPostgresStore, openSqliteStore } from '../../../server/store/index.ts';
import { openWebhookStore, type WebhookLocation } from '../../../server/store/webhooks/index.ts';
import { onPostgres } from '../../store/support/stores.ts';

export interface WebhookDatabase {
  location: WebhookLocation;
  remove(): Promise<void>;
}

/** Describes the same promises on webhooks.db and on the databases of a gateway before nodes. */
export function onEachWebhookDatabase(
  subject: string,
  promises: (fresh: () => Promise<WebhookDatabase>) => void,
  inGatewayFile = true,
): void {
  describe(`${subject} in webhooks.db`, () => {
    promises(freshFile);
  });
  const suite = inGatewayFile ? describe : () => undefined;
  suite(`${subject} in gateway.db`, () =>
    promises(async () => {
      const { folder, remove } = temporaryFolder();
      const location = { kind: 'gateway', path: join(folder, 'gateway.db') } as const;
      await (await openSqliteStore({ path: location.path })).close();
      return { location, remove };
    }),
  );
  onPostgres(`${subject} on PostgreSQL`, (cluster) => {
    // One database for all: making one takes longer than a test.
    let url: string | undefined;
    const empty = (client: pg.Client) =>
      client.query('truncate webhooks, webhook_deliveries, webhook_work, webhook_audit');
    promises(async () => {
      if (url === undefined) {
        url = await cluster().database();
        await (await openPostgresStore({ url })).close();
      }
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await empty(client);
      await client.end();
      return { location: { kind: 'postgres', url }, remove: async () => undefined };
    });
  });
}

export async function freshFile(): Promise<WebhookDatabase> {
  const { folder, remove } = temporaryFolder();
  return { location: { kind: 'file', path: join(folder, 'webhooks.db') }, remove };
}

function temporaryFolder(): { folder: string; remove: () => Promise<void> } {
  const folder = mkdtempSync(join(tmpdir(), 'txledger-webhooks-'));
  return { folder, remove: async () => rmSync(folder, { recursive: true, force: true }) };
}

export { webhook } from './webhook.ts';
export { openWebhookStore };
