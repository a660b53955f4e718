/**
 * What a server of each released version left when it was killed is opened by this one, which answers as that one did and goes on. A version
 * gets its fixture from make-fixture.ts.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import Sqlite from 'better-sqlite3';
import { Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { loadState } from '../../server/engine/cometbft/app/load-state.ts';
import { openSqliteAppStore } from '../../server/engine/cometbft/app/sqlite-app-store.ts';
import { openSqliteSnapshotStore } from '../../server/engine/cometbft/app/sqlite-snapshot-store.ts';
import { openChainDatabase } from '../../server/store/embedded/connection.ts';
import { openPostgresStore, openSqliteStore, type Store } from '../../server/store/index.ts';
import { migrations } from '../../server/store/migrations/index.ts';
import { parseAddress } from '../../server/store/postgres/address.ts';
import { Primary } from '../../server/store/postgres/primary.ts';
import { StoreDialect, StoreDriver } from '../../server/store/postgres/dialect.ts';
import { postgresFragments } from '../../server/store/postgres/fragments.ts';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import { call, freePort, READY_MS_MAX, Server, txledger } from '../e2e/support/server.ts';
import { onPostgres } from '../store/support/stores.ts';
import { writeFixtureKeys } from './fixture-keys.ts';
import { CHUNK, contentsOf, SNAPSHOT } from './record-network.ts';

const FIXTURES = path.join(import.meta.dirname, 'fixtures');
const VERSIONS = readdirSync(FIXTURES)
  .filter((file) => file.endsWith('.json'))
  .map((file) => path.basename(file, '.json'));
const TEST_MS_MAX = 3 * READY_MS_MAX;

let server: Server | undefined;
afterEach(async () => {
  await server?.stop('SIGKILL');
  server = undefined;
  await removeTemporaryFolders();
});

async function unpack(version: string, part: 'folder' | 'network'): Promise<string> {
  const parent = await temporaryFolder('upgrade');
  execFileSync('tar', ['xzf', path.join(FIXTURES, `${version}.tar.gz`), '--no-same-owner', '-C', parent]);
  execFileSync('chmod', ['-R', 'go-rwx', parent]);
  return path.join(parent, part);
}

/** Sentences may be reworded. */
const withoutWords = (value: unknown): any =>
  JSON.parse(JSON.stringify(value, (key, each) => (key === 'detail' ? undefined : each)));

const WEBHOOK_TABLES = ['webhooks', 'webhook_deliveries', 'webhook_work', 'webhook_audit'];

const tablesOf = (file: Sqlite.Database): unknown[] =>
  file.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();

/** Tokens of every version have none at first. */
async function limitsCanBeSet(store: Store): Promise<void> {
  const [token] = await store.now.tokens();
  expect(token).toBeDefined();
  expect(token?.limits).toBeUndefined();
  await store.write((tx) => tx.setTokenLimits(token!.id, { ratePerS: 7 }));
  expect(await store.now.token(token!.id)).toMatchObject({ limits: { ratePerS: 7 } });
}

