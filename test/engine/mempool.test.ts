/** The mempool's bounds, and that a long queue loses nothing though it is rechecked only now and then. */
import { describe, expect, test } from '@jest/globals';
import { BLOCK_LIMITS } from '../../server/engine/embedded/block-limits.ts';
import { Mempool } from '../../server/engine/embedded/mempool.ts';
import { CODES, finalizeBlock, LedgerState, prepareBlock, txHash } from '../../server/ledger/index.ts';
import { BLOCK, devAddress, signedCancel, signedTransfer, testGenesis } from '../ledger/support.ts';

const LIMITS = { transactionsMax: 50_000, bytesMax: 64 * 1024 * 1024 };
const item = (from: number, nonce: number) => ({
  raw: signedTransfer({ from, to: 5, nonce }).raw,
  signatureVerified: true,
});

/** Bytes of a transfer whose signature nobody looks at: thousands are needed. */
function unsigned(from: number, nonce: number) {
  const text = `{"amount":"1","chainId":"txledger-test-1","from":"${devAddress(from)}","nonce":${nonce},"signature":"${'a'.repeat(128)}","to":"${devAddress(5)}"}`;
  return { raw: Buffer.from(text), signatureVerified: true };
}

function makeBlock(state: LedgerState, mempool: Mempool): string[] {
  const chosen = prepareBlock(state, mempool.candidates(), BLOCK, BLOCK_LIMITS);
  state.commit(
    finalizeBlock(
      state,
      chosen.map(({ raw }) => raw),
      BLOCK,
      { signatureVerified: () => true },
    ),
  );
  mempool.blockExecuted(state, BLOCK, chosen);
  return chosen.map(({ hash }) => hash);
}

