/** The address of the database changes while the store is open and written: nothing that was acknowledged is missing, and a database that holds less is refused. */
import { expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { acceptGroup } from '../../server/gateway/accept/accept-group.ts';
import type { Store, StorePlace } from '../../server/store/index.ts';
import { openPostgresStore } from '../../server/store/index.ts';
import { testGenesis } from '../ledger/support.ts';
import { accepting, initialise, submission } from './support/accepting.ts';
import { onPostgres } from './support/stores.ts';

/** So many are acknowledged before the move, and after it. */
const WORTH_A_LOAD = 10;
const LOOK_MS = 10;

onPostgres('a store whose address changes', (cluster) => {
  let nonce = 0;
  const accept = async (store: Store): Promise<string> => {
    const { accepted } = await acceptGroup(accepting(store), [submission(0, nonce++)]);
    return accepted[0]!.transfer.hash;
  };
  const place = (store: Store): Promise<StorePlace> => store.read(async (tx) => (await tx.follower())!);
  const hashesIn = async (store: Store): Promise<string[]> =>
    (await store.read((tx) => tx.listTransfers({ limit: 1000 }))).transfers.map(({ hash }) => hash);

  async function opened(): Promise<{ url: string; name: string; store: Store }> {
    nonce = 0;
    const url = await cluster().database();
    const store = await openPostgresStore({ url });
    await initialise(store);
    return { url, name: new URL(url).pathname.slice(1), store };
  }

  test('goes on under load with another role and a list of hosts', async () => {
    const { url, name, store } = await opened();
    await cluster().query(`create role "rotated_${name}" superuser login password 'new'`);
    const acknowledged: string[] = [];
    const load = { over: false };
    const grow = async (from: number): Promise<void> => {
      while (acknowledged.length < from + WORTH_A_LOAD) await sleep(LOOK_MS);
    };
    const senders = (async () => {
      while (!load.over) acknowledged.push(await accept(store));
    })();
    try {
      await grow(0);
      const next = url.replace(/\/\/[^@]+@127\.0\.0\.1:(\d+)/, `//rotated_${name}:new@127.0.0.1:$1,127.0.0.1:1`);
      await store.relocate?.(`${next}?target_session_attrs=read-write`, await place(store));
      await grow(acknowledged.length);
      load.over = true;
      await senders;
      expect(new Set(await hashesIn(store))).toEqual(new Set(acknowledged));
      const users = await cluster().query(
        `select distinct usename from pg_stat_activity where datname = '${name}' and application_name = 'txledger'`,
      );
      expect(users).toEqual([{ usename: `rotated_${name}` }]);
    } finally {
      load.over = true;
      await senders.catch(() => undefined);
      await store.close();
    }
  });

  test('refuses an empty database, one of another chain, a copy that lacks what was accepted since, and a server that is away', async () => {
    const { url, name, store } = await opened();
    try {
      await accept(store);
      await store.close();
      const copy = `copy_of_${name}`;
      await cluster().query(`create database ${copy} template ${name}`);
      const again = await openPostgresStore({ url });
      try {
        const last = await accept(again);
        const known = await place(again);
        const other = await cluster().database();
        const stranger = await openPostgresStore({ url: other });
        await stranger.write((tx) =>
          tx.createFollower({ ...known, chainId: 'another-1', blockTimeMs: 0, uptimeMs: 0, verifiedHeight: 0 }),
        );
        await stranger.close();
        const refusals = [
          [await cluster().database(), /it is no database of a gateway/],
          [other, new RegExp(`it follows chain another-1, expected ${testGenesis().chainId}`)],
          [cluster().url(copy), /it lacks transfers that were accepted in the database in use: it has stepped back/],
          [url.replace(/:\d+\//, ':1/'), /no connection to PostgreSQL/],
        ] as const;
        for (const [target, sentence] of refusals)
          await expect(again.relocate?.(target, known)).rejects.toMatchObject({
            message: expect.stringMatching(sentence),
          });
        // That of the database in use counts, as long as it answers.
        await expect(again.relocate?.(cluster().url(copy), { ...known, height: 7 })).rejects.toMatchObject({
          name: 'RelocationRefusedError',
        });
        expect(await hashesIn(again)).toContain(last);
        expect(await accept(again)).toMatch(/^[0-9A-F]{64}$/);
      } finally {
        await again.close();
      }
    } finally {
      await store.close().catch(() => undefined);
    }
  });
});
