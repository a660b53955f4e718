/** The embedded engine through its port: what is broadcast, what becomes of it, and when. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { decodeBlock, merkleRoot, upperHex } from '../../server/engine/encoding/index.ts';
import { EMBEDDED_BLOCK_TRANSACTIONS_MAX } from '../../server/engine/embedded/block-limits.ts';
import { CODES, LedgerState } from '../../server/ledger/index.ts';
import { signedCancel, signedGovernance, signedTransfer, validatorKey as publicKeyHex } from '../ledger/support.ts';
import { Fixture, GENESIS_MS, genesis } from './support/fixture.ts';

let fixture: Fixture;
beforeEach(() => {
  fixture = new Fixture();
});
afterEach(() => fixture.dispose());

const transfer = (from: number, nonce: number, amount = 1n) =>
  signedTransfer({ from, to: (from + 1) % 10, nonce, amount }).raw;
/** Long enough for everything that waits for no timer. */
const turns = () => new Promise((resolve) => setImmediate(resolve));
const nonces = (from: number, count: number, first = 0) =>
  Array.from({ length: count }, (_, i) => ({ raw: transfer(from, first + i) }));

describe('making blocks', () => {
  test('a fresh chain starts with a block at genesis time, at once', async () => {
    const engine = await fixture.start();
    expect((await engine.status()).height).toBe(0);
    await fixture.clock.advance(0);
    const [block] = fixture.blocks(1, 10);
    expect(block).toMatchObject({ height: 1, parentHash: '', transactions: [], codes: [], timeMs: GENESIS_MS });
    expect(block?.time).toBe(genesis.genesisTime);
    expect(block?.appHash).toBe(Buffer.from(LedgerState.fromGenesis(genesis).appHash).toString('hex').toUpperCase());
  });

  test('a transfer is committed by the next interval, with its outcome, and the state follows', async () => {
    const engine = await fixture.start();
    await fixture.clock.advance(0);
    expect(await engine.broadcast([{ raw: transfer(0, 0, 5n) }])).toEqual([{ code: 0, log: '' }]);
    await fixture.clock.advance(999);
    expect((await engine.status()).height).toBe(1);
    await fixture.clock.advance(1);
    const [block] = fixture.blocks(2, 1);
    expect(block).toMatchObject({ height: 2, codes: [0], logs: [''] });
    expect(block?.transactions.map((raw) => Buffer.from(raw).toString())).toEqual([
      Buffer.from(transfer(0, 0, 5n)).toString(),
    ]);
    expect((await engine.status()).mempoolSize).toBe(0);
  });

  test('a block that changed the state is followed by one more, so that its application hash stands in a header; then it is idle', async () => {
    const engine = await fixture.start();
    await fixture.clock.advance(0);
    await engine.broadcast([{ raw: transfer(0, 0) }]);
    await fixture.clock.advance(1000);
    expect((await engine.status()).height).toBe(2);
    await fixture.clock.advance(1000);
    expect((await engine.status()).height).toBe(3);
    await fixture.clock.advance(9_000);
    expect((await engine.status()).height).toBe(3);
    const [, changed, proof] = fixture.blocks(1, 10);
    expect(proof?.appHash).toBe(changed?.appHash);
  });

  test('when idle, blocks come once an expected moment has passed until a header is later, and then no more', async () => {
    const engine = await fixture.start();
    await fixture.clock.advance(5_000);
    const { height } = engine.tip;
    const momentMs = fixture.clock.nowMs() + 3_000;
    engine.expectTime(momentMs);
    await fixture.clock.advance(3_000);
    expect(engine.tip.height).toBe(height);
    await fixture.clock.advance(1_100);
    expect(engine.tip.height).toBe(height + 2);
    expect(engine.tip.timeMs).toBeGreaterThan(momentMs);
    await fixture.clock.advance(5_000);
    expect(engine.tip.height).toBe(height + 2);
  });

  test.each([
    ['a minute has', undefined, 59_400],
    ['ten seconds have', 10_000, 9_400],
    ['a second has', 1_000, 850],
  ])('when idle an empty block comes before %s passed, again and again', async (_, idleBlockMs, silentMs) => {
    const engine = await fixture.start({ idleBlockMs });
    await fixture.clock.advance(0);
    for (let height = 2; height <= 5; height++) {
      await fixture.clock.advance(silentMs);
      expect((await engine.status()).height).toBe(height - 1);
      await fixture.clock.advance(100);
      expect(await engine.status()).toMatchObject({ height, idleBlockMs: idleBlockMs ?? 60_000 });
    }
  });

  test('after an idle gap an empty block refreshes the time first, and the transaction is in the block after it, at once', async () => {
    const engine = await fixture.start();
    await fixture.clock.advance(0);
    await fixture.clock.advance(8_000);
    await engine.broadcast([{ raw: transfer(0, 0) }]);
    await fixture.clock.advance(1);
    const [, empty, full] = fixture.blocks(1, 10);
    expect([empty?.transactions.length, full?.transactions.length]).toEqual([0, 1]);
    expect((full?.timeMs ?? 0) - (empty?.timeMs ?? 0)).toBe(8_000);
    expect(fixture.clock.nowMs() - (full?.timeMs ?? 0)).toBeLessThanOrEqual(1);
  });

  test('while full blocks wait, the next is made at once; the rest waits for the interval', async () => {
    const engine = await fixture.start();
    await fixture.clock.advance(0);
    const max = EMBEDDED_BLOCK_TRANSACTIONS_MAX;
    const items = [0, 1, 2, 3, 4]
      .flatMap((from) => nonces(from, max / 2))
      .map((item) => ({ ...item, signatureVerified: true }));
    const answer = engine.broadcast(items);
    await fixture.clock.advance(50);
    expect((await answer).every(({ code }) => code === 0)).toBe(true);
    const counts = () => fixture.blocks(2, 10).map(({ transactions }) => transactions.length);
    expect(counts()).toEqual([max, max]);
    await fixture.clock.advance(1000);
    expect(counts()).toEqual([max, max, max / 2]);
  });

  test('time strictly increases and follows the clock, also when it stands still or goes back', async () => {
    await fixture.start();
    await fixture.clock.advance(0);
    for (const jumpMs of [0, -3_600_000, -1, 0, 500]) {
      fixture.clock.jump(jumpMs);
      await fixture.clock.advance(9_500);
    }
    const times = fixture.blocks(1, 100).map(({ timeMs }) => timeMs);
    expect(times.length).toBe(6);
    for (let i = 1; i < times.length; i++) expect(times[i]!).toBeGreaterThan(times[i - 1]!);
    expect(times.slice(-2).map((time, _, all) => time - all[0]!)).toEqual([0, 1]);
  });

  test('before genesis time nothing is signed', async () => {
    fixture.clock.jump(-90_000);
    const engine = await fixture.start();
    await fixture.clock.advance(29_000);
    expect(await engine.status()).toMatchObject({
      height: 0,
      clockHeld: true,
      healthy: false,
      detail: expect.stringContaining('later than the clock of this machine'),
    });
    await fixture.clock.advance(2_000);
    expect(await engine.status()).toMatchObject({ height: 1, healthy: true });
  });
});

