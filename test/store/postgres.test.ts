/** What only the store on PostgreSQL does: sessions that are durable and on the primary, and connections that break. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Kysely, sql } from 'kysely';
import { StoreTimes } from '../../server/app/durations.ts';
import type { Store } from '../../server/store/index.ts';
import { openPostgresStore, StoreOutcomeUnknownError, StoreUnavailableError } from '../../server/store/index.ts';
import { parseAddress } from '../../server/store/postgres/address.ts';
import { Primary } from '../../server/store/postgres/primary.ts';
import { StoreDialect, StoreDriver } from '../../server/store/postgres/dialect.ts';
import { PostgresCluster } from '../support/postgres.ts';
import { account } from './support/rows.ts';
import { Proxy } from './support/proxy.ts';
import { onPostgres } from './support/stores.ts';
import { lastSeq } from './support/accepted-rows.ts';

onPostgres('the store on PostgreSQL', (cluster) => {
  let url: string;
  let store: Store;
  beforeEach(async () => {
    url = await cluster().database();
    store = await openPostgresStore({ url });
  });
  afterEach(() => store.close());

  const save = (id: number) => store.write((tx) => tx.saveAccounts([account(id)]));
  const has = async (id: number) => (await store.read((tx) => tx.accountsById([id]))).length === 1;
  /** Only sessions in a transaction: a client notices that an idle session has ended when it next uses it. */
  const endBusySessions = () =>
    cluster().query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'txledger' and state like '%in transaction%'`,
    );

  test('measures its transactions and their commits, and counts its connections', async () => {
    const times = new StoreTimes();
    const measured = await openPostgresStore({ url, stopwatches: times });
    try {
      await measured.write((tx) => tx.saveAccounts([account(1)]));
      for (const id of [1, 2]) await measured.read((tx) => tx.accountsById([id]));
      const { commits, transactions } = times.figures(undefined, undefined);
      const counted = { commit: commits['store'], read: transactions?.['read'], write: transactions?.['write'] };
      expect(
        Object.fromEntries(
          Object.entries(counted).map(([name, figures]) => [
            name,
            figures?.counts.reduce((sum, count) => sum + count, 0),
          ]),
        ),
      ).toEqual({ commit: 1, read: 2, write: 1 });
      expect(counted.commit?.sumS).toBeGreaterThan(0);
      expect(counted.commit?.sumS).toBeLessThan(counted.write?.sumS ?? 0);
      expect(measured.connections?.()).toEqual({ busy: 0, idle: 2, waiting: 0 });
      await measured.write(async () => expect(measured.connections?.()).toEqual({ busy: 1, idle: 1, waiting: 0 }));
    } finally {
      await measured.close();
    }
  });

  describe('a session', () => {
    test('waits for the disk at commit whatever the role has as its default', async () => {
      await cluster().query(
        'alter role postgres set synchronous_commit = off; alter role postgres set default_transaction_isolation = serializable',
      );
      try {
        for (const kind of ['write', 'read', 'webhooks', 'migrate'] as const) {
          const db = new Kysely<object>({
            dialect: new StoreDialect(
              new StoreDriver({
                primary: new Primary(parseAddress(url)),
                kind,
                connectionsMax: 1,
                onLost: () => undefined,
              }),
            ),
          });
          const { rows } = await db
            .transaction()
            .execute((tx) =>
              sql`select current_setting('synchronous_commit') as commit, current_setting('transaction_isolation') as isolation`.execute(
                tx,
              ),
            );
          expect(rows).toEqual([{ commit: 'on', isolation: kind === 'read' ? 'repeatable read' : 'read committed' }]);
          await db.destroy();
        }
      } finally {
        await cluster().query('alter role postgres reset all');
      }
    });

    test('is refused a wrong password, an unknown database and a closed port, in words that do not show the password', async () => {
      const faults = [
        [cluster().url('postgres', 'wrong-secret'), /password authentication failed for user "postgres"/],
        [cluster().url('nowhere'), /database "nowhere" does not exist/],
        ['postgres://u:wrong-secret@127.0.0.1:1/x', /127\.0\.0\.1:1\/x as u: .*ECONNREFUSED/],
      ] as const;
      for (const [wrong, message] of faults) {
        const error: Error = await openPostgresStore({ url: wrong }).then(
          () => new Error('it opened'),
          (reason) => reason,
        );
        expect(error).toBeInstanceOf(StoreUnavailableError);
        expect(error.message).toMatch(message);
        const told = JSON.stringify([error.stack, error, error.cause, String((error.cause as Error).stack)]);
        expect(told).not.toContain('wrong-secret');
        expect(told).not.toContain(cluster().password);
      }
      for (const nonsense of ['mysql://u:wrong-secret@h/x', 'postgres://u:wrong-secret@h:port/x']) {
        await expect(openPostgresStore({ url: nonsense })).rejects.toThrow(
          /^the address of the database (?!.*wrong-secret)/,
        );
      }
    });

    test('of a server that confirms what is not on its disk is refused', async () => {
      const careless = await PostgresCluster.start(['fsync=off']);
      try {
        await expect(openPostgresStore({ url: careless.url() })).rejects.toThrow(/fsync/);
      } finally {
        await careless.stop();
      }
    });
  });

  describe('the schema', () => {
    test('is made by any number of openers at once, and opens again', async () => {
      const fresh = await cluster().database();
      const module = new URL('../../server/store/index.ts', import.meta.url).href;
      const program = `import { openPostgresStore } from '${module}'; await (await openPostgresStore({ url: '${fresh}' })).close();`;
      const openers = [1, 2, 3].map(() =>
        promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]),
      );
      for (const { stderr } of await Promise.all(openers)) expect(stderr).toBe('');
      const again = await openPostgresStore({ url: fresh });
      expect(await again.read((tx) => tx.tokens())).toEqual([]);
      await again.close();
    });

    test('of a newer version is not used', async () => {
      await cluster().query(
        "insert into kysely_migration (name, timestamp) values ('9999-future', '2099-01-01')",
        new URL(url).pathname.slice(1),
      );
      await expect(openPostgresStore({ url })).rejects.toThrow(/a later version wrote it/);
    });

    test('may be changed by a newer version under an older one that runs: it prepares its statements anew', async () => {
      // One connection that reads, so that the one which finds out is the one asked again.
      const older = await openPostgresStore({ url, connectionsMax: 3 });
      const balances = () => older.read((tx) => tx.accountsById([1]));
      await save(1);
      expect(await balances()).toHaveLength(1);
      await cluster().query('alter table accounts add column later integer', new URL(url).pathname.slice(1));
      await expect(balances()).rejects.toThrow(StoreUnavailableError);
      expect(await balances()).toHaveLength(1);
      await older.close();
    });
  });

  describe('a connection', () => {
    test('that is lost before the commit leaves nothing, and the next one works', async () => {
      const lost = store.write(async (tx) => {
        await tx.saveAccounts([account(1)]);
        await endBusySessions();
        // Only a statement is certain to hear that the session has ended: a COMMIT that goes out before that leaves its outcome open.
        await expect(tx.shards()).rejects.toThrow(StoreUnavailableError);
      });
      await expect(lost).rejects.toThrow(StoreUnavailableError);
      expect(await has(1)).toBe(false);
      await save(1);
      expect(await has(1)).toBe(true);
    });

    test('that is lost under a COMMIT leaves the outcome open, and reading again settles it', async () => {
      const { proxy, url: through } = await Proxy.before(url);
      const remote = await openPostgresStore({ url: through });
      try {
        for (const [id, atCommit, written] of [
          [1, 'cut', false],
          [2, 'answer lost', true],
        ] as const) {
          proxy.atCommit = atCommit;
          const error = await remote.write((tx) => tx.saveAccounts([account(id)])).catch((reason: unknown) => reason);
          expect(error).toBeInstanceOf(StoreOutcomeUnknownError);
          expect(error).toMatchObject({ rereadable: true });
          proxy.atCommit = 'pass';
          // Under the lock, which waits for whatever is still under way.
          expect(await remote.write(async (tx) => (await tx.accountsById([id])).length === 1)).toBe(written);
        }
      } finally {
        await remote.close();
        await proxy.close();
      }
    });

    test('that is lost under the COMMIT of a read leaves nothing open: there was no outcome', async () => {
      const { proxy, url: through } = await Proxy.before(url);
      const remote = await openPostgresStore({ url: through });
      try {
        await remote.read(lastSeq);
        for (const atCommit of ['cut', 'answer lost'] as const) {
          proxy.atCommit = atCommit;
          await expect(remote.read(lastSeq)).rejects.toThrow(StoreUnavailableError);
          proxy.atCommit = 'pass';
          expect(await remote.read(lastSeq)).toBe(0);
        }
      } finally {
        await remote.close();
        await proxy.close();
      }
    });
  });
});
