/** What a gateway far from its database costs: a group of submissions is two round trips, and of one lock it holds the time of one. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { acceptGroup } from '../../server/gateway/accept/accept-group.ts';
import { requestCancels } from '../../server/gateway/request-cancels.ts';
import type { Store } from '../../server/store/index.ts';
import { openPostgresStore, StoreConflictError } from '../../server/store/index.ts';
import { shardOf } from '../../server/store/shards.ts';
import { devAddress, operatorAddress } from '../ledger/support.ts';
import { accepting, initialise, submission } from './support/accepting.ts';
import { acceptedRows } from './support/accepted-rows.ts';
import { Proxy } from './support/proxy.ts';
import { transfer } from './support/rows.ts';
import { onPostgres } from './support/stores.ts';

/** Long enough that all that is sent in one turn is on its way before anything is answered. */
const DELAY_MS = 20;

onPostgres('a gateway far from its database', (cluster) => {
  let near: Store;
  let far: Store;
  let proxy: Proxy;
  beforeEach(async () => {
    const url = await cluster().database();
    near = await openPostgresStore({ url });
    await initialise(near);
    const through = await Proxy.before(url, { delayMs: DELAY_MS });
    proxy = through.proxy;
    far = await openPostgresStore({ url: through.url });
    // Its connection is made and its ids are at hand.
    await acceptGroup(accepting(far), [submission(0, 0)]);
  });
  afterEach(async () => {
    await near.close();
    await far.close();
    await proxy.close();
  });

  test('accepts a group in two round trips, with new receivers, a new owner and a key: the locks come with the first, the commit with the second', async () => {
    proxy.flights = [];
    const group = [
      { ...submission(1, 0), owner: 'new', idempotencyKey: 'key' },
      { ...submission(2, 0), to: operatorAddress(1) },
      { ...submission(3, 5), to: operatorAddress(2) },
    ];
    const { judgements } = await acceptGroup(accepting(far), group);
    expect(judgements.map((judgement) => judgement?.kind)).toEqual(['accepted', 'accepted', 'accepted']);
    expect(
      proxy.flights.map((sent) => [
        /for update/.test(sent),
        /insert into pending/.test(sent),
        /Q[^]{4}commit/.test(sent),
      ]),
    ).toEqual([
      [true, false, false],
      [false, true, true],
    ]);
    expect((await near.now.transferByHash(group[2]!.txHash))?.to).toBe(operatorAddress(2));
  });

  test('that meets the row of another in its last message writes nothing and says so', async () => {
    const [account] = await near.read((tx) => tx.accountsByAddress([devAddress(0)]));
    const clash = acceptedRows({
      shards: [{ id: 0, lastSeq: 4711, pending: 9 }],
      transfers: [transfer(999, { fromId: account!.id, nonce: 0, hash: 'AB'.repeat(32) })],
    });
    await expect(far.write((tx) => tx.saveAccepted(clash))).rejects.toThrow(StoreConflictError);
    expect((await near.read((tx) => tx.shards()))[0]?.lastSeq).not.toBe(4711);
  });

  test('does not stop the others, whose groups take the shards that are free and leave the rest', async () => {
    const senders = Array.from({ length: 10 }, (_, i) => i);
    const held = shardOf(devAddress(1), near.shards);
    let release = (): void => undefined;
    const over = new Promise<void>((resolve) => (release = resolve));
    let locked = (): void => undefined;
    const locks = new Promise<void>((resolve) => (locked = resolve));
    const holding = far.write(
      async (tx) => {
        expect(await tx.locked()).toEqual([held]);
        locked();
        await over;
      },
      { shards: [held], waits: true },
    );
    await locks;
    const group = senders.map((from) => submission(from, from === 0 ? 1 : 0));
    const { judgements } = await acceptGroup(accepting(near), group, false);
    expect(judgements.map((judgement) => judgement?.kind)).toEqual(
      senders.map((from) => (shardOf(devAddress(from), near.shards) === held ? undefined : 'accepted')),
    );
    const waiting = acceptGroup(accepting(near), [group[1]!]);
    release();
    await holding;
    expect((await waiting).judgements).toMatchObject([{ kind: 'accepted' }]);
  });

  test('asks for cancels of one sender beside those who write of another', async () => {
    const [first, second] = [0, 1].map((i) =>
      submission(
        i === 0
          ? 1
          : Array.from({ length: 9 }, (_, j) => j + 1).find(
              (j) => shardOf(devAddress(j), near.shards) !== shardOf(devAddress(1), near.shards),
            )!,
        0,
      ),
    );
    await acceptGroup(accepting(near), [first!, second!]);
    const alice = { tokenId: 't', owner: 'alice', scopes: ['transactions:cancel-any' as const] };
    let cancelled: unknown;
    await far.write(
      async (tx) => {
        await tx.locked();
        cancelled = await requestCancels(near, [{ txHash: second!.txHash, principal: alice }], 5);
      },
      { shards: [shardOf(first!.from, near.shards)], waits: true },
    );
    expect(cancelled).toMatchObject([{ kind: 'requested' }]);
  });

  test('finds what another accepts and settles meanwhile: a nonce is held once over pending and settled rows', async () => {
    const nonces = Array.from({ length: 10 }, (_, nonce) => nonce);
    proxy.flights = [];
    const atFar = acceptGroup(
      accepting(far),
      nonces.map((nonce) => submission(4, nonce, 2n)),
    );
    const atNear = async (): Promise<void> => {
      for (const nonce of nonces) {
        const { accepted } = await acceptGroup(accepting(near), [submission(4, nonce, 3n)]);
        await near.write((tx) =>
          tx.settleTransfers(
            accepted.map(({ transfer: { seq } }) => ({
              seq,
              status: 'committed',
              reason: undefined,
              reasonHash: undefined,
              executedAs: undefined,
              height: 1,
              blockTimeMs: 1,
            })),
          ),
        );
      }
    };
    const [{ judgements }] = await Promise.all([atFar, atNear()]);
    const held = await near.read((tx) => tx.transfersAt(nonces.map((nonce) => ({ from: devAddress(4), nonce }))));
    expect(held.map(({ nonce }) => nonce).toSorted((a, b) => a - b)).toEqual(nonces);
    for (const [nonce, judgement] of judgements.entries()) {
      const isFar = held.some((row) => row.nonce === nonce && row.amount === 2n);
      expect(judgement).toMatchObject(
        isFar ? { kind: 'accepted' } : { kind: 'refused', refusal: { code: 'nonce_conflict' } },
      );
    }
  });
});
