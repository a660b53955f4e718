/** Two gateways on a real PostgreSQL, by the real clock: what one settles, readers of the other learn at once. */
import { expect, test } from '@jest/globals';
import { createClock } from '../../server/app/environment.ts';
import { createGatewayCore, createGatewayFront } from '../../server/gateway/index.ts';
import { openPostgresStore } from '../../server/store/index.ts';
import { operatorSeed, signedTransfer, testGenesis } from '../ledger/support.ts';
import { onPostgres } from '../store/support/stores.ts';
import { readLog } from './support/event-log.ts';
import { ALICE, inputOf } from './support/fixture.ts';
import { TestEngine } from './support/test-engine.ts';

const BLOCKS = 9;
/** Half of the time after which a gateway would look by itself (CHANGES_POLL_MS): an announcement brought it. 10 ms on a quiet machine. */
const HEARD_MS_MAX = 500;

onPostgres('two gateways on one PostgreSQL', (cluster) => {
  test('tell of a block soon after it is settled, and have the same events then', async () => {
    const clock = createClock();
    const engine = new TestEngine(testGenesis(), clock);
    const url = await cluster().storeDatabase();
    const log = (): void => {};
    const open = async (gatewayId: string) => {
      const store = await openPostgresStore({ url });
      const logger = { debug: log, info: log, warn: log, error: log };
      const core = await createGatewayCore({
        store,
        engine,
        genesis: engine.genesis,
        operatorSeed: operatorSeed(0),
        clock,
        logger,
        onFatal: (error) => {
          throw error;
        },
        gatewayId,
      });
      return { store, core, gateway: createGatewayFront(core, { chain: engine.genesis, clock }) };
    };
    const [active, standby] = [await open('one'), await open('two')];
    try {
      const heardMs: number[] = [];
      for (let height = 1; height <= BLOCKS; height++) {
        expect(
          await standby.gateway.submit(inputOf(signedTransfer({ from: 0, nonce: height - 1 })), ALICE),
        ).toMatchObject({ ok: true });
        const heard = standby.gateway
          .waitForHeight(height, 10_000)
          .then((reached) => ({ reached, atMs: clock.monotonicMs() }));
        engine.block();
        await active.gateway.waitForHeight(height, 10_000);
        const settledMs = clock.monotonicMs();
        const { reached, atMs } = await heard;
        expect(reached).toBe(height);
        heardMs.push(atMs - settledMs);
        const [one, other] = await Promise.all(
          [active, standby].map(({ gateway }) => readLog(gateway, { order: 'asc' }, () => 100)),
        );
        expect(other).toEqual(one);
        expect(other!.last.height).toBe(height);
      }
      // The middle one: a busy machine can hold up a single one.
      expect(heardMs.toSorted((a, b) => a - b)[Math.floor(BLOCKS / 2)]).toBeLessThan(HEARD_MS_MAX);
      expect((await active.gateway.metrics()).active).toBe(1);
      expect((await standby.gateway.metrics()).active).toBe(0);
    } finally {
      for (const { core, store } of [active, standby]) {
        await core.close();
        await store.close();
      }
      // Wakes what still waits for a block.
      engine.block();
    }
  }, 60_000);
});
