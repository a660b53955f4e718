/** Two gateways on a real PostgreSQL that is replaced by an older copy of itself under them. */
import { expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClock } from '../../server/app/environment.ts';
import type { Gateway, GatewayCore } from '../../server/gateway/index.ts';
import { createGatewayCore, createGatewayFront } from '../../server/gateway/index.ts';
import type { Store } from '../../server/store/index.ts';
import { openPostgresStore } from '../../server/store/index.ts';
import { operatorSeed, signedTransfer, testGenesis } from '../ledger/support.ts';
import { onPostgres } from '../store/support/stores.ts';
import { ALICE, inputOf } from './support/fixture.ts';
import { TestEngine } from './support/test-engine.ts';

const LOOK_MS = 50;
const WAIT_MS_MAX = 20_000;

interface Member {
  store: Store;
  core: GatewayCore;
  gateway: Gateway;
  fatal: Error[];
}

async function until(what: () => boolean | Promise<boolean>): Promise<void> {
  for (const endMs = Date.now() + WAIT_MS_MAX; !(await what()); await sleep(LOOK_MS))
    if (Date.now() > endMs) throw new Error('it did not happen');
}

onPostgres('gateways whose database steps back', (cluster) => {
  test('end, so that they begin from what it holds; then everything on the chain is settled again', async () => {
    const clock = createClock();
    const engine = new TestEngine(testGenesis(), clock);
    const url = await cluster().storeDatabase();
    const name = new URL(url).pathname.slice(1);
    const log = (): void => {};
    const open = async (gatewayId: string): Promise<Member> => {
      const fatal: Error[] = [];
      const store = await openPostgresStore({ url });
      const core = await createGatewayCore({
        store,
        engine,
        genesis: engine.genesis,
        operatorSeed: operatorSeed(0),
        clock,
        logger: { debug: log, info: log, warn: log, error: log },
        onFatal: (error) => fatal.push(error),
        gatewayId,
      });
      return { store, core, gateway: createGatewayFront(core, { chain: engine.genesis, clock }), fatal };
    };
    const close = async ({ core, store }: Member): Promise<void> => {
      await core.close();
      await store.close();
    };
    const pay = async ({ gateway }: Member, nonce: number): Promise<string> => {
      const answer = await gateway.submit(inputOf(signedTransfer({ nonce })), ALICE);
      if (!answer.ok) throw new Error(answer.detail);
      await until(() => engine.mempool.some(({ hash }) => hash === answer.transaction.txHash));
      engine.block();
      await until(
        async () => ((await gateway.get(answer.transaction.txHash)) as { status?: string }).status === 'committed',
      );
      return answer.transaction.txHash;
    };
    const members = [await open('one'), await open('two')];
    try {
      const [one, two] = members as [Member, Member];
      await pay(one, 0);
      // A copy needs a moment without sessions; both gateways connect again by themselves.
      await cluster().query(`alter database ${name} allow_connections false`);
      await until(async () => {
        await cluster().query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
        return await cluster()
          .query(`create database copy_of_${name} template ${name}`)
          .then(
            () => true,
            () => false,
          );
      });
      await cluster().query(`alter database ${name} allow_connections true`);
      await until(async () => (await one.gateway.readiness()).ready && (await two.gateway.readiness()).ready);
      const lost = await pay(two, 1);
      await cluster().query(`alter database ${name} allow_connections false`);
      await until(async () => {
        await cluster().query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
        return await cluster()
          .query(`alter database ${name} rename to lost_${name}`)
          .then(
            () => true,
            () => false,
          );
      });
      await cluster().query(`alter database copy_of_${name} rename to ${name}`);
      await cluster().query(`alter database ${name} allow_connections true`);
      await until(() => {
        engine.block();
        return members.every(({ fatal }) => fatal.length === 1);
      });
      for (const { fatal, gateway } of members) {
        expect(fatal[0]?.message).toMatch(/^the database stands at block \d+, and it stood at block \d+ before/);
        expect(await gateway.submit(inputOf(signedTransfer({ nonce: 2 })), ALICE)).toMatchObject({
          ok: false,
          code: 'engine_unavailable',
        });
      }
      await Promise.all(members.splice(0).map(close));
      members.push(await open('three'));
      await until(
        async () => ((await members[0]!.gateway.get(lost)) as { status?: string } | undefined)?.status === 'committed',
      );
      expect(await pay(members[0]!, 2)).toMatch(/^[0-9A-F]{64}$/);
    } finally {
      await Promise.all(members.map(close));
    }
  }, 60_000);
});
