/** Servers and gateways that vanish, pause, end and step back, each noticed within seconds: most of this suite waits. postgres.test.ts has what is noticed at once. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Store } from '../../server/store/index.ts';
import { openPostgresStore, StoreUnavailableError } from '../../server/store/index.ts';
import { ANSWER_MS_MAX, SILENT_TRANSACTION_MS_MAX } from '../../server/store/postgres/limits.ts';
import { lastSeq } from './support/accepted-rows.ts';
import { Proxy } from './support/proxy.ts';
import { account } from './support/rows.ts';
import { onPostgres } from './support/stores.ts';

const SLACK_MS = 5000;

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

  test('a connection to a host that vanished is given up within seconds, and replaced when the host is back', async () => {
    const { proxy, url: through } = await Proxy.before(url);
    const remote = await openPostgresStore({ url: through });
    try {
      await remote.read(lastSeq);
      proxy.freeze();
      const startMs = performance.now();
      await expect(remote.read(lastSeq)).rejects.toThrow(StoreUnavailableError);
      // One that has to connect first learns it sooner.
      await expect(remote.write(lastSeq)).rejects.toThrow(StoreUnavailableError);
      expect(performance.now() - startMs).toBeLessThan(2 * ANSWER_MS_MAX + SLACK_MS);
      proxy.thaw();
      expect(await remote.write(lastSeq)).toBe(0);
    } finally {
      await remote.close();
      await proxy.close();
    }
  });

  test('a connection of a gateway that was paused in a write holds up the others for seconds only, and writes nothing later', async () => {
    const zombie = await openPostgresStore({ url });
    let wake = (): void => undefined;
    const asleep = new Promise<void>((resolve) => (wake = resolve));
    let locked = (): void => undefined;
    const locks = new Promise<void>((resolve) => (locked = resolve));
    const paused = zombie.write(async (tx) => {
      await tx.shards();
      locked();
      await asleep;
      await tx.saveAccounts([account(1)]);
    });
    const outcome = paused.catch((error: unknown) => error);
    await locks;
    const startMs = performance.now();
    await save(2);
    expect(performance.now() - startMs).toBeLessThan(SILENT_TRANSACTION_MS_MAX + SLACK_MS);
    wake();
    expect(await outcome).toBeInstanceOf(StoreUnavailableError);
    expect([await has(1), await has(2)]).toEqual([false, true]);
    await zombie.close();
  });

  test('a connection is made again after the server was shut down and started', async () => {
    await save(1);
    await cluster().shutdown();
    await expect(save(2)).rejects.toThrow(StoreUnavailableError);
    await cluster().restart();
    await save(2);
    expect([await has(1), await has(2)]).toEqual([true, true]);
  });

  // The last: the cluster stays a standby.
  test('a connection to a standby is refused, also when the server becomes one while it is used', async () => {
    await save(1);
    await cluster().becomeStandby();
    await expect(has(1)).rejects.toThrow(/standby.*primary only/);
    await expect(save(2)).rejects.toThrow(StoreUnavailableError);
    await expect(openPostgresStore({ url })).rejects.toThrow(/standby.*primary only/);
  });
});