describe.each(VERSIONS)('files of version %s', (version) => {
  const record = JSON.parse(readFileSync(path.join(FIXTURES, `${version}.json`), 'utf8'));
  // Counters were a row of their own up to 1.7.
  const { counters, ...told } = record.gateway;
  const gateway = { pendingCount: counters?.pending, ...told };

  test(
    'of a development server are answered for as before, and what was pending is decided',
    async () => {
      const dataDir = await unpack(version, 'folder');
      writeFixtureKeys(dataDir);
      server = new Server({ dataDir, port: await freePort(), variables: { BLOCK_INTERVAL_MS: '100' } });
      await server.start();
      const { token } = await server.development();
      const get = async (where: string): Promise<any> => (await call(`${server!.baseUrl}${where}`, { token })).body;
      const before = withoutWords(record.server);

      const { transactions } = await get('/transactions?limit=1000');
      expect(transactions.map(({ txHash }: any) => txHash)).toEqual(
        before.transactions.map(({ txHash }: any) => txHash),
      );
      for (const detail of before.details) {
        const { history, ...rest } = detail;
        const now = withoutWords(await get(`/transactions/${detail.txHash}`));
        if (detail.status === 'pending')
          expect(now).toMatchObject({
            txHash: detail.txHash,
            firstSeenAt: detail.firstSeenAt,
            history: expect.arrayContaining(history.slice(0, 1)),
          });
        else expect(now).toMatchObject({ ...rest, history });
      }
      for (const { height, hash, codes } of before.blocks) {
        expect((await get(`/rpc/block?height=${height}`)).result.block_id.hash).toBe(hash);
        expect(
          ((await get(`/rpc/block_results?height=${height}`)).result.txs_results ?? []).map(({ code }: any) => code),
        ).toEqual(codes);
      }
      const found = await get(
        `/rpc/tx_search?query=${encodeURIComponent(`"transfer.from='${before.accounts[2].address}'"`)}`,
      );
      expect(Number(found.result.total_count)).toBe(before.accounts[2].nonce);

      const decided = async (amount: string, status: string): Promise<void> => {
        const { txHash } = before.details.find(
          (detail: any) => detail.status === 'pending' && detail.amount === amount,
        );
        const endMs = performance.now() + READY_MS_MAX;
        let now = await get(`/transactions/${txHash}`);
        while (now.status !== status && performance.now() < endMs) now = await get(`/transactions/${txHash}`);
        expect(now.status).toBe(status);
      };
      await decided('6', 'committed');
      await decided('40', 'cancelled');
      await decided('72', 'pending');
      const [payer, payee] = before.accounts;
      expect(await get(`/accounts/${payer.address}`)).toMatchObject({
        balance: String(BigInt(payer.balance) - 6n),
        nonce: payer.nonce + 1,
      });
      expect((await get(`/accounts/${payee.address}`)).balance).toBe(String(BigInt(payee.balance) + 6n));

      expect(await server.stop()).toBe(0);
      const told = async (...command: string[]): Promise<any> =>
        JSON.parse((await txledger([...command, '--json'], { DATA_DIR: dataDir })).stdout);
      const { tokens } = await told('token', 'list', '--all');
      // A token's last use may be newer, and the first start on a folder without its dev.json makes one more.
      expect(tokens.map(({ lastUsedAt: _lastUsedAt, ...rest }: any) => rest)).toEqual(
        expect.arrayContaining(
          before.tokens.map(({ lastUsedAt: _lastUsedAt, ...rest }: any) => expect.objectContaining(rest)),
        ),
      );
      expect((await told('address', 'list')).bindings).toEqual(before.bindings);
      expect((await told('audit', 'list', '--limit', '1000')).entries.slice(0, before.audit.length)).toEqual(
        before.audit,
      );
      for (const submission of before.submissions)
        expect(await told('audit', 'submission', submission.txHash)).toEqual(submission);
      // What such a version did not have.
      const usable = tokens.find(({ revokedAt, expiresAt }: any) => revokedAt === undefined && expiresAt === undefined);
      expect(await told('token', 'limit', usable.id, '--rate-per-s', '7')).toMatchObject({
        id: usable.id,
        limits: { ratePerS: 7 },
      });
    },
    TEST_MS_MAX,
  );

  test('of a gateway before nodes keep everything, on SQLite', async () => {
    const store = await openSqliteStore({ path: path.join(await unpack(version, 'network'), 'gateway.db') });
    expect(await contentsOf(store)).toMatchObject(gateway);
    await limitsCanBeSet(store);
    await store.close();
  });

  test('of a gateway stop an earlier version that still has them open: it finds no row of counters where it locked one', async () => {
    const file = path.join(await unpack(version, 'network'), 'gateway.db');
    const sqlite = new Sqlite(file);
    const first = sqlite.prepare('SELECT count(*) FROM counters WHERE id = 1').pluck();
    expect(first.get()).toBe(1);
    await (await openSqliteStore({ path: file })).close();
    expect(first.get()).toBe(0);
    sqlite.close();
  });

  onPostgres('and on PostgreSQL', (cluster) => {
    test('keep everything', async () => {
      const url = await cluster().database();
      const file = new Sqlite(path.join(await unpack(version, 'network'), 'gateway.db'), { readonly: true });
      const tables = file
        .prepare(
          "select name from sqlite_schema where type = 'table' and name not like 'kysely%' and name not like 'sqlite%'",
        )
        .pluck()
        .all() as string[];
      const known = file.prepare('select name from kysely_migration').pluck().all() as string[];
      const db = new Kysely<any>({
        dialect: new StoreDialect(
          new StoreDriver({
            primary: new Primary(parseAddress(url)),
            kind: 'migrate',
            connectionsMax: 1,
            onLost: () => undefined,
          }),
        ),
      });
      // The database as that version made it: its migrations alone, and its rows.
      await db.transaction().execute(async (tx) => {
        const ofVersion = Object.entries(migrations(postgresFragments('test'))).filter(([name]) =>
          known.includes(name),
        );
        const { error } = await new Migrator({
          db: tx,
          provider: { getMigrations: async () => Object.fromEntries(ofVersion) },
        }).migrateToLatest();
        if (error !== undefined) throw error;
        await sql`delete from counters`.execute(tx);
        for (const table of tables) {
          const rows = file.prepare(`select * from ${table}`).all() as object[];
          if (rows.length > 0) await tx.insertInto(table).values(rows).execute();
        }
      });
      await db.destroy();
      file.close();
      const store = await openPostgresStore({ url });
      expect(await contentsOf(store)).toMatchObject(gateway);
      await limitsCanBeSet(store);
      await store.close();
    });
  });

  test('of an application give the state that they were written with', async () => {
    const folder = await unpack(version, 'network');
    const app = openSqliteAppStore(path.join(folder, 'app.db'));
    // Compares the application hash of what it reads with the one that was recorded.
    expect(loadState(app, record.gateway.follower.chainId)?.height).toBe(0);
    app.close();
    const snapshots = openSqliteSnapshotStore(path.join(folder, 'snapshots.db'));
    expect([snapshots.list(), snapshots.chunk(SNAPSHOT.height, SNAPSHOT.format, 0)]).toEqual([[SNAPSHOT], CHUNK]);
    snapshots.close();
  });

  // Later versions made these tables themselves.
  if (version !== '1.5') return;

  test('of a gateway that had no event log and no webhooks get their tables', async () => {
    const file = path.join(await unpack(version, 'network'), 'gateway.db');
    const sqlite = new Sqlite(file);
    // As contract 1.5.0 landed: its first migration made none of these.
    sqlite.exec('DROP TABLE events; DROP TABLE unknown_voids');
    for (const table of WEBHOOK_TABLES) sqlite.exec(`DROP TABLE IF EXISTS ${table}`);
    await (await openSqliteStore({ path: file })).close();
    expect(tablesOf(sqlite)).toEqual(expect.arrayContaining(['events', 'unknown_voids', ...WEBHOOK_TABLES]));
    sqlite.close();
  });

  test('of the embedded engine that had no event log get one', async () => {
    const file = path.join(await unpack(version, 'folder'), 'chain.db');
    const sqlite = new Sqlite(file);
    sqlite.exec('DROP TABLE events; DROP TABLE unknown_voids');
    openChainDatabase({ path: file }).close();
    expect(tablesOf(sqlite)).toEqual(expect.arrayContaining(['events', 'unknown_voids']));
    sqlite.close();
  });
});
