/** A gateway on a real PostgreSQL whose commits wait for a synchronous standby that is away: callers hear so in time, and nothing is done twice. */
import { expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClock } from '../../server/app/environment.ts';
import { createGatewayCore, createGatewayFront } from '../../server/gateway/index.ts';
import { openPostgresStore } from '../../server/store/index.ts';
import { operatorSeed, signedTransfer, testGenesis } from '../ledger/support.ts';
import { onPostgres } from '../store/support/stores.ts';
import { ALICE, inputOf } from './support/fixture.ts';
import { TestEngine } from './support/test-engine.ts';

/** What a caller is promised. */
const ANSWER_MS_MAX = 5_000;
const RETRY_MS = 100;

onPostgres('a gateway whose database waits for its standby', (cluster) => {
  test('answers within 5 s, takes nothing more meanwhile, says so in readiness, and knows the transfer afterwards', async () => {
    const clock = createClock();
    const engine = new TestEngine(testGenesis(), clock);
    const log = (): void => {};
    const store = await openPostgresStore({ url: await cluster().storeDatabase() });
    const core = await createGatewayCore({
      store,
      engine,
      genesis: engine.genesis,
      operatorSeed: operatorSeed(0),
      clock,
      logger: { debug: log, info: log, warn: log, error: log },
      onFatal: () => undefined,
      gatewayId: 'one',
    });
    const gateway = createGatewayFront(core, { chain: engine.genesis, clock });
    const standby = async (name: string): Promise<void> => {
      await cluster().query(`alter system set synchronous_standby_names = '${name}'`);
      await cluster().query('select pg_reload_conf()');
    };
    const timed = async <T>(work: Promise<T>): Promise<T> => {
      const beganMs = performance.now();
      const answer = await work;
      expect(performance.now() - beganMs).toBeLessThan(ANSWER_MS_MAX);
      return answer;
    };
    const input = inputOf(signedTransfer({ nonce: 0 }));
    try {
      expect(await gateway.submit(inputOf(signedTransfer({ from: 1, nonce: 0 })), ALICE)).toMatchObject({ ok: true });
      await standby('away');
      // The setting reaches the sessions a moment after the reload.
      for (let from = 2; (await timed(gateway.submit(inputOf(signedTransfer({ from, nonce: 0 })), ALICE))).ok; from++)
        await sleep(RETRY_MS);
      expect(await timed(gateway.submit(input, ALICE))).toMatchObject({
        ok: false,
        code: 'store_unavailable',
        txHash: expect.any(String),
        retryAfterS: expect.any(Number),
      });
      expect(await timed(gateway.readiness())).toMatchObject({ ready: false, code: 'store_unavailable' });
      expect(await timed(gateway.list({ limit: 10 }))).toMatchObject({ ok: true });
      await standby('');
      let answer = await timed(gateway.submit(input, ALICE));
      for (; !answer.ok; answer = await timed(gateway.submit(input, ALICE))) await sleep(RETRY_MS);
      expect(await timed(gateway.submit(input, ALICE))).toMatchObject({ ok: true, replayed: true });
      expect(engine.mempool.length).toBe(new Set(engine.mempool.map(({ hash }) => hash)).size);
    } finally {
      await standby('');
      await core.close();
      await store.close();
    }
  }, 60_000);
});