describe('the mempool', () => {
  test('refuses what would pass its bounds, and takes it once there is room', () => {
    const state = LedgerState.fromGenesis(testGenesis());
    const mempool = new Mempool(state, BLOCK, BLOCK_LIMITS, { ...LIMITS, transactionsMax: 2 });
    expect([0, 1, 2].map((nonce) => mempool.add(item(0, nonce)).code)).toEqual([0, 0, CODES.check_full]);
    makeBlock(state, mempool);
    expect(mempool.size).toBe(0);
    expect(mempool.add(item(0, 2)).code).toBe(0);
    const narrow = new Mempool(state, BLOCK, BLOCK_LIMITS, { ...LIMITS, bytesMax: 400 });
    expect([2, 3].map((nonce) => narrow.add(item(0, nonce)).code)).toEqual([0, CODES.check_full]);
    expect(narrow.bytes).toBe(item(0, 2).raw.length);
  });

  test('fills a block by count or by bytes', () => {
    const state = LedgerState.fromGenesis(testGenesis());
    const byBytes = new Mempool(state, BLOCK, { ...BLOCK_LIMITS, bytesMax: 600 }, LIMITS);
    const byCount = new Mempool(state, BLOCK, { ...BLOCK_LIMITS, transactionsMax: 2 }, LIMITS);
    for (const mempool of [byBytes, byCount]) {
      mempool.add(item(0, 0));
      expect(mempool.fillsBlock).toBe(false);
      mempool.add(item(0, 1));
      expect(mempool.fillsBlock).toBe(true);
    }
  });

  test('a block evicts what it made unexecutable', () => {
    const state = LedgerState.fromGenesis(testGenesis());
    const mempool = new Mempool(state, BLOCK, BLOCK_LIMITS, LIMITS);
    const target = item(0, 0);
    const again = signedCancel({ from: 0, nonce: 0, txHash: 'A'.repeat(64) });
    for (const each of [target, { raw: signedCancel({ from: 0, nonce: 0 }).raw }, { raw: again.raw }])
      expect(mempool.add(each).code).toBe(0);
    expect(makeBlock(state, mempool).length).toBe(1);
    expect([mempool.size, mempool.bytes]).toEqual([0, 0]);
  });

  test('a long queue drains completely, in order, each transaction once, with a cancel in its middle', () => {
    const state = LedgerState.fromGenesis(testGenesis());
    const mempool = new Mempool(state, BLOCK, BLOCK_LIMITS, LIMITS);
    const senders = [0, 1, 2, 3];
    const each = 2_000;
    const waiting = senders.flatMap((from) => Array.from({ length: each }, (_, nonce) => unsigned(from, nonce)));
    expect(waiting.every((item) => mempool.add(item).code === 0)).toBe(true);
    expect(makeBlock(state, mempool).length).toBe(BLOCK_LIMITS.transactionsMax);
    expect(mempool.add({ raw: signedCancel({ from: 3, nonce: 500 }).raw }).code).toBe(0);
    const executed: string[] = [];
    while (mempool.size > 0) {
      const hashes = makeBlock(state, mempool);
      expect(hashes.length).toBeGreaterThan(0);
      executed.push(...hashes);
    }
    // One cancel came in, one transfer was voided by it.
    expect(executed.length).toBe(senders.length * each - BLOCK_LIMITS.transactionsMax);
    expect(new Set(executed).size).toBe(executed.length);
    expect(senders.map((from) => state.account(devAddress(from))?.nonce)).toEqual(senders.map(() => each));
    expect(mempool.bytes).toBe(0);
  });

  describe('takes turns', () => {
    const owned = (owner: string, from: number, nonce: number) => ({ ...unsigned(from, nonce), owner });
    const hashOf = ({ raw }: { raw: Uint8Array }): string => txHash(raw);
    const thousands = (owner: string | undefined) => {
      const state = LedgerState.fromGenesis(testGenesis());
      const mempool = new Mempool(state, BLOCK, BLOCK_LIMITS, LIMITS);
      for (let nonce = 0; nonce < 1_250; nonce++) {
        for (let from = 0; from < 8; from++)
          expect(mempool.add({ ...unsigned(from, nonce), ...(owner !== undefined && { owner }) }).code).toBe(0);
      }
      return { state, mempool };
    };

    test('of owners: one transfer behind ten thousand of another is in the next block', () => {
      const { state, mempool } = thousands('greedy');
      const late = [0, 1, 2].map((nonce) => owned('modest', 9, nonce));
      for (const each of late) expect(mempool.add(each).code).toBe(0);
      const block = makeBlock(state, mempool);
      expect(block).toHaveLength(BLOCK_LIMITS.transactionsMax);
      expect(late.map(hashOf).every((hash) => block.includes(hash))).toBe(true);
    });

    test('of accounts where no owner is known, also after an owner took its transfer over', () => {
      const { state, mempool } = thousands(undefined);
      const late = unsigned(9, 0);
      mempool.add(late);
      mempool.add({ ...unsigned(8, 0), owner: 'modest' });
      mempool.add({ ...late, owner: 'modest' });
      expect(mempool.size).toBe(10_002);
      expect(
        mempool
          .candidates()
          .slice(0, 3)
          .map(({ hash }) => hash),
      ).toEqual([hashOf(unsigned(0, 0)), hashOf(unsigned(8, 0)), hashOf(unsigned(1, 0))]);
      const block = makeBlock(state, mempool);
      expect([late, unsigned(8, 0)].map(hashOf).every((hash) => block.includes(hash))).toBe(true);
    });

    test('so that with more owners than a block has places each is served before one is served twice', () => {
      const state = LedgerState.fromGenesis(testGenesis());
      const mempool = new Mempool(state, BLOCK, { ...BLOCK_LIMITS, transactionsMax: 3 }, LIMITS);
      for (let nonce = 0; nonce < 3; nonce++)
        for (let from = 0; from < 8; from++) mempool.add(owned(`owner-${from}`, from, nonce));
      const served: string[] = [];
      for (let blocks = 0; blocks < 8; blocks++) {
        const chosen = prepareBlock(state, mempool.candidates(), BLOCK, { ...BLOCK_LIMITS, transactionsMax: 3 });
        state.commit(
          finalizeBlock(
            state,
            chosen.map(({ raw }) => raw),
            BLOCK,
            { signatureVerified: () => true },
          ),
        );
        mempool.blockExecuted(state, BLOCK, chosen);
        served.push(...chosen.map(({ tx }) => ('from' in tx ? tx.from : '')));
      }
      const round = Array.from({ length: 8 }, (_, from) => devAddress(from));
      expect(served).toEqual([...round, ...round, ...round]);
    });

    test("and takes no one's money away: who was paid behind a backlog waits for it and does not fail", () => {
      const accounts = Array.from({ length: 10 }, (_, i) => ({
        address: devAddress(i),
        balance: i === 9 ? 1n : 10n ** 9n,
      }));
      const state = LedgerState.fromGenesis(testGenesis({ accounts }));
      const mempool = new Mempool(state, BLOCK, BLOCK_LIMITS, LIMITS);
      for (let nonce = 0; nonce < 2_500; nonce++) mempool.add(unsigned(0, nonce));
      expect(
        mempool.add({
          raw: signedTransfer({ from: 0, to: 9, nonce: 2_500, amount: 1_000n }).raw,
          signatureVerified: true,
        }).code,
      ).toBe(0);
      // Good money by the check state, which has seen the credit.
      expect(
        mempool.add({ raw: signedTransfer({ from: 9, to: 1, nonce: 0, amount: 900n }).raw, signatureVerified: true })
          .code,
      ).toBe(0);
      while (mempool.size > 0) expect(makeBlock(state, mempool).length).toBeGreaterThan(0);
      expect(state.account(devAddress(9))).toMatchObject({ balance: 101n, nonce: 1 });
    });

    test("for its room: full of one owner's, it takes another's, and what it gave up comes again", () => {
      const state = LedgerState.fromGenesis(testGenesis());
      const mempool = new Mempool(
        state,
        BLOCK,
        { ...BLOCK_LIMITS, transactionsMax: 4 },
        { ...LIMITS, transactionsMax: 6 },
      );
      const greedy = [0, 1, 2, 3, 4, 5].map((nonce) => owned('greedy', 0, nonce));
      expect(greedy.map((each) => mempool.add(each).code)).toEqual([0, 0, 0, 0, 0, 0]);
      expect(mempool.add(owned('greedy', 1, 0)).code).toBe(CODES.check_full);
      expect(mempool.add({ raw: signedTransfer({ from: 2, nonce: 0 }).raw }).code).toBe(CODES.check_full);
      const modest = [0, 1, 2, 3].map((nonce) => owned('modest', 3, nonce));
      expect(modest.map((each) => mempool.add(each).code)).toEqual([0, 0, 0, CODES.check_full]);
      expect([mempool.size, mempool.has(hashOf(greedy[2]!)), mempool.has(hashOf(greedy[3]!))]).toEqual([
        6,
        true,
        false,
      ]);
      const executed = makeBlock(state, mempool);
      expect(executed).toHaveLength(6);
      for (const each of [...greedy, ...modest].filter(({ raw }) => !executed.includes(txHash(raw))))
        expect(mempool.add(each).code).toBe(0);
      makeBlock(state, mempool);
      expect([state.account(devAddress(0))?.nonce, state.account(devAddress(3))?.nonce, mempool.size]).toEqual([
        6, 4, 0,
      ]);
    });
  });
});
