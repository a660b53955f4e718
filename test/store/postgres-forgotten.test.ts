/** Connections that a firewall between has forgotten: nothing on them is answered, nobody is told, and new ones work. */
import { expect, test } from '@jest/globals';
import { openPostgresStore } from '../../server/store/index.ts';
import { onPostgres } from './support/stores.ts';
import { Proxy } from './support/proxy.ts';

const AT_ONCE = 3;
/** Above the longest wait for an answer, twice. */
const TEST_MS_MAX = 60_000;

onPostgres('of connections that are forgotten', (cluster) => {
  test(
    'one is waited for in vain, and the others are made anew',
    async () => {
      const { proxy, url } = await Proxy.before(await cluster().database());
      const store = await openPostgresStore({ url });
      try {
        // So many are open, for reading and for writing, because none is given back before all are there.
        const { promise: all, resolve } = Promise.withResolvers<void>();
        let there = 0;
        const holding = async (): Promise<void> => {
          there += 1;
          if (there === 2 * AT_ONCE) resolve();
          await all;
        };
        const held = Array.from({ length: AT_ONCE }, () => [
          store.write(async () => holding(), 'none'),
          store.read(async () => holding()),
        ]);
        await Promise.all(held.flat());
        proxy.forget();

        await expect(store.write(async (tx) => tx.saveUptime(1), 'none')).rejects.toThrow(/Query read timeout/);
        // Each of the others would be waited for as long, and then fail.
        await store.write(async (tx) => tx.saveUptime(2), 'none');
        await store.read(async (tx) => tx.follower());
        await Promise.all(
          Array.from({ length: AT_ONCE }, async () => store.write(async (tx) => tx.saveUptime(3), 'none')),
        );
      } finally {
        await store.close();
        await proxy.close();
      }
    },
    TEST_MS_MAX,
  );
});
