/** Idempotency keys in the rows: each owner's own, the longest, under groups that race for one. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { acceptGroup } from '../../server/gateway/accept/accept-group.ts';
import type { Store } from '../../server/store/index.ts';
import { openPostgresStore, StoreConflictError } from '../../server/store/index.ts';
import { accepting, initialise, submission } from './support/accepting.ts';
import { account, hashOf, transfer } from './support/rows.ts';
import type { Database } from './support/stores.ts';
import { onEachDatabase, onPostgres } from './support/stores.ts';
import { acceptedRows, pendingCount } from './support/accepted-rows.ts';

const RACERS = 30;

/** Each of many groups asks for another transfer under one key, each from an account of its own. */
async function race(storeOf: (i: number) => Store): Promise<void> {
  const wanted = Array.from({ length: RACERS }, (_, i) => ({
    ...submission(i % 10, Math.floor(i / 10)),
    owner: 'acme',
    idempotencyKey: 'the one',
  }));
  const outcomes = await Promise.all(
    wanted.map(async (one, i) => (await acceptGroup(accepting(storeOf(i)), [one])).judgements[0]),
  );
  const winners = wanted.filter((_, i) => outcomes[i]?.kind === 'accepted');
  expect(winners).toHaveLength(1);
  for (const outcome of outcomes.filter((one) => one?.kind !== 'accepted')) {
    expect(outcome).toMatchObject({
      kind: 'refused',
      refusal: { code: 'idempotency_key_reused', txHash: winners[0]?.txHash },
    });
  }
  expect(await storeOf(0).read(pendingCount)).toBe(1);
}

onEachDatabase('idempotency keys', (fresh) => {
  let database: Database;
  let store: Store;
  beforeEach(async () => {
    database = await fresh();
    store = await database.open();
  });
  afterEach(async () => {
    await store.close();
    await database.remove();
  });

  test('are found by owner and key, whatever characters they are made of, and are written once', async () => {
    const longest = `${'"\\'.repeat(126)} é`.slice(0, 255);
    const owners = [1, 2].map((id) => ({ id, name: `owner "${id}"` }));
    const transfers = [
      transfer(1, { ownerId: 1, idempotencyKey: longest }),
      transfer(2, { ownerId: 2, idempotencyKey: longest, hash: hashOf(2) }),
      transfer(3, { ownerId: 2, hash: hashOf(3) }),
    ];
    await store.write(async (tx) =>
      tx.saveAccepted(acceptedRows({ accounts: [account(1), account(2)], owners, transfers })),
    );
    const find = (...keys: string[]) =>
      store.read(async (tx) =>
        (
          await tx.transfersByKey(
            ['owner "1"', 'owner "2"', 'another'].flatMap((owner) => keys.map((key) => ({ owner, key }))),
          )
        ).map((found) => [found.owner, found.key, found.transfer.seq]),
      );
    expect((await find(longest, 'another')).toSorted()).toEqual([
      ['owner "1"', longest, 1],
      ['owner "2"', longest, 2],
    ]);
    expect(await find()).toEqual([]);
    const again = transfer(4, { ownerId: 1, idempotencyKey: longest, hash: hashOf(4) });
    await expect(store.write(async (tx) => tx.saveAccepted(acceptedRows({ transfers: [again] })))).rejects.toThrow(
      StoreConflictError,
    );
    expect(await store.now.transferByHash(hashOf(4))).toBeUndefined();
  });

  test('that many groups ask for at once go to exactly one transfer', async () => {
    await initialise(store);
    await race(() => store);
  });
});

onPostgres('idempotency keys of gateways that share a database', (cluster) => {
  test('go to exactly one transfer, whichever gateway is asked', async () => {
    const url = await cluster().database();
    const stores = await Promise.all([1, 2].map(() => openPostgresStore({ url })));
    await Promise.all(stores.map(initialise));
    await race((i) => stores[i % stores.length] as Store);
    for (const store of stores) await store.close();
  });
});
