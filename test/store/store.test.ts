/** What the store promises, whichever database it stands on. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { NewTransfer, Store, WriteTransaction } from '../../server/store/index.ts';
import { StoreConflictError } from '../../server/store/index.ts';
import { account, hashOf, transfer } from './support/rows.ts';
import type { Database } from './support/stores.ts';
import { onEachDatabase } from './support/stores.ts';
import { acceptedRows, countOn, lastSeq } from './support/accepted-rows.ts';

onEachDatabase('the store', (fresh) => {
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

  const insert = (...rows: NewTransfer[]) => store.write((tx) => tx.insertTransfers(rows));

  describe('a transaction', () => {
    test('is visible to nobody before its commit, and to readers without waiting', async () => {
      let release = (): void => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      const writing = store.write(async (tx) => {
        await tx.saveAccounts([account(1)]);
        await held;
      });
      expect(await store.read((tx) => tx.accountsByAddress(['address-1']))).toEqual([]);
      release();
      await writing;
      expect(await store.read((tx) => tx.accountsByAddress(['address-1']))).toEqual([account(1)]);
    });

    test('that throws leaves nothing', async () => {
      const fails = async (tx: WriteTransaction): Promise<void> => {
        await tx.saveAccounts([account(1)]);
        throw new Error('changed my mind');
      };
      await expect(store.write(fails)).rejects.toThrow('changed my mind');
      expect(await store.read((tx) => tx.accountsById([1]))).toEqual([]);
      await store.write((tx) => tx.saveAccounts([account(1)]));
    });

    test('runs nothing of itself after one of its statements failed', async () => {
      await store.write((tx) => tx.saveAccounts([account(1), account(2)]));
      await insert(transfer(1));
      let ended: WriteTransaction | undefined;
      let beside: Promise<void> | undefined;
      const work = (tx: WriteTransaction): Promise<unknown> => {
        ended = tx;
        const failing = tx.insertTransfers([transfer(1)]);
        beside = tx.saveAccounts([account(3)]);
        return Promise.all([failing, beside]);
      };
      await expect(store.write(work)).rejects.toThrow(StoreConflictError);
      await beside?.catch(() => undefined);
      await expect(ended?.saveAccounts([account(4)])).rejects.toThrow('after the end of its transaction');
      expect(await store.read((tx) => tx.accountsById([3, 4]))).toEqual([]);
    });

    test('keeps the order in which its statements were asked for', async () => {
      const seen = await store.write(async (tx) => {
        const [, found, , later] = await Promise.all([
          tx.saveAccounts([account(1)]),
          tx.accountsById([1, 2]),
          tx.saveAccounts([account(2)]),
          tx.accountsById([1, 2]),
        ]);
        return [found.length, later.length];
      });
      expect(seen).toEqual([1, 2]);
    });

    test('takes turns with others: a counter read and written is never lost', async () => {
      const take = () =>
        store.write(async (tx) => {
          await countOn(tx);
        });
      await Promise.all(Array.from({ length: 50 }, take));
      expect(await store.write(lastSeq)).toBe(50);
    });

    test('reads one snapshot from its first query to its last', async () => {
      await store.write((tx) => tx.saveAccounts([account(1)]));
      const seen = await store.read(async (tx) => {
        const [before] = await tx.accountsById([1]);
        await store.write((other) => other.saveAccounts([{ ...account(1), balance: 0n }]));
        const [after] = await tx.accountsById([1]);
        return [before?.balance, after?.balance];
      });
      expect(seen[0]).toBe(seen[1]);
    });
  });

  test('answers one question without a transaction around it', async () => {
    await store.write((tx) => tx.saveAccounts([account(1), account(2)]));
    await insert(transfer(1), transfer(2, { nonce: 8, hash: hashOf(2) }));
    expect(await store.now.transferByHash(hashOf(2))).toMatchObject({ seq: 2, nonce: 8 });
    const questions = Array.from({ length: 20 }, (_, i) => store.now.transferByHash(hashOf(i + 1)));
    expect((await Promise.all(questions)).map((found) => found?.seq)).toEqual([
      1,
      2,
      ...Array<undefined>(18).fill(undefined),
    ]);
  });

  test('tells and changes all that a group of submissions needs', async () => {
    const state = {
      chainId: 'chain-1',
      genesisHash: 'G',
      height: 0,
      hash: '',
      blockTimeMs: 1,
      uptimeMs: 0,
      verifiedHeight: 0,
    };
    const binding = { address: 'address-2', owner: 'bob', boundAtMs: Number.MAX_SAFE_INTEGER };
    const owner = { id: 1, name: 'owner "1"', pending: 1 };
    await store.write(async (tx) => {
      await tx.createFollower(state);
      await tx.saveBinding(binding);
      await tx.saveAccounts([account(1)]);
    });
    const needs = {
      addresses: ['address-1', 'address-2', 'address-3'],
      senders: ['address-1', 'address-2'],
      owners: [owner.name, 'nobody'],
    };
    const before = await store.write((tx) => tx.groupStanding(needs));
    expect(before.shards).toHaveLength(store.shards);
    expect(before).toEqual({
      shards: before.shards,
      follower: state,
      accounts: [account(1)],
      bindings: [binding],
      owners: [],
    });

    const shard = { id: 0, lastSeq: Number.MAX_SAFE_INTEGER, pending: 1 };
    const changed = { ...account(1), reserved: 2n ** 128n - 1n };
    await store.write((tx) =>
      tx.saveAccepted({
        shards: [shard],
        senders: [changed],
        newAccounts: [account(2)],
        newOwners: [owner],
        ownerChanges: [{ ownerId: 1, shard: 0, count: 1 }],
        transfers: [transfer(1, { ownerId: 1 })],
      }),
    );
    const after = await store.write((tx) => tx.groupStanding(needs));
    expect({ ...after, accounts: after.accounts.toSorted((a, b) => a.id - b.id) }).toEqual({
      shards: [shard, ...before.shards.slice(1)],
      follower: state,
      accounts: [changed, account(2)],
      bindings: [binding],
      owners: [owner],
    });
    expect(await store.now.transferByHash(hashOf(1))).toMatchObject({ owner: owner.name, from: 'address-1' });

    const again = acceptedRows({
      shards: [{ ...shard, pending: 2 }],
      accounts: [account(3)],
      transfers: [transfer(1)],
    });
    // Whatever was sent with it fails as well, and first where it has fewer steps: the conflict is what is told.
    await expect(
      store.write((tx) => Promise.all([tx.saveAccepted(again), tx.announce({ kind: 'accepted' })])),
    ).rejects.toThrow(StoreConflictError);
    expect(await store.write((tx) => tx.groupStanding(needs))).toEqual(after);
  });

  test('finds transfers by their own hashes and by those they were executed as, and cancels many at once', async () => {
    await store.write((tx) => tx.saveAccounts([account(1), account(2)]));
    await insert(
      transfer(1, { nonce: 7 }),
      transfer(2, { nonce: 8, hash: hashOf(2) }),
      transfer(3, { nonce: 9, hash: hashOf(3) }),
    );
    const settlement = {
      status: 'committed' as const,
      reason: undefined,
      reasonHash: undefined,
      height: 3,
      blockTimeMs: 4,
    };
    await store.write((tx) => tx.settleTransfers([{ ...settlement, seq: 2, executedAs: 'C'.repeat(64) }]));
    const find = (...hashes: string[]) =>
      store.read(async (tx) => (await tx.transfersByHash(hashes)).map(({ seq }) => seq).sort());
    expect(await find(hashOf(1), 'C'.repeat(64), hashOf(9))).toEqual([1, 2]);
    expect(await find(hashOf(2), 'C'.repeat(64))).toEqual([2]);

    expect(
      (
        await store.write((tx) =>
          tx.requestCancels(
            [1, 2, 3, 4].map((seq) => ({ seq })),
            5,
          ),
        )
      ).sort(),
    ).toEqual([1, 3]);
    expect(await store.write((tx) => tx.requestCancels([{ seq: 1 }, { seq: 3 }], 6))).toEqual([]);
    expect(await store.now.transferByHash(hashOf(3))).toMatchObject({ cancelRequestedAtMs: 5 });
  });

  test('names the nonces that are pending as runs without a gap, with the first whose cancel was asked for', async () => {
    await store.write((tx) => tx.saveAccounts([account(1), account(2)]));
    const at = (fromId: number, nonces: number[]) =>
      nonces.map((nonce) => transfer(fromId * 1000 + nonce, { fromId, nonce, hash: hashOf(fromId * 1000 + nonce) }));
    await insert(...at(1, [4, 5, 6, 8, 9, 20, 21]), ...at(2, [0]));
    await store.write((tx) => tx.requestCancels([{ seq: 1009 }], 1));
    expect(await store.read((tx) => tx.pendingNonces([1, 2, 3]))).toEqual([
      { fromId: 1, first: 4, count: 3 },
      { fromId: 1, first: 8, count: 2, cancelled: 9 },
      { fromId: 1, first: 20, count: 2 },
      { fromId: 2, first: 0, count: 1 },
    ]);
  });

  describe('rows', () => {
    beforeEach(() => store.write((tx) => tx.saveAccounts([account(1), account(2)])));

    test('keep the largest values exactly', async () => {
      expect(await store.read((tx) => tx.accountsById([1]))).toEqual([account(1)]);
      await insert(transfer(1, { amount: 2n ** 128n - 1n, nonce: Number.MAX_SAFE_INTEGER }));
      expect(
        await store.read((tx) => tx.transfersAt([{ from: 'address-1', nonce: Number.MAX_SAFE_INTEGER }])),
      ).toMatchObject([
        {
          amount: 2n ** 128n - 1n,
          nonce: Number.MAX_SAFE_INTEGER,
          signature: 'ab'.repeat(64),
          hash: hashOf(1),
          owner: undefined,
        },
      ]);
    });

    test('hold a nonce once while pending, committed or failed by execution, and not otherwise', async () => {
      await insert(transfer(1, { nonce: 9 }));
      await expect(insert(transfer(2, { nonce: 9, amount: 6n }))).rejects.toThrow(StoreConflictError);
      await insert(transfer(2, { nonce: 9, amount: 6n, status: 'failed', reason: 'superseded_by_payment' }));
      await insert(transfer(4, { nonce: 10, hash: hashOf(4), status: 'committed' }));
      await expect(insert(transfer(5, { nonce: 10, amount: 6n, status: 'committed' }))).rejects.toThrow(
        StoreConflictError,
      );
      await expect(
        insert(transfer(5, { nonce: 10, amount: 6n, status: 'failed', reason: 'insufficient_funds' })),
      ).rejects.toThrow(StoreConflictError);
      await insert(transfer(3, { nonce: 9, amount: 7n, status: 'cancelled' }));
      expect(await store.read((tx) => tx.pendingNonces([1]))).toEqual([{ fromId: 1, first: 9, count: 1 }]);
    });

    test('are one for each payment and for each hash', async () => {
      await insert(transfer(1, { nonce: 9, status: 'cancelled' }), transfer(3));
      await expect(insert(transfer(2, { nonce: 9, status: 'failed', reason: 'superseded_by_void' }))).rejects.toThrow(
        StoreConflictError,
      );
      await expect(insert(transfer(2, { hash: hashOf(1), status: 'expired' }))).rejects.toThrow(StoreConflictError);
      await expect(insert(transfer(4, { hash: hashOf(3) }))).rejects.toThrow(StoreConflictError);
    });

    test('are found by hash wherever they stand in a long history', async () => {
      const [pending, ...settled] = [50_000_001, 5, 2 ** 24 - 1, 2 ** 24, 35_000_000, 50_000_000].map((seq, i) =>
        transfer(seq, { nonce: i, hash: hashOf(seq), status: i === 0 ? 'pending' : 'committed' }),
      );
      await insert(pending!, ...settled);
      const all = [pending!, ...settled].map(({ hash }) => hash);
      for (const { hash, seq } of [pending!, ...settled])
        expect(await store.read((tx) => tx.transferByHash(hash))).toMatchObject({ seq });
      expect(await store.read((tx) => tx.transferByHash(hashOf(6)))).toBeUndefined();
      const found = await store.read((tx) => tx.transfersByHash([...all, hashOf(6)]));
      expect(found.map(({ seq }) => seq).toSorted((a, b) => a - b)).toEqual([
        5,
        2 ** 24 - 1,
        2 ** 24,
        35_000_000,
        50_000_000,
        50_000_001,
      ]);
      expect((await store.read((tx) => tx.settledAmong([...all, hashOf(6)]))).toSorted()).toEqual(
        all.slice(1).toSorted(),
      );
      expect(await store.read((tx) => tx.submission(settled[0]!.hash))).toMatchObject({ hash: settled[0]!.hash });
    });

    test('are settled while pending only, and then never again', async () => {
      await insert(transfer(1));
      const settlement = {
        seq: 1,
        status: 'committed' as const,
        reason: undefined,
        reasonHash: undefined,
        executedAs: 'C'.repeat(64),
        height: 3,
        blockTimeMs: 4,
        broadcastAtMs: 2,
      };
      expect(await store.write((tx) => tx.settleTransfers([settlement]))).toBe(1);
      expect(await store.write((tx) => tx.settleTransfers([{ ...settlement, status: 'failed' }]))).toBe(0);
      expect(await store.write((tx) => tx.requestCancels([{ seq: 1 }], 5))).toEqual([]);
      const found = await store.read((tx) => tx.transferByHash('C'.repeat(64)));
      expect(found).toMatchObject({ status: 'committed', height: 3, broadcastAtMs: 2 });
    });
  });

  describe('the follower', () => {
    const state = {
      chainId: 'chain-1',
      genesisHash: 'G',
      height: 0,
      hash: '',
      blockTimeMs: 1,
      uptimeMs: 0,
      verifiedHeight: 0,
    };

    test('advances from its height and its hash only, on its chain', async () => {
      await store.write((tx) => tx.createFollower(state));
      const to = { chainId: 'chain-1', height: 1, hash: 'A', blockTimeMs: 2, uptimeMs: 3 };
      const advance = (block: typeof to, parent: string) => store.write((tx) => tx.advanceFollower(block, parent));
      expect(await advance(to, 'X')).toBe(false);
      expect(await advance({ ...to, height: 2 }, '')).toBe(false);
      expect(await advance({ ...to, chainId: 'chain-2' }, '')).toBe(false);
      expect(await advance(to, '')).toBe(true);
      expect(await advance(to, '')).toBe(false);
      expect(await store.read((tx) => tx.follower())).toEqual({ ...state, ...to, verifiedHeight: 1 });
    });

    test('is verified up to a block when it was up to the one before, or when the whole chain was', async () => {
      await store.write((tx) => tx.createFollower({ ...state, height: 5, hash: 'E', verifiedHeight: 4 }));
      const step = (height: number, hash: string) => ({
        chainId: 'chain-1',
        height,
        hash,
        blockTimeMs: 2,
        uptimeMs: 3,
      });
      const verified = async () => (await store.read((tx) => tx.follower()))?.verifiedHeight;
      expect(await store.write((tx) => tx.advanceFollower(step(6, 'F'), 'E'))).toBe(true);
      expect(await verified()).toBe(4);
      expect(await store.write((tx) => tx.advanceFollower({ ...step(7, 'G'), verifiedFromGenesis: true }, 'F'))).toBe(
        true,
      );
      expect(await verified()).toBe(7);
      expect(await store.write((tx) => tx.advanceFollower(step(8, 'H'), 'G'))).toBe(true);
      expect(await verified()).toBe(8);
    });

    test('keeps the validator sets by height', async () => {
      const [a, b] = [[{ publicKey: 'aa', power: 1 }], [{ publicKey: 'bb', power: Number.MAX_SAFE_INTEGER }]];
      await store.write((tx) =>
        tx.saveValidatorSets([
          { height: 7, validators: b },
          { height: 1, validators: b },
        ]),
      );
      await store.write((tx) => tx.saveValidatorSets([{ height: 1, validators: a }]));
      expect(await store.read((tx) => tx.validatorSets())).toEqual([
        { height: 1, validators: a },
        { height: 7, validators: b },
      ]);
    });
  });
});