describe('a clock that jumps ahead', () => {
  test('stops signing, says so, and goes on when it comes back', async () => {
    const engine = await fixture.start();
    await fixture.clock.advance(0);
    fixture.clock.jump(10_500);
    await fixture.clock.advance(60_000);
    const held = await engine.status();
    expect(held).toMatchObject({ height: 1, clockHeld: true, healthy: false });
    expect(held.detail).toMatch(/clock jumped 10\d\d\d ms ahead/);
    expect(held.lastBlockAgeMs).toBeGreaterThanOrEqual(60_000);
    expect(fixture.logs.filter(({ level }) => level === 'warn').length).toBe(1);
    fixture.clock.jump(-10_500);
    await fixture.clock.advance(1_000);
    expect(await engine.status()).toMatchObject({ height: 2, clockHeld: false, healthy: true });
  });

  test('between any two readings of it leads to no header ahead of true time', async () => {
    const HOUR_MS = 3_600_000;
    let isReached = true;
    for (let reading = 0; isReached; reading += 1) {
      const jumping = new Fixture();
      const engine = await jumping.start();
      await jumping.clock.advance(5_000);
      isReached = false;
      jumping.clock.onReading = (count) => {
        if (count !== reading) return;
        isReached = true;
        jumping.clock.jump(HOUR_MS);
      };
      // Two blocks in one turn: a fresh header, and the one of the transfer.
      await engine.broadcast([{ raw: transfer(0, 0) }]);
      await jumping.clock.advance(3_000);
      jumping.clock.onReading = undefined;
      if (isReached) jumping.clock.jump(-HOUR_MS);
      // The header of the block after them has the time that the last of them was signed at.
      await jumping.clock.advance(20_000);
      const ahead = jumping.blocks(1, 100).filter(({ timeMs }) => timeMs > jumping.clock.nowMs());
      expect({ reading, ahead: ahead.length }).toEqual({ reading, ahead: 0 });
      await jumping.dispose();
      if (!isReached) expect(reading).toBeGreaterThan(10);
    }
  });

  test('by less than ten seconds is taken as it is', async () => {
    const engine = await fixture.start();
    await fixture.clock.advance(0);
    fixture.clock.jump(9_000);
    await fixture.clock.advance(9_500);
    expect(await engine.status()).toMatchObject({ height: 2, clockHeld: false });
  });
});

