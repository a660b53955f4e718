/** The mempool's bounds, and that a long queue loses nothing though it is rechecked only now and then. */
import { describe, expect, test } from '@jest/globals';
import { BLOCK_LIMITS } from '../../server/engine/embedded/block-limits.ts';
import { Mempool } from '../../server/engine/embedded/mempool.ts';
import { CODES, finalizeBlock, LedgerState, prepareBlock } from '../../server/ledger/index.ts';
import { devAddress, signedCancel, signedTransfer, testGenesis } from '../ledger/support.ts';

const LIMITS = { transactionsMax: 50_000, bytesMax: 64 * 1024 * 1024 };
const item = (from: number, nonce: number) => ({ raw: signedTransfer({ from, to: 5, nonce }).raw, signatureVerified: true });

/** Bytes of a transfer whose signature nobody looks at: thousands are needed. */
function unsigned(from: number, nonce: number) {
  const text = `{"amount":"1","chainId":"txledger-test-1","from":"${devAddress(from)}","nonce":${nonce},"signature":"${'a'.repeat(128)}","to":"${devAddress(5)}"}`;
  return { raw: Buffer.from(text), signatureVerified: true };
}

function makeBlock(state: LedgerState, mempool: Mempool): string[] {
  const chosen = prepareBlock(state, mempool.candidates(), BLOCK_LIMITS);
  state.commit(finalizeBlock(state, chosen.map(({ raw }) => raw), { signatureVerified: () => true }));
  mempool.blockExecuted(state, chosen);
  return chosen.map(({ hash }) => hash);
}

describe('the mempool', () => {
  test('refuses what would pass its bounds, and takes it once there is room', () => {
    const state = LedgerState.fromGenesis(testGenesis());
    const mempool = new Mempool(state, BLOCK_LIMITS, { ...LIMITS, transactionsMax: 2 });
    expect([0, 1, 2].map((nonce) => mempool.add(item(0, nonce)).code)).toEqual([0, 0, CODES.check_full]);
    makeBlock(state, mempool);
    expect(mempool.size).toBe(0);
    expect(mempool.add(item(0, 2)).code).toBe(0);
    const narrow = new Mempool(state, BLOCK_LIMITS, { ...LIMITS, bytesMax: 400 });
    expect([2, 3].map((nonce) => narrow.add(item(0, nonce)).code)).toEqual([0, CODES.check_full]);
    expect(narrow.bytes).toBe(item(0, 2).raw.length);
  });

  test('fills a block by count or by bytes', () => {
    const state = LedgerState.fromGenesis(testGenesis());
    const byBytes = new Mempool(state, { ...BLOCK_LIMITS, bytesMax: 600 }, LIMITS);
    const byCount = new Mempool(state, { ...BLOCK_LIMITS, transactionsMax: 2 }, LIMITS);
    for (const mempool of [byBytes, byCount]) {
      mempool.add(item(0, 0));
      expect(mempool.fillsBlock).toBe(false);
      mempool.add(item(0, 1));
      expect(mempool.fillsBlock).toBe(true);
    }
  });

  test('a block evicts what it made unexecutable', () => {
    const state = LedgerState.fromGenesis(testGenesis());
    const mempool = new Mempool(state, BLOCK_LIMITS, LIMITS);
    const target = item(0, 0);
    const again = signedCancel({ from: 0, nonce: 0, txHash: 'A'.repeat(64) });
    for (const each of [target, { raw: signedCancel({ from: 0, nonce: 0 }).raw }, { raw: again.raw }]) expect(mempool.add(each).code).toBe(0);
    expect(makeBlock(state, mempool).length).toBe(1);
    expect([mempool.size, mempool.bytes]).toEqual([0, 0]);
  });

  test('a long queue drains completely, in order, each transaction once, with a cancel in its middle', () => {
    const state = LedgerState.fromGenesis(testGenesis());
    const mempool = new Mempool(state, BLOCK_LIMITS, LIMITS);
    const senders = [0, 1, 2, 3];
    const each = 2_000;
    const waiting = senders.flatMap((from) => Array.from({ length: each }, (_, nonce) => unsigned(from, nonce)));
    expect(waiting.every((item) => mempool.add(item).code === 0)).toBe(true);
    expect(makeBlock(state, mempool).length).toBe(1_000);
    expect(mempool.add({ raw: signedCancel({ from: 3, nonce: 500 }).raw }).code).toBe(0);
    const executed: string[] = [];
    while (mempool.size > 0) {
      const hashes = makeBlock(state, mempool);
      expect(hashes.length).toBeGreaterThan(0);
      executed.push(...hashes);
    }
    // One cancel came in, one transfer was voided by it.
    expect(executed.length).toBe(senders.length * each - 1_000);
    expect(new Set(executed).size).toBe(executed.length);
    expect(senders.map((from) => state.account(devAddress(from))?.nonce)).toEqual(senders.map(() => each));
    expect(mempool.bytes).toBe(0);
  });
});
