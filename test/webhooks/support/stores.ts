/** The databases that webhooks are kept in, each opened the same way. */
import { describe } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openPostgresStore, openSqliteStore } from '../../../server/store/index.ts';
import { accessWriter } from '../../../server/store/embedded/admin.ts';
import { openChainDatabase, writing } from '../../../server/store/embedded/connection.ts';
import {
  isLocalWrite,
  isLoggedWrite,
  recordingStore,
  webhookRows,
  webhookWriter,
} from '../../../server/store/embedded/webhooks.ts';
import type { AuditEntry } from '../../../server/store/types.ts';
import {
  openWebhookStore as openSharedStore,
  type WebhookLocation,
  type WebhookStore,
} from '../../../server/store/webhooks/index.ts';
import { onPostgres } from '../../store/support/stores.ts';

type Location = WebhookLocation | { kind: 'chain'; path: string };

export interface WebhookDatabase {
  location: Location;
  /** Lines of the audit trail, where they are in the entry of their change. */
  trail?: AuditEntry[];
  remove(): Promise<void>;
}

/** Describes the same promises on chain.db and on the databases of a gateway before nodes. */
export function onEachWebhookDatabase(
  subject: string,
  promises: (fresh: () => Promise<WebhookDatabase>) => void,
  inGatewayFile = true,
): void {
  describe(`${subject} in chain.db`, () => {
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
  const path = join(folder, 'chain.db');
  const trail: AuditEntry[] = [];
  trails.set(path, trail);
  return { location: { kind: 'chain', path }, trail, remove };
}

function temporaryFolder(): { folder: string; remove: () => Promise<void> } {
  const folder = mkdtempSync(join(tmpdir(), 'txledger-webhooks-'));
  return { folder, remove: async () => rmSync(folder, { recursive: true, force: true }) };
}

const trails = new Map<string, AuditEntry[]>();
/** One for each file: a chain.db has one writer. */
const opened = new Map<string, { store: WebhookStore; uses: number }>();

export async function openWebhookStore(location: Location): Promise<WebhookStore> {
  if (location.kind !== 'chain') return await openSharedStore(location);
  const { path } = location;
  const one = opened.get(path) ?? { store: openOnChain(path), uses: 0 };
  opened.set(path, one);
  one.uses += 1;
  const close = async (): Promise<void> => {
    one.uses -= 1;
    if (one.uses > 0) return;
    opened.delete(path);
    await one.store.close();
  };
  return { ...one.store, close };
}

/** Writes the rows at once, without a log. */
function openOnChain(path: string): WebhookStore {
  const sql = openChainDatabase({ path });
  const [write, local] = [accessWriter(sql), webhookWriter(sql)];
  return recordingStore({
    rows: webhookRows(sql),
    write: async (writes) =>
      writing(sql, () => {
        for (const each of writes) {
          if (isLoggedWrite(each)) write([each]);
          if (isLocalWrite(each)) (local[each[0]] as (...values: unknown[]) => void)(...each.slice(1));
          if (each[0] === 'appendAudit') trails.get(path)?.push(...each[1]);
        }
      }),
    close: () => void sql.close(),
  });
}

export { webhook } from './webhook.ts';
