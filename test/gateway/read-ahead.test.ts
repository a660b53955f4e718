/** A block is read and executed before its write transaction: whatever others do in between, the outcome is that of one that was read under the lock. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { acceptGroup } from '../../server/gateway/accept/accept-group.ts';
import {
  type AppliedBlock,
  type ApplyContext,
  applyBlock,
  NotNextError,
  prepareBlock,
} from '../../server/gateway/follow/apply-block.ts';
import { ContradictionError } from '../../server/gateway/follow/block-effects.ts';
import type { CommittedBlock } from '../../server/engine/port.ts';
import type { Transfer, VerifiedTransaction } from '../../server/ledger/index.ts';
import { PendingIndex } from '../../server/gateway/dispatch/pending-index.ts';
import { type Store, StoreConflictError, type StoredTransfer } from '../../server/store/index.ts';
import { devAddress, signedCancel, signedTransfer, TEST_CHAIN, TEST_CHAIN_ID, testGenesis } from '../ledger/support.ts';
import { accepting, initialise } from '../store/support/accepting.ts';
import { pendingCount } from '../store/support/accepted-rows.ts';
import { type Database, onEachDatabase } from '../store/support/stores.ts';

const GENESIS_MS = Date.parse(testGenesis().genesisTime);
const DAY_MS = 86_400_000;

type SignedTransfer = VerifiedTransaction & { readonly tx: Transfer };

describe.each([
  ['in rows', false],
  ['in memory', true],
])('a block that was read ahead, with what is pending %s,', (_, inMemory) => {
  onEachDatabase('applied', (fresh) => {
    let database: Database;
    let store: Store;
    let context: ApplyContext;
    let pending: PendingIndex;
    const pendingAt = (accountId: number, nonce: number): StoredTransfer | undefined =>
      inMemory ? pending.at(accountId, nonce) : undefined;
    beforeEach(async () => {
      database = await fresh();
      store = await database.open();
      await initialise(store);
      pending = new PendingIndex();
      context = {
        store,
        chain: TEST_CHAIN,
        actor: 'gateway:test',
        pendingTtlMs: DAY_MS,
        nowMs: GENESIS_MS,
        uptimeMs: 0,
        broadcastAtMs: () => undefined,
      };
    });
    afterEach(async () => {
      await store.close();
      await database.remove();
    });

    async function accept(...transfers: SignedTransfer[]): Promise<void> {
      const submissions = transfers.map(({ tx: { from, to, amount, nonce, signature }, hash }) => ({
        from,
        to,
        amount,
        nonce,
        signature,
        txHash: hash,
        owner: 'alice',
      }));
      const { judgements, accepted } = await acceptGroup(accepting(store), submissions);
      for (const { transfer, sender } of accepted) pending.add(transfer, sender);
      expect(judgements.map((judgement) => judgement?.kind)).toEqual(transfers.map(() => 'accepted'));
    }

    const blockOf = (...transactions: readonly { raw: Uint8Array }[]): CommittedBlock => ({
      chainId: TEST_CHAIN_ID,
      height: 1,
      hash: 'B1'.repeat(32),
      parentHash: '',
      time: new Date(GENESIS_MS + 1000).toISOString(),
      timeMs: GENESIS_MS + 1000,
      timeNs: BigInt(GENESIS_MS + 1000) * 1_000_000n,
      transactions: transactions.map(({ raw }) => raw),
      codes: transactions.map(() => 0),
      logs: transactions.map(() => ''),
      appHash: '',
    });

    /** Reads, lets others do something, and applies. */
    async function applied(block: CommittedBlock, meanwhile: () => Promise<unknown>): Promise<AppliedBlock> {
      const ahead = await prepareBlock(context, block, pendingAt);
      expect(ahead).toBeDefined();
      await meanwhile();
      return await applyBlock(context, block, ahead);
    }

    const statusOf = async ({ hash }: { hash: string }): Promise<string | undefined> =>
      (await store.now.transferByHash(hash))?.status;
    const account = async (i: number) => (await store.read((tx) => tx.accountsByAddress([devAddress(i)])))[0];

    test('settles what was pending, and says how much is still reserved', async () => {
      const [first, second] = [signedTransfer({ amount: 5n }), signedTransfer({ amount: 7n, nonce: 1 })];
      await accept(first);
      const { settled } = await applied(blockOf(first), () => accept(second));
      expect(settled.map(({ transfer }) => transfer.hash)).toEqual([first.hash]);
      expect([await statusOf(first), await statusOf(second)]).toEqual(['committed', 'pending']);
      expect(await account(0)).toMatchObject({ nonce: 1, reserved: 7n });
      expect(await store.read(pendingCount)).toBe(1);
    });

    test('settles the row of a transfer that was accepted meanwhile, and lists it once', async () => {
      const transfer = signedTransfer();
      const { settled, seen } = await applied(blockOf(transfer), () => accept(transfer));
      expect({ settled: settled.length, seen }).toEqual({ settled: 1, seen: 0 });
      expect(await statusOf(transfer)).toBe('committed');
      expect((await store.now.transferByHash(transfer.hash))?.owner).toBe('alice');
    });

    test('lets another payment that was accepted meanwhile lose its nonce', async () => {
      const [executed, other] = [signedTransfer({ amount: 5n }), signedTransfer({ amount: 6n })];
      await applied(blockOf(executed), () => accept(other));
      expect([await statusOf(executed), await statusOf(other)]).toEqual(['committed', 'failed']);
      expect(await account(0)).toMatchObject({ nonce: 1, reserved: 0n });
    });

    test('calls a void by the cancel that was asked for meanwhile', async () => {
      const transfer = signedTransfer();
      await accept(transfer);
      // Meant for another transfer, so without a request here it would have taken the nonce from this one.
      const { settled } = await applied(blockOf(signedCancel()), async () => {
        const seq = (await store.now.transferByHash(transfer.hash))?.seq as number;
        await store.write((tx) => tx.requestCancels([{ seq }], 1));
      });
      expect(settled.map(({ settlement }) => settlement.status)).toEqual(['cancelled']);
    });

    test('without such a request takes the nonce', async () => {
      const transfer = signedTransfer();
      await accept(transfer);
      const { settled } = await applied(blockOf(signedCancel()), async () => undefined);
      expect(settled.map(({ settlement: { status, reason } }) => ({ status, reason }))).toEqual([
        { status: 'failed', reason: 'superseded_by_void' },
      ]);
    });

    test('takes the account of a receiver that became known meanwhile', async () => {
      const to = signedTransfer({ from: Buffer.alloc(32, 77) }).tx.from;
      const [executed, other] = [signedTransfer({ to }), signedTransfer({ from: 2, to })];
      await applied(blockOf(executed), () => accept(other));
      const [receiver] = await store.read((tx) => tx.accountsByAddress([to]));
      expect(receiver).toMatchObject({ balance: 1n, onChain: true });
      expect((await store.now.transferByHash(other.hash))?.toId).toBe(receiver?.id);
    });

    describe('of a database that somebody changed or set back', () => {
      test('makes a row again for a transfer that is gone', async () => {
        const transfer = signedTransfer();
        await accept(transfer);
        const { settled, seen } = await applied(blockOf(transfer), () => database.run('delete from pending'));
        expect({ settled: settled.length, seen }).toEqual({ settled: 0, seen: 1 });
        expect(await statusOf(transfer)).toBe('committed');
      });

      test('goes by the row of a payment that was changed', async () => {
        const transfer = signedTransfer({ amount: 5n });
        await accept(transfer);
        await database.run("update pending set amount = '6'");
        const changed = applied(blockOf(transfer), async () => undefined);
        // It is another payment under the hash of the one that was executed: no block says such a thing.
        await expect(changed).rejects.toThrow(StoreConflictError);
        expect(await statusOf(transfer)).toBe('pending');
      });

      test('does not settle another transfer that has the number now', async () => {
        const [executed, other] = [signedTransfer(), signedTransfer({ from: 3, to: 4 })];
        await accept(executed);
        const { seq } = (await store.now.transferByHash(executed.hash)) as { seq: number };
        await applied(blockOf(executed), async () => {
          await accept(other);
          await database.run('delete from pending where seq = ' + seq);
          await database.run(`update pending set seq = ${seq}`);
        });
        expect([await statusOf(executed), await statusOf(other)]).toEqual(['committed', 'pending']);
      });
    });

    test('is not applied when another gateway was first', async () => {
      const transfer = signedTransfer();
      await accept(transfer);
      await expect(applied(blockOf(transfer), () => applyBlock(context, blockOf(transfer)))).rejects.toThrow(
        NotNextError,
      );
      expect(await prepareBlock(context, blockOf(transfer), pendingAt)).toBeUndefined();
    });

    test('whose codes are not those of the rules contradicts them before anything is written', async () => {
      const transfer = signedTransfer();
      await accept(transfer);
      await expect(prepareBlock(context, { ...blockOf(transfer), codes: [1] }, pendingAt)).rejects.toThrow(
        ContradictionError,
      );
      expect(await statusOf(transfer)).toBe('pending');
    });
  });
});
