/** `txledger store copy` of a gateway on SQLite, with real rows, into PostgreSQL and into a file. test/graduate copies embedded chains. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ROOT } from '../../scripts/steps.ts';
import { copyStore, type Copied } from '../../server/app/copy/copy-store.ts';
import { openPostgresStore, openSqliteStore, type Store } from '../../server/store/index.ts';
import { SHARDS_SHARED, type StoredShard } from '../../server/store/shards.ts';
import { openWebhookStore, type WebhookLocation } from '../../server/store/webhooks/index.ts';
import { onPostgres, runOn } from '../store/support/stores.ts';
import { contentsOf } from '../upgrade/record-network.ts';
import { removeTemporaryFolders, temporaryFolder } from './support.ts';

const FIXTURES = path.join(import.meta.dirname, '../upgrade/fixtures');
const WEBHOOK = {
  id: `wh_${'a'.repeat(26)}`,
  owner: 'alice',
  url: 'https://shop.example/hook',
  filters: { submittedOnly: true },
  status: 'enabled',
  secrets: { current: `whsec_${'A'.repeat(43)}=`, previous: [] },
  place: { height: 1, index: 0 },
  createdAtMs: 1,
  updatedAtMs: 2,
  version: 3,
} as const;
let parent = '';
let copies = 0;

beforeAll(async () => {
  parent = await temporaryFolder('copy');
});
afterAll(removeTemporaryFolders);

/** The data folder of a gateway that an earlier version has left. */
function folderOf(version: string): string {
  copies += 1;
  const folder = path.join(parent, `gateway-${copies}`);
  const unpacked = path.join(parent, `unpacked-${copies}`);
  for (const made of [folder, unpacked]) mkdirSync(made, { mode: 0o700 });
  execFileSync('tar', ['xzf', path.join(FIXTURES, `${version}.tar.gz`), '--no-same-owner', '-C', unpacked]);
  cpSync(path.join(unpacked, 'network', 'gateway.db'), path.join(folder, 'gateway.db'));
  return folder;
}

const fileIn = (folder: string): string => path.join(folder, 'gateway.db');
const copy = (
  from: string,
  to: string,
  onProgress: (what: string, done: number) => void = () => undefined,
): Promise<Copied> => copyStore({ from, to, onProgress });