describe('the mempool', () => {
  test('answers each item by itself, in order, and refuses with the code of the ledger', async () => {
    const engine = await fixture.start();
    const tampered = Buffer.from(transfer(3, 0));
    const at = tampered.indexOf('"signature":"') + '"signature":"'.length;
    tampered[at] = tampered[at] === 0x30 ? 0x31 : 0x30;
    const answers = await engine.broadcast([
      { raw: transfer(0, 0) },
      { raw: Buffer.from('{}') },
      { raw: tampered },
      { raw: transfer(1, 7) },
      { raw: transfer(2, 0, 10n ** 18n) },
      { raw: transfer(0, 1) },
    ]);
    expect(answers.map(({ code }) => code)).toEqual([
      0,
      CODES.malformed,
      CODES.invalid_signature,
      CODES.nonce_gap,
      CODES.check_funds,
      0,
    ]);
    expect((await engine.status()).mempoolSize).toBe(2);
    expect(await engine.metrics()).toMatchObject({ mempool_transactions: 2, broadcasts_refused_total: 4 });
  });

  test('answers known bytes 0 again and keeps them once', async () => {
    const engine = await fixture.start();
    const item = { raw: transfer(0, 0) };
    expect((await engine.broadcast([item, item])).map(({ code }) => code)).toEqual([0, 0]);
    expect((await engine.broadcast([item])).map(({ code }) => code)).toEqual([0]);
    expect((await engine.status()).mempoolSize).toBe(1);
  });

  test('trusts a signature only when it is told that it was verified', async () => {
    const engine = await fixture.start();
    const raw = Buffer.from(transfer(0, 0).toString().replace('"amount":"1"', '"amount":"2"'));
    expect((await engine.broadcast([{ raw, signatureVerified: false }]))[0]?.code).toBe(CODES.invalid_signature);
    expect((await engine.broadcast([{ raw }]))[0]?.code).toBe(CODES.invalid_signature);
  });

  test('takes what this process verified as it is, at once, with the same answers and counts', async () => {
    const engine = await fixture.start();
    await fixture.clock.advance(0);
    const [first, gap, poor, second] = [
      signedTransfer({ nonce: 0 }),
      signedTransfer({ from: 1, nonce: 7 }),
      signedTransfer({ from: 2, amount: 10n ** 18n }),
      signedTransfer({ nonce: 1 }),
    ];
    const answers = await engine.broadcast(
      [first, first, gap, poor, second, signedCancel({ from: 3, nonce: 0 })].map((transaction) => ({
        raw: transaction.raw,
        transaction,
        owner: 'alice',
      })),
    );
    expect(answers.map(({ code }) => code)).toEqual([0, 0, CODES.nonce_gap, CODES.check_funds, 0, 0]);
    expect((await engine.broadcast([{ raw: first.raw }]))[0]?.code).toBe(0);
    expect(await engine.metrics()).toMatchObject({ mempool_transactions: 3, broadcasts_refused_total: 2 });
    await fixture.clock.advance(1000);
    const [block] = fixture.blocks(2, 1);
    expect(block?.transactions.map((raw) => Buffer.from(raw).toString())).toEqual(
      [signedCancel({ from: 3, nonce: 0 }), first, second].map(({ raw }) => Buffer.from(raw).toString()),
    );
    await fixture.stop();
    await expect(engine.broadcast([{ raw: first.raw, transaction: first }])).rejects.toThrow('closed');
  });

  test('lets others in between transactions that it has to verify, and not between those that were verified here', async () => {
    const engine = await fixture.start();
    await fixture.clock.advance(0);
    const transactions = [0, 1].flatMap((from) =>
      Array.from({ length: 50 }, (_, nonce) => signedTransfer({ from, nonce })),
    );
    const verified = engine.broadcast(
      transactions
        .slice(50)
        .concat(transactions.slice(0, 25))
        .map((transaction) => ({ raw: transaction.raw, transaction })),
    );
    expect(await Promise.race([verified, turns().then(() => 'waits')])).toHaveLength(75);
    const unverified = engine.broadcast(transactions.map(({ raw }) => ({ raw })));
    expect(await Promise.race([unverified, turns().then(() => 'waits')])).toBe('waits');
    await fixture.clock.advance(0);
    expect(await unverified).toHaveLength(100);
  });

  test('a full block of what was offered is made at once', async () => {
    const engine = await fixture.start();
    await fixture.clock.advance(0);
    const transactions = Array.from({ length: EMBEDDED_BLOCK_TRANSACTIONS_MAX }, (_, i) => {
      const transaction = signedTransfer({ from: i % 10, nonce: Math.floor(i / 10) });
      return { raw: transaction.raw, transaction };
    });
    expect((await engine.broadcast(transactions)).every(({ code }) => code === 0)).toBe(true);
    await fixture.clock.advance(0);
    expect(fixture.blocks(2, 1)[0]?.transactions.length).toBe(EMBEDDED_BLOCK_TRANSACTIONS_MAX);
  });

  test('a cancel goes first: its target is neither executed nor left waiting', async () => {
    const engine = await fixture.start();
    await fixture.clock.advance(0);
    const cancel = signedCancel({ from: 0, nonce: 0 });
    await engine.broadcast([{ raw: transfer(0, 0) }, { raw: transfer(0, 1) }, { raw: cancel.raw }]);
    await fixture.clock.advance(1000);
    const [block] = fixture.blocks(2, 1);
    expect(block?.transactions.map((raw) => Buffer.from(raw).toString().includes('"txHash"'))).toEqual([true, false]);
    expect(block?.codes).toEqual([0, 0]);
    expect((await engine.status()).mempoolSize).toBe(0);
    await fixture.clock.advance(1000);
    expect((await engine.broadcast([{ raw: transfer(0, 0) }]))[0]?.code).toBe(CODES.nonce_too_low);
  });

  test('cancellers change by governance, validator power never', async () => {
    const engine = await fixture.start();
    await fixture.clock.advance(0);
    const power = signedGovernance({ action: 'validator_power', subject: publicKeyHex(1), power: 5 });
    const operator = signedGovernance({ action: 'canceller_add' });
    const answers = await engine.broadcast([{ raw: power.raw }, { raw: operator.raw }]);
    expect(answers.map(({ code }) => code)).toEqual([CODES.governance_not_available, 0]);
    await fixture.clock.advance(1000);
    expect(fixture.blocks(2, 1)[0]?.codes).toEqual([0]);
    await fixture.restart();
    const again = signedGovernance({ action: 'canceller_add', sequence: 1 });
    expect((await fixture.engine.broadcast([{ raw: again.raw }]))[0]?.code).toBe(CODES.governance_without_effect);
  });

  test('a transfer whose money was cancelled away is in the block with code 1 and a log, and its nonce is used', async () => {
    const engine = await fixture.start();
    await fixture.clock.advance(0);
    const everything = signedTransfer({ from: 0, to: 1, amount: 10n ** 15n });
    const twice = signedTransfer({ from: 1, to: 2, amount: 2n * 10n ** 15n });
    const cancel = signedCancel({ from: 0, nonce: 0 });
    const answers = await engine.broadcast([everything, twice, cancel].map(({ raw }) => ({ raw })));
    expect(answers.map(({ code }) => code)).toEqual([0, 0, 0]);
    await fixture.clock.advance(1000);
    const [block] = fixture.blocks(2, 1);
    expect(block?.codes).toEqual([0, CODES.insufficient_funds]);
    expect(block?.logs[1]).not.toBe('');
    await fixture.clock.advance(1000);
    expect((await engine.broadcast([{ raw: twice.raw }]))[0]?.code).toBe(CODES.nonce_too_low);
    await fixture.stop();
    // Of the two results only ExecTxResult{} and ExecTxResult{code: 1} are hashed: no log, no event, no codespace.
    const header = decodeBlock(fixture.withChain((store) => store.block(3))?.bytes ?? new Uint8Array()).header;
    expect(upperHex(header.lastResultsHash)).toBe(upperHex(merkleRoot([Buffer.alloc(0), Buffer.from('0801', 'hex')])));
  });
});

