/** Webhooks of versions that kept them in webhooks.db: a start takes them into chain.db once, whenever it is killed, and refuses what it cannot read. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import Sqlite from 'better-sqlite3';
import { dataDirFiles } from '../../server/app/data-dir-files.ts';
import { CHAIN_FILE_ID } from '../../server/ledger/index.ts';
import { accessRows } from '../../server/store/embedded/admin.ts';
import { openChainDatabase, openChainReader } from '../../server/store/embedded/connection.ts';
import { webhookRows } from '../../server/store/embedded/webhooks.ts';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import { call, freePort, READY_MS_MAX, Server, txledger } from '../e2e/support/server.ts';
import { writeFixtureKeys } from './fixture-keys.ts';

const VERSION = '1.10';
/** What the last version with such a file wrote: two endpoints, one that fails and one that is gone, attempts, work and a line of the audit trail that waits. */
const CONTENT = path.join(import.meta.dirname, 'webhooks-1.11.sql');
const FIRST = `wh_${'a'.repeat(26)}`;
const SECOND = `wh_${'b'.repeat(26)}`;
const TEST_MS_MAX = 3 * READY_MS_MAX;

let server: Server | undefined;
afterEach(async () => {
  await server?.stop('SIGKILL');
  server = undefined;
  await removeTemporaryFolders();
});

/** As a service that was killed leaves it: what it wrote last is in the write-ahead log. */
async function oldFolder(): Promise<string> {
  const parent = await temporaryFolder('old-webhooks');
  const archive = path.join(import.meta.dirname, 'fixtures', `${VERSION}.tar.gz`);
  execFileSync('tar', ['xzf', archive, '--no-same-owner', '-C', parent]);
  execFileSync('chmod', ['-R', 'go-rwx', parent]);
  const folder = path.join(parent, 'folder');
  writeFixtureKeys(folder);
  const made = path.join(parent, 'made.db');
  const sql = new Sqlite(made);
  // Its header is in the file from the first moment on.
  sql.pragma(`application_id = ${CHAIN_FILE_ID}`);
  sql.pragma('journal_mode = WAL');
  sql.exec(readFileSync(CONTENT, 'utf8'));
  const file = dataDirFiles(folder).webhooks;
  for (const suffix of ['', '-wal']) copyFileSync(made + suffix, file + suffix);
  sql.close();
  return folder;
}

function inRows(folder: string): unknown {
  const sql = openChainReader(dataDirFiles(folder).chain);
  try {
    const rows = webhookRows(sql);
    return {
      webhooks: rows.webhooksOf('acme'),
      deliveries: rows.deliveries({ webhookId: FIRST, limit: 10 }),
      work: rows.work(),
      disabled: accessRows(sql)
        .auditEntries({ after: 0, limit: 1000, actions: ['webhook.disable'] })
        .map(({ atMs, actor, action, subject, details }) => ({ atMs, actor, action, subject, details })),
    };
  } finally {
    sql.close();
  }
}

const TAKEN = {
  webhooks: [
    {
      id: FIRST,
      owner: 'acme',
      url: 'https://shop.example/hooks?key=1',
      description: "orders 'é'",
      filters: { types: ['transaction.committed'], submittedOnly: true },
      status: 'enabled',
      secrets: {
        current: `whsec_${'B'.repeat(43)}=`,
        previous: [{ secret: `whsec_${'A'.repeat(43)}=`, untilMs: 4_000_000_000_000 }],
      },
      place: { height: 3, index: 1 },
      failure: { firstFailedAtMs: 50, attempts: 2, nextAttemptAtMs: 90 },
      lastFailure: { atMs: 60, code: 'timeout', detail: 'It was silent.' },
      createdAtMs: 10,
      updatedAtMs: 20,
      version: 2,
    },
    expect.objectContaining({ id: SECOND, status: 'disabled', disabledReason: 'gone' }),
  ],
  deliveries: [
    expect.objectContaining({ seq: 2, outcome: 'failed', error: { code: 'timeout', detail: 'It was silent.' } }),
    expect.objectContaining({ seq: 1, outcome: 'delivered', statusCode: 204, answer: 'ok' }),
  ],
  work: [
    expect.objectContaining({ id: 'test_1', kind: 'test' }),
    expect.objectContaining({ id: 'disabled_1', about: SECOND, reason: 'gone' }),
    expect.objectContaining({ id: 'replay_1', place: { height: 2, index: 0 } }),
  ],
  disabled: [
    {
      atMs: 71,
      actor: 'gateway:one',
      action: 'webhook.disable',
      subject: SECOND,
      details: { owner: 'acme', reason: 'gone' },
    },
  ],
};

const webhookFiles = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.startsWith('webhooks.db') && !/-(wal|shm)$/.test(name))
    .toSorted();

test('are in chain.db with all that belongs to them, once, also where the start was killed before it renamed the file', async () => {
  const folder = await oldFolder();
  const { chain } = dataDirFiles(folder);
  openChainDatabase({ path: chain }).close();
  expect(inRows(folder)).toEqual(TAKEN);
  expect(webhookFiles(folder)).toEqual(['webhooks.db']);
  openChainDatabase({ path: chain }).close();
  expect(inRows(folder)).toEqual(TAKEN);
});

