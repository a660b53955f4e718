/** Two gateways on a real PostgreSQL, by the real clock, that is killed and comes back under them. */
import { expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClock } from '../../server/app/environment.ts';
import type { Gateway, GatewayCore, TransactionRecord } from '../../server/gateway/index.ts';
import { createGatewayCore, createGatewayFront } from '../../server/gateway/index.ts';
import type { Store } from '../../server/store/index.ts';
import { openPostgresStore } from '../../server/store/index.ts';
import { operatorSeed, signedTransfer, testGenesis } from '../ledger/support.ts';
import { onPostgres } from '../store/support/stores.ts';
import { ALICE, inputOf } from './support/fixture.ts';
import { TestEngine } from './support/test-engine.ts';

const SENDERS = 5;
const EACH = 40;
const BLOCK_MS = 150;
/** From the database's return to the last settlement, with time for the slowest rebroadcast. */
const SETTLE_MS_MAX = 60_000;

interface Member {
  store: Store;
  core: GatewayCore;
  gateway: Gateway;
}

onPostgres('two gateways on one PostgreSQL', (cluster) => {
  test('keep what they promise while it is killed, and one of them is', async () => {
    const clock = createClock();
    const engine = new TestEngine(testGenesis(), clock);
    const url = await cluster().storeDatabase();
    const log = (): void => {};
    const fatal: Error[] = [];
    const open = async (gatewayId: string): Promise<Member> => {
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
      return { store, core, gateway: createGatewayFront(core, { chain: engine.genesis, clock }) };
    };
    const members = [await open('one'), await open('two')];
    const blocks = setInterval(() => engine.block(), BLOCK_MS);
    const acknowledged = new Set<string>();
    const cancelled = new Set<string>();
    try {
      const client = async (from: number): Promise<void> => {
        for (let nonce = 0; nonce < EACH; nonce++) {
          const transfer = signedTransfer({ from, nonce });
          for (;;) {
            const answer = await members[(from + nonce) % members.length]!.gateway.submit(inputOf(transfer), ALICE);
            if (answer.ok) break;
            await sleep(50);
          }
          acknowledged.add(transfer.hash);
          if (nonce % 8 === 3) {
            const answer = await members[nonce % members.length]!.gateway.cancel(transfer.hash, ALICE, 0);
            if (answer.ok && answer.decided) cancelled.add(transfer.hash);
          }
          await sleep(20);
        }
      };
      const clients = Array.from({ length: SENDERS }, (_, from) => client(from));
      await sleep(500);
      await cluster().kill9();
      await sleep(1500);
      await cluster().restart();
      await sleep(1000);
      const [first] = members.splice(0, 1);
      await first!.core.close();
      await first!.store.close();
      members.push(await open('three'));
      await Promise.all(clients);
      const all = async ({ gateway }: Member): Promise<TransactionRecord[]> => {
        const page = await gateway.list({ limit: 1000 });
        return page.ok ? page.transactions : [];
      };
      const endMs = Date.now() + SETTLE_MS_MAX;
      let lists: TransactionRecord[][] = [];
      do {
        await sleep(BLOCK_MS);
        lists = await Promise.all(members.map(all));
      } while (Date.now() < endMs && lists.some((list) => list.some(({ status }) => status === 'pending')));
      expect(lists[0]).toEqual(lists[1]);
      expect(new Set(lists[0]!.map(({ txHash }) => txHash))).toEqual(acknowledged);
      const ran = new Set(
        engine.committed.flatMap(({ transactions }) => transactions.map((raw) => Buffer.from(raw).toString())),
      );
      expect(ran.size).toBe(engine.committed.reduce((sum, { transactions }) => sum + transactions.length, 0));
      for (const { txHash, status } of lists[0]!) {
        expect(['committed', 'cancelled']).toContain(status);
        if (cancelled.has(txHash)) expect(status).toBe('cancelled');
      }
      expect(fatal).toEqual([]);
    } finally {
      clearInterval(blocks);
      for (const { core, store } of members) {
        await core.close();
        await store.close();
      }
    }
  }, 120_000);
});