describe('reading blocks', () => {
  test('each follows the one before, and all are the same after a restart', async () => {
    const engine = await fixture.start();
    await fixture.clock.advance(0);
    for (let nonce = 0; nonce < 25; nonce++) {
      await engine.broadcast([{ raw: transfer(0, nonce) }]);
      await fixture.clock.advance(1000);
    }
    const all = fixture.blocks(1, 100);
    expect(all.map(({ height }) => height)).toEqual(Array.from({ length: 26 }, (_, i) => i + 1));
    for (let i = 1; i < all.length; i++) expect(all[i]?.parentHash).toBe(all[i - 1]?.hash);
    await fixture.restart();
    expect(fixture.blocks(1, 26)).toEqual(all);
  });

  test('waiting for a height ends when it is there, at the timeout, or when the engine closes', async () => {
    const engine = await fixture.start();
    await fixture.clock.advance(0);
    expect(await engine.waitForHeight(1, 1000)).toBe(1);
    const reached = engine.waitForHeight(2, 60_000);
    const timedOut = engine.waitForHeight(9, 5_000);
    await fixture.clock.advance(5_000);
    expect(await timedOut).toBe(1);
    await fixture.clock.advance(5_000);
    expect(await reached).toBe(2);
    const closed = engine.waitForHeight(99, 60_000);
    await fixture.stop();
    expect(await closed).toBe(2);
    await expect(engine.waitForHeight(1, 0)).rejects.toThrow('closed');
  });
});
