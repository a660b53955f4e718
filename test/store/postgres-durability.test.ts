/** Settings of a real PostgreSQL that change while the store is open: what the server would not keep is not written, and the log says so. */
import { expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../server/engine/ports.ts';
import type { Store } from '../../server/store/index.ts';
import { openPostgresStore } from '../../server/store/index.ts';
import { standbysWanted } from '../../server/store/postgres/durability.ts';
import { onPostgres } from './support/stores.ts';

const LOOK_MS = 50;
const NOTICED_MS_MAX = 10_000;

test.each([
  ['', 0],
  ['*', 1],
  ['a, b', 1],
  ['FIRST 2 (a, b, c)', 2],
  ['any 1 (a,b)', 1],
  ['3 (a, b, c)', 3],
  ['"first 2"', 1],
])('synchronous_standby_names = %j makes a commit wait for %d', (names, wanted) => {
  expect(standbysWanted(names)).toBe(wanted);
});

onPostgres('a store whose server is reconfigured', (cluster) => {
  const logged: string[] = [];
  const log = (_: object, message: string): void => void logged.push(message);
  const logger: Logger = { debug: log, info: log, warn: log, error: log };

  async function until(what: () => unknown): Promise<void> {
    for (const endMs = Date.now() + NOTICED_MS_MAX; !(await what()); await sleep(LOOK_MS))
      if (Date.now() > endMs) throw new Error(`it did not happen: ${logged.join('; ')}`);
  }
  const set = async (setting: string): Promise<void> => {
    await cluster().query(`alter system set ${setting}`);
    await cluster().query('select pg_reload_conf()');
  };
  const writes = (store: Store): Promise<string> =>
    store
      .write((tx) => tx.follower())
      .then(
        () => 'written',
        (error: Error) => error.message,
      );

  test('refuses to write while the server would not keep it, counts synchronous standbys, and tells the log of each change', async () => {
    const url = await cluster().database();
    const store = await openPostgresStore({ url, logger });
    try {
      store.sharing?.watch(() => undefined);
      await until(() => logged.some((line) => line.startsWith('no synchronous standby')));
      expect(store.standbys?.()).toEqual({ wanted: 0, inSync: 0 });
      expect(await writes(store)).toBe('written');
      await set('fsync = off');
      await set('full_page_writes = off');
      await until(async () => (await writes(store)).includes('runs with fsync and full_page_writes off'));
      await expect(store.write((tx) => tx.follower())).rejects.toMatchObject({ name: 'StoreUnavailableError' });
      await set('fsync = on');
      await expect(openPostgresStore({ url })).rejects.toMatchObject({
        message: expect.stringContaining('runs with full_page_writes off'),
      });
      await until(async () => (await writes(store)).includes('runs with full_page_writes off'));
      await set('full_page_writes = on');
      await set("synchronous_standby_names = 'FIRST 1 (a, b)'");
      await until(() => logged.some((line) => line.startsWith('0 of 1 synchronous standbys are there')));
      expect(store.standbys?.()).toEqual({ wanted: 1, inSync: 0 });
      await set("synchronous_standby_names = ''");
      expect(await writes(store)).toBe('written');
      expect(logged.filter((line) => line.includes('a power cut would take back'))).toHaveLength(2);
    } finally {
      for (const setting of ['fsync', 'full_page_writes', 'synchronous_standby_names'])
        await cluster().query(`alter system reset ${setting}`);
      await cluster().query('select pg_reload_conf()');
      await store.close();
    }
  }, 30_000);

  test('says what to grant when its role may not see them', async () => {
    logged.length = 0;
    const url = new URL(await cluster().database());
    await cluster().query(
      `create role plain login password 'plain'; grant all on database ${url.pathname.slice(1)} to plain`,
    );
    await cluster().query('grant all on schema public to plain', url.pathname.slice(1));
    [url.username, url.password] = ['plain', 'plain'];
    const store = await openPostgresStore({ url: url.href, logger });
    try {
      store.sharing?.watch(() => undefined);
      await until(() => store.standbys?.() !== undefined);
      expect(store.standbys?.()).toEqual({ wanted: 0 });
    } finally {
      await store.close();
    }
  }, 30_000);
});