test('nothing of them is taken where the migration is killed', async () => {
  const folder = await oldFolder();
  const { chain } = dataDirFiles(folder);
  const sql = new Sqlite(chain);
  // The last statement of the transaction fails.
  sql.exec(
    "CREATE TRIGGER full BEFORE INSERT ON audit WHEN NEW.action = 'webhook.disable' BEGIN SELECT RAISE(ABORT, 'full'); END",
  );
  sql.close();
  expect(() => openChainDatabase({ path: chain })).toThrow('webhooks.db is damaged or no database of webhooks (full)');
  const again = new Sqlite(chain);
  expect(again.prepare("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'webhook%'").pluck().get()).toBe(0);
  again.exec('DROP TRIGGER full');
  again.close();
  openChainDatabase({ path: chain }).close();
  expect(inRows(folder)).toEqual(TAKEN);
});

test(
  'a service shows them, lays their file aside, and goes on from their places; a backup before and after has them',
  async () => {
    const folder = await oldFolder();
    const parent = await temporaryFolder('old-webhooks-backups');
    const backup = async (name: string): Promise<{ counts: Record<string, number> }> => {
      const out = path.join(parent, name);
      const { code, stderr } = await txledger(['backup', '--out', out, '--with-keys'], { DATA_DIR: folder });
      expect([code, stderr]).toEqual([0, expect.any(String)]);
      return JSON.parse(readFileSync(path.join(out, 'manifest.json'), 'utf8'));
    };
    const restored = async (name: string): Promise<string> => {
      const target = path.join(parent, `${name}-restored`);
      expect(await txledger(['verify', path.join(parent, name)])).toMatchObject({ code: 0 });
      expect(await txledger(['restore', path.join(parent, name), '--data-dir', target])).toMatchObject({ code: 0 });
      return target;
    };
    expect((await backup('before')).counts).toMatchObject({ webhooks: 2 });

    server = new Server({ dataDir: folder, port: await freePort(), variables: { BLOCK_INTERVAL_MS: '100' } });
    await server.start();
    expect(webhookFiles(folder)).toEqual(['webhooks.db.old']);
    const made = await txledger(
      ['token', 'create', '--owner', 'acme', '--scope', 'webhooks:manage', '--json'],
      server.storeVariables,
    );
    const { token } = JSON.parse(made.stdout);
    const { body } = await call(`${server.baseUrl}/webhooks`, { token });
    expect(body.webhooks).toMatchObject([
      { id: FIRST, status: 'enabled', description: "orders 'é'" },
      { id: SECOND, status: 'disabled', disabledReason: 'gone' },
    ]);
    expect((await call(`${server.baseUrl}/webhooks/${FIRST}`, { method: 'DELETE', token })).status).toBe(204);
    await server.stop('SIGKILL');
    await server.start();
    expect((await call(`${server.baseUrl}/webhooks`, { token })).body.webhooks).toMatchObject([{ id: SECOND }]);
    expect(await server.stop()).toBe(0);
    expect(await txledger(['verify', folder])).toMatchObject({ code: 0 });
    const { counts, ...manifest } = (await backup('after')) as { counts: object; files?: { name: string }[] };
    expect(counts).toMatchObject({ webhooks: 1 });
    expect(manifest.files?.map(({ name }) => name)).not.toContain('webhooks.db');

    expect(inRows(await restored('before'))).toMatchObject({ webhooks: [{ id: FIRST }, { id: SECOND }] });
    expect(inRows(await restored('after'))).toMatchObject({ webhooks: [{ id: SECOND }] });
  },
  2 * TEST_MS_MAX,
);

test.each<[what: string, change: (file: string) => void, told: RegExp]>([
  [
    'that is no database',
    (file) => {
      writeFileSync(file, 'no database');
      rmSync(`${file}-wal`);
    },
    /nothing in it was changed: .*webhooks\.db is damaged.*Put a copy of it back/,
  ],
  [
    'with a place ahead of the chain',
    (file) => {
      const sql = new Sqlite(file);
      sql.exec('UPDATE webhooks SET place_height = 9999');
      sql.pragma('journal_mode = DELETE');
      sql.close();
    },
    /nothing in it was changed: .*a webhook knows block 9999/,
  ],
])(
  'one %s is refused by a start, and the folder is left as it was',
  async (_what, change, told) => {
    const folder = await oldFolder();
    const { webhooks, chain } = dataDirFiles(folder);
    change(webhooks);
    const before = [readFileSync(webhooks), readFileSync(chain)];
    server = new Server({ dataDir: folder, port: await freePort() });
    const refused = await server.start().then(
      () => 'it started',
      ({ message }: Error) => message.replaceAll('\n', ' '),
    );
    expect(refused).toMatch(/the server ended with 2:/);
    expect(refused).toMatch(told);
    expect([readFileSync(webhooks), readFileSync(chain)]).toEqual(before);
    expect(existsSync(`${webhooks}.old`)).toBe(false);
  },
  TEST_MS_MAX,
);
