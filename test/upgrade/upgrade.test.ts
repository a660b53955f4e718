/**
 * What a server of each released version left when it was killed is opened by this one, which answers as that one did and goes on. A version
 * gets its fixture from make-fixture.ts.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import Sqlite from 'better-sqlite3';
import { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { loadState } from '../../server/engine/cometbft/app/load-state.ts';
import { openSqliteAppStore } from '../../server/engine/cometbft/app/sqlite-app-store.ts';
import { openSqliteSnapshotStore } from '../../server/engine/cometbft/app/sqlite-snapshot-store.ts';
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
/**
 * SHA-256 of each archive and of what its server said: a fixture is made once, by the version that it is of, and never again. 1.5 is of the first build
 * of contract 1.5.0, which kept no references; 1.5.0 is of the last, which kept no event log.
 */
const DIGESTS: Readonly<Record<string, readonly [archive: string, record: string]>> = {
  '1.5': [
    'e7e028211d757518a36bbbb5860e4d0da168230babeb81ad33ddd5f9c58c5baf',
    '1a2f6b8a878122626ec6179dc4b96faf6dfd98e0241fd5f166959a919c2ef930',
  ],
  '1.5.0': [
    '5bf127da1ad3b00ac1a324c1e683bf9d79de92355aba679f43c4ed67ad6cfc0f',
    '7c1c3183b5e0397a3b5bc94a05b3c0cf8a90dc6d9225699bd6a1fd21920cc2d9',
  ],
  '1.6': [
    'f6b2b8c65a28cc467d969a78833a4da8f3787014a73cb96af3f8a3cf58f5d20e',
    '787c5824655504c1483a9f1d0360a88f6c45726084738f5ab84403dc2c965dd8',
  ],
  '1.7': [
    'df1c1d9392b7b5634043d703724b9d258d94933c1a77e3ab5fe3c22e8ce2d92c',
    '93810e16350513f3f30574a78fe728c55477a633e66ccf2b3733d5702511b836',
  ],
  '1.8': [
    'a736a6eaf48c0c8b072960d4e2741e55fe84684c359c54f0dbf67917d618babd',
    'b4e36a0af796236319943460a1fdf4836d308f3ef720dd18ec0e5b43aea0fdd0',
  ],
  // The last that kept the tail in chain.db.
  '1.10': [
    'f2ae3dbac372aa53e03ede2e50cd98370f53ea7f48f16cd86a4dccd0683cff1c',
    'cd61078fa41db90551c8bf8d92a088003e024806c283fdb2d8ab039ded7d0c5f',
  ],
};
const VERSIONS = Object.keys(DIGESTS);
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

/** The first build of 1.5.0 told the block's time of an end, also where that is before the broadcast: times go forward since. */
const withoutTimes = (history: any[]): any[] => history.map(({ at: _at, ...rest }) => expect.objectContaining(rest));

/** Tokens of every version have none at first. */
async function limitsCanBeSet(store: Store): Promise<void> {
  const [token] = await store.now.tokens();
  expect(token).toBeDefined();
  expect(token?.limits).toBeUndefined();
  await store.write((tx) => tx.setTokenLimits(token!.id, { ratePerS: 7 }));
  expect(await store.now.token(token!.id)).toMatchObject({ limits: { ratePerS: 7 } });
}

test('a fixture is the one that its version made', () => {
  const names = readdirSync(FIXTURES).toSorted();
  expect(names).toEqual(VERSIONS.flatMap((version) => [`${version}.json`, `${version}.tar.gz`]).toSorted());
  for (const [version, digests] of Object.entries(DIGESTS))
    expect(
      ['tar.gz', 'json'].map((end) => hash('sha256', readFileSync(path.join(FIXTURES, `${version}.${end}`)), 'hex')),
    ).toEqual(digests);
});

test('a fixture that is there is not made again', async () => {
  const make = path.join(import.meta.dirname, 'make-fixture.ts');
  const made = spawnSync(process.execPath, [make, VERSIONS[0]!], { encoding: 'utf8' });
  expect([made.status, made.stderr]).toEqual([1, expect.stringContaining('is made once, by that version')]);
});

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
        else expect(now).toMatchObject({ ...rest, history: version === '1.5' ? withoutTimes(history) : history });
      }
      for (const { height, hash, codes } of before.blocks) {
        expect((await get(`/rpc/block?height=${height}`)).result.block_id.hash).toBe(hash);
        expect(
          ((await get(`/rpc/block_results?height=${height}`)).result.txs_results ?? []).map(({ code }: any) => code),
        ).toEqual(codes);
      }
      // The log has an event for each transfer that blocks settled, under the place that later versions give it, whoever kept the log then.
      const { events } = await get('/events?order=asc&limit=1000');
      const settled = before.details.filter(({ status }: any) => status !== 'pending');
      expect(events.map(({ data }: any) => data.transaction.txHash).toSorted()).toEqual(
        expect.arrayContaining(settled.map(({ txHash }: any) => txHash)),
      );
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
      // Executes every block again, and compares every row, event and index with it.
      expect(await txledger(['verify', dataDir])).toMatchObject({ code: 0 });
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
      expect((await told('audit', 'list', '--limit', '1000')).entries.slice(0, before.audit.length)).toMatchObject(
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

  // The first build of 1.5.0 kept no references: refused.test.ts.
  if (version === '1.5') return;

  test('of a gateway before nodes keep everything, on SQLite', async () => {
    const store = await openSqliteStore({ path: path.join(await unpack(version, 'network'), 'gateway.db') });
    expect(await contentsOf(store)).toMatchObject(gateway);
    await limitsCanBeSet(store);
    await store.close();
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
        for (const table of tables) {
          const rows = file.prepare(`select * from ${table}`).all() as object[];
          // What a migration wrote itself is among the rows.
          await tx.deleteFrom(table).execute();
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

  // With the row that stops others gone, such a version does not begin.
  if (counters === undefined) return;

  test('of a gateway stop an earlier version that still has them open: it finds no row of counters where it locked one', async () => {
    const file = path.join(await unpack(version, 'network'), 'gateway.db');
    const sqlite = new Sqlite(file);
    const first = sqlite.prepare('SELECT count(*) FROM counters WHERE id = 1').pluck();
    expect(first.get()).toBe(1);
    await (await openSqliteStore({ path: file })).close();
    expect(first.get()).toBe(0);
    sqlite.close();
  });
});