async function ofStore<T>(opened: Promise<Store>, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await opened;
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const shardsOf = (store: Store): Promise<StoredShard[]> => store.read((tx) => tx.shards());

async function endpointsOf(location: WebhookLocation): Promise<unknown> {
  const webhooks = await openWebhookStore(location);
  try {
    return [
      await webhooks.now.webhooksOf('alice'),
      await webhooks.now.deliveries({ webhookId: WEBHOOK.id, limit: 10 }),
    ];
  } finally {
    await webhooks.close();
  }
}

/** A gateway of this version has served from it, with an endpoint of webhooks. @returns all that its store tells. */
async function usedByThisVersion(folder: string): Promise<unknown> {
  const contents = await ofStore(openSqliteStore({ path: fileIn(folder) }), contentsOf);
  const webhooks = await openWebhookStore({ kind: 'gateway', path: fileIn(folder) });
  await webhooks.write(async (tx) => {
    await tx.insertWebhook(WEBHOOK);
    await tx.appendDeliveries([
      {
        webhookId: WEBHOOK.id,
        eventId: '1-0',
        type: 'transaction.committed',
        kind: 'event',
        atMs: 5,
        attempt: 1,
        outcome: 'delivered',
        statusCode: 204,
        durationMs: 6,
      },
    ]);
  });
  await webhooks.close();
  return contents;
}

const END_SESSIONS = `
  const client = new (await import('pg')).default.Client({ connectionString: process.env.URL_OF_DATABASE });
  await client.connect();
  await client.query('select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()');
  await client.end();`;

/** Every session but its own, from a process of its own: while it runs, what is interrupted goes no further. */
const endSessions = (url: string): unknown =>
  execFileSync(process.execPath, ['--input-type=module', '--eval', END_SESSIONS], {
    cwd: ROOT,
    env: { ...process.env, URL_OF_DATABASE: url },
  });

describe('a gateway on SQLite', () => {
  onPostgres('into PostgreSQL', (cluster) => {
    test('tells there what it told before: transfers, pending ones, tokens, bindings, keys, audit trail, endpoints', async () => {
      const folder = folderOf('1.7');
      const before = await usedByThisVersion(folder);
      const endpoints = await endpointsOf({ kind: 'gateway', path: fileIn(folder) });
      const url = await cluster().database();
      const copied = await copy(folder, url);
      expect(copied).toMatchObject({ wasThere: false, facts: { counts: { webhooks: 1 } } });
      expect(copied.facts.counts.pending).toBeGreaterThan(0);
      expect(await ofStore(openPostgresStore({ url }), contentsOf)).toEqual(before);
      expect(await endpointsOf({ kind: 'postgres', url })).toEqual(endpoints);
      expect((await copy(folder, url)).wasThere).toBe(true);
    });

    test('has the shards that gateways share a database by, and goes on behind the last number', async () => {
      const folder = folderOf('1.7');
      const [pending, last] = await ofStore(openSqliteStore({ path: fileIn(folder) }), async (store) => {
        const [shard] = await shardsOf(store);
        return [shard!.pending, shard!.lastSeq];
      });
      expect(pending).toBeGreaterThan(0);
      const url = await cluster().database();
      await copy(folder, url);
      const shards = await ofStore(openPostgresStore({ url }), shardsOf);
      expect(shards.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: SHARDS_SHARED }, (_, id) => id),
      );
      for (const { id, lastSeq } of shards)
        expect(((lastSeq % SHARDS_SHARED) + SHARDS_SHARED) % SHARDS_SHARED).toBe(id);
      expect(Math.max(...shards.map(({ lastSeq }) => lastSeq))).toBe(last);
      expect(shards.reduce((sum, shard) => sum + shard.pending, 0)).toBe(pending);
    });

    test('of a version before shards is brought up to date by the first gateway there', async () => {
      const folder = folderOf('1.6');
      const url = await cluster().database();
      await copy(folder, url);
      const there = await ofStore(openPostgresStore({ url }), contentsOf);
      expect(there).toEqual(await ofStore(openSqliteStore({ path: fileIn(folder) }), contentsOf));
    });

    test('interrupted, leaves the database empty, and is run again', async () => {
      const folder = folderOf('1.7');
      const before = await usedByThisVersion(folder);
      const url = await cluster().database();
      let isCut = false;
      const interrupted = copy(folder, url, () => {
        if (!isCut) endSessions(url);
        isCut = true;
      });
      await expect(interrupted).rejects.toThrow(/cannot be used/);
      expect(await runOn(url, "select tablename from pg_tables where schemaname = 'public'")).toEqual([]);
      expect((await copy(folder, url)).wasThere).toBe(false);
      expect(await ofStore(openPostgresStore({ url }), contentsOf)).toEqual(before);
    });

    test('never goes into a database that holds something else', async () => {
      const url = await cluster().database();
      await runOn(url, 'create table owners (id bigint)');
      await expect(copy(folderOf('1.7'), url)).rejects.toThrow(/is not empty/);
    });
  });

  test('into a file tells the same, and nothing is there under its name before', async () => {
    const folder = folderOf('1.7');
    const before = await usedByThisVersion(folder);
    const endpoints = await endpointsOf({ kind: 'gateway', path: fileIn(folder) });
    const to = path.join(parent, 'copied.db');
    await copy(folder, to, () => expect(existsSync(to)).toBe(false));
    expect(await ofStore(openSqliteStore({ path: to }), contentsOf)).toEqual(before);
    expect(await endpointsOf({ kind: 'gateway', path: to })).toEqual(endpoints);
  });
});
