/** `validUntil` (protocol.md, rule 22): refused when it has passed, and given up when a block passes it, so that later nonces go on. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { EXPIRED_PER_BLOCK_MAX } from '../../server/gateway/index.ts';
import type { TransferInput } from '../../server/gateway/index.ts';
import { devSeed, signedTransfer } from '../ledger/support.ts';
import { ALICE, Fixture, inputOf, START_MS } from './support/fixture.ts';
import { onFollower } from './support/fixture-store.ts';
import { signedAgain } from './support/second-signature.ts';

/** Of the first block, which every test begins with. */
const START_S = START_MS / 1000;

let fixture: Fixture;
beforeEach(async () => {
  fixture = await Fixture.open();
  await fixture.block({ plusNs: 0 });
  expect(fixture.engine.committed.at(-1)?.timeNs).toBe(BigInt(START_MS) * 1_000_000n);
});
afterEach(() => fixture.dispose());

const history = async (txHash: string): Promise<string[]> =>
  (await fixture.detail(txHash))?.history.map(({ event }) => event) ?? [];

describe('acceptance', () => {
  test('refuses a validity that is not later than the last block', async () => {
    for (const validUntil of [1, START_S - 1, START_S]) {
      expect(await fixture.refusal({ validUntil })).toMatchObject({
        code: 'validity_passed',
        errors: [{ pointer: '/validUntil', message: expect.stringContaining('2026-11-21T09:00:00.000Z') }],
      });
    }
    await fixture.accept({ validUntil: START_S + 1 });
  });

  test('judges by the nanoseconds of the last block', async () => {
    await fixture.block({ afterMs: 999, plusNs: 999_999 });
    await fixture.accept({ validUntil: START_S + 1 });
    await fixture.block({ afterMs: 1, plusNs: 0 });
    expect(await fixture.refusal({ nonce: 1, validUntil: START_S + 1 })).toMatchObject({ code: 'validity_passed' });
  });

  test('answers a replay of a known transfer as ever, when its validity has passed', async () => {
    const signed = signedTransfer({ validUntil: START_S + 1 });
    await fixture.submit(signed);
    await fixture.block({ afterMs: 500 });
    await fixture.block({ afterMs: 60_000 });
    expect(await fixture.submit(signed)).toMatchObject({
      ok: true,
      replayed: true,
      transaction: { status: 'committed' },
    });
    expect(await fixture.submit(signedAgain(signed, devSeed(0), 'late'))).toMatchObject({ ok: true, replayed: true });
  });

  test('judges it after all that is about the nonce, and before funds', async () => {
    const past = { validUntil: START_S, amount: 10n ** 30n };
    const { txHash } = await fixture.accept({ nonce: 0 });
    expect(await fixture.refusal({ nonce: 0, ...past })).toMatchObject({ code: 'nonce_conflict', txHash });
    expect(await fixture.refusal({ nonce: 5000, ...past })).toMatchObject({ code: 'nonce_too_high' });
    expect(await fixture.refusal({ nonce: 1, ...past })).toMatchObject({ code: 'validity_passed' });
    expect(await fixture.refusal({ nonce: 1, amount: 10n ** 30n })).toMatchObject({ code: 'insufficient_funds' });
    await fixture.gateway.cancel(txHash, ALICE, 0);
    await fixture.block({ afterMs: 1 });
    expect(await fixture.refusal({ nonce: 0, ...past })).toMatchObject({ code: 'nonce_too_low' });
  });
});

describe('acceptance by the clock, while the last block is older', () => {
  const IDLE_MS = 8000;
  const NOW_S = START_S + IDLE_MS / 1000;
  const JUMP_MS = 3_600_000;

  /** What every way into the gateway says to a transfer that is valid until this second. */
  async function told(validUntil: number): Promise<string[]> {
    const [alone, inBatch] = [0, 1].map((nonce) => inputOf(signedTransfer({ nonce, validUntil }))) as [
      TransferInput,
      TransferInput,
    ];
    const checked = await fixture.gateway.check(alone, ALICE);
    const submitted = await fixture.gateway.submit(alone, ALICE);
    const batch = await fixture.gateway.submitBatch([inBatch], ALICE);
    if ('code' in checked || !Array.isArray(batch)) throw new Error('refused as a whole');
    const { judgement } = checked;
    const [second] = batch;
    return [
      judgement.kind === 'refused' ? judgement.refusal.code : judgement.kind,
      submitted.ok ? 'accepted' : submitted.code,
      second?.ok === false ? second.code : 'accepted',
    ];
  }
  const all = (answer: string): string[] => [answer, answer, answer];

  test('a validity that has passed is refused by submit, batch and dry run, and leaves no row', async () => {
    await fixture.clock.advance(IDLE_MS);
    expect(await told(NOW_S)).toEqual(all('validity_passed'));
    expect(await fixture.refusal({ validUntil: NOW_S })).toMatchObject({
      detail: expect.stringContaining('by the clock of this service it is 2026-11-21T09:00:08.000Z'),
    });
    expect(await fixture.gateway.list({ limit: 10 })).toMatchObject({ transactions: [] });
    expect(await told(NOW_S + 1)).toEqual(all('accepted'));
  });

  test('a known transfer is answered as ever, whatever the clock says', async () => {
    const signed = signedTransfer({ validUntil: START_S + 1 });
    expect(await fixture.submit(signed)).toMatchObject({ ok: true, replayed: false });
    await fixture.clock.advance(IDLE_MS);
    for (const jumpMs of [0, JUMP_MS, -2 * JUMP_MS]) {
      fixture.clock.jump(jumpMs);
      expect(await fixture.submit(signed)).toMatchObject({ ok: true, replayed: true });
    }
  });

  test('a clock that jumped ahead refuses no transfer whose time has not passed, and takes none whose time has', async () => {
    await fixture.clock.advance(IDLE_MS);
    fixture.clock.jump(JUMP_MS);
    expect(await told(NOW_S)).toEqual(all('validity_passed'));
    expect(await told(NOW_S + 1)).toEqual(all('accepted'));
    await fixture.clock.advance(1000);
    expect(await fixture.refusal({ nonce: 2, validUntil: NOW_S + 1 })).toMatchObject({ code: 'validity_passed' });
    await fixture.accept({ nonce: 2, validUntil: NOW_S + 2 });
  });

  test('a clock that was set right again is believed again', async () => {
    fixture.clock.jump(JUMP_MS);
    await fixture.clock.advance(IDLE_MS);
    fixture.clock.jump(-JUMP_MS);
    expect(await told(NOW_S)).toEqual(all('validity_passed'));
    expect(await told(NOW_S + 1)).toEqual(all('accepted'));
  });

  test('a clock that went back leaves the time of the last block', async () => {
    await fixture.block({ afterMs: IDLE_MS, plusNs: 0 });
    fixture.clock.jump(-JUMP_MS);
    expect(await told(NOW_S)).toEqual(all('validity_passed'));
    expect(await told(NOW_S + 1)).toEqual(all('accepted'));
  });

  test('the header of an idle chain is old, and its age is no jump', async () => {
    // The block after an idle minute is of the moment at which the one before it was made.
    await fixture.clock.advance(60_000);
    await fixture.block({ afterMs: 1, plusNs: 0 });
    await fixture.clock.advance(30_000);
    await fixture.block({ afterMs: 59_999, plusNs: 0 });
    await fixture.clock.advance(25_000);
    const nowS = START_S + 115;
    expect(await told(nowS)).toEqual(all('validity_passed'));
    expect(await told(nowS + 1)).toEqual(all('accepted'));
  });
});

describe('a transfer that no block took in time', () => {
  test('is pending with its reason until a block holds the void, keeps nonce and money until then, and its successors go on', async () => {
    fixture.engine.fate = () => 'lose';
    const { txHash } = await fixture.accept({
      nonce: 0,
      amount: 10n ** 15n - 1n,
      validUntil: START_S + 2,
      reference: 'INV-1',
    });
    const next = await fixture.accept({ nonce: 1 });
    await fixture.block({ afterMs: 2000, plusNs: 0 });
    expect(await fixture.detail(txHash)).toMatchObject({ status: 'pending', reason: { code: 'broadcast' } });
    await fixture.block({ afterMs: 1 });
    expect(await fixture.detail(txHash)).toMatchObject({
      status: 'pending',
      reason: { code: 'validity_passed' },
      validUntil: START_S + 2,
    });
    expect(await fixture.detail(next.txHash)).toMatchObject({
      status: 'pending',
      reason: { code: 'waiting_for_nonce' },
    });
    expect(await fixture.refusal({ nonce: 0 })).toMatchObject({ code: 'nonce_conflict', txHash });
    expect(await fixture.refusal({ nonce: 2 })).toMatchObject({ code: 'insufficient_funds' });
    fixture.engine.fate = () => 'take';
    await fixture.clock.advance(20_000);
    await fixture.block({ afterMs: 1 });
    expect(await fixture.detail(txHash)).toMatchObject({
      status: 'expired',
      history: [
        { event: 'accepted' },
        { event: 'broadcast' },
        { event: 'expiry_requested', reason: 'validity_passed' },
        { event: 'expired', blockTimeMs: START_MS + 2002 },
      ],
    });
    expect(await fixture.refusal({ nonce: 0 })).toMatchObject({
      code: 'nonce_too_low',
      detail: expect.stringContaining('within its validity'),
    });
    await fixture.blocks(1);
    expect(await fixture.status(next.txHash)).toBe('committed');
    await fixture.accept({ nonce: 2, amount: 10n ** 14n });
  });

  test('a block at the very end of the validity commits it, one a nanosecond later does not', async () => {
    const inTime = await fixture.accept({ from: 0, validUntil: START_S + 1 });
    await fixture.block({ afterMs: 1000, plusNs: 0 });
    expect(await fixture.status(inTime.txHash)).toBe('committed');
    const late = await fixture.accept({ from: 1, to: 0, validUntil: START_S + 2 });
    await fixture.block({ afterMs: 1000, plusNs: 1 });
    expect(await fixture.detail(late.txHash)).toMatchObject({ status: 'pending', reason: { code: 'validity_passed' } });
    await fixture.block();
    expect(await fixture.status(late.txHash)).toBe('expired');
  });

  test('is not broadcast any more', async () => {
    fixture.engine.fate = () => 'lose';
    const { txHash } = await fixture.accept({ validUntil: START_S + 1 });
    await fixture.block();
    await fixture.block();
    fixture.engine.heard.length = 0;
    await fixture.clock.advance(60_000);
    expect(fixture.engine.heard.length).toBeGreaterThan(0);
    expect(fixture.engine.heard).not.toContain(txHash);
  });

  test('expires also behind a gap, where it was never broadcast', async () => {
    const { txHash } = await fixture.accept({ nonce: 5, validUntil: START_S + 1 });
    const behind = await fixture.accept({ nonce: 6 });
    await fixture.block({ afterMs: 5000 });
    expect(await fixture.detail(txHash)).toMatchObject({ status: 'pending', reason: { code: 'validity_passed' } });
    await fixture.block();
    expect(await fixture.status(txHash)).toBe('expired');
    expect(await history(txHash)).toEqual(['accepted', 'expiry_requested', 'expired']);
    expect(await fixture.refusal({ nonce: 5 })).toMatchObject({ code: 'nonce_cancelled' });
    await Promise.all([0, 1, 2, 3, 4].map((nonce) => fixture.accept({ nonce })));
    await fixture.blocks(2);
    expect(await fixture.status(behind.txHash)).toBe('committed');
  });

  test('is called cancelled when a client asked before, and also when it asked before the void came', async () => {
    const before = await fixture.accept({ from: 0, nonce: 3, validUntil: START_S + 10 });
    const after = await fixture.accept({ from: 1, nonce: 3, validUntil: START_S + 10 });
    fixture.engine.fate = () => 'lose';
    await fixture.gateway.cancel(before.txHash, ALICE, 0);
    await fixture.block({ afterMs: 60_000 });
    expect(await fixture.detail(before.txHash)).toMatchObject({ reason: { code: 'cancel_requested' } });
    expect(await fixture.detail(after.txHash)).toMatchObject({ reason: { code: 'validity_passed' } });
    await fixture.gateway.cancel(after.txHash, ALICE, 0);
    expect(await fixture.detail(after.txHash)).toMatchObject({ reason: { code: 'cancel_requested' } });
    fixture.engine.fate = () => 'take';
    await fixture.clock.advance(20_000);
    await fixture.block();
    expect(await Promise.all([before, after].map(({ txHash }) => fixture.status(txHash)))).toEqual([
      'cancelled',
      'cancelled',
    ]);
    expect(await history(before.txHash)).toEqual(['accepted', 'cancel_requested', 'cancelled']);
    expect(await fixture.detail(after.txHash)).toMatchObject({
      history: [
        {},
        { event: 'expiry_requested', reason: 'validity_passed' },
        { event: 'cancel_requested' },
        { event: 'cancelled' },
      ],
    });
  });

  test('expires after a restart: accepted before it, in a row before it, and given up before it', async () => {
    fixture.engine.fate = () => 'lose';
    const givenUp = await fixture.accept({ from: 0, validUntil: START_S + 1 });
    const inRow = await fixture.accept({ from: 1, to: 2, validUntil: START_S + 100 });
    await fixture.block({ afterMs: 5000 });
    const inJournal = await fixture.accept({ from: 2, validUntil: START_S + 100 });
    await fixture.restart();
    expect(await fixture.detail(givenUp.txHash)).toMatchObject({
      status: 'pending',
      reason: { code: 'validity_passed' },
    });
    fixture.engine.fate = () => 'lose';
    await fixture.block({ afterMs: 200_000 });
    for (const { txHash } of [givenUp, inRow, inJournal])
      expect(await fixture.detail(txHash)).toMatchObject({ status: 'pending', reason: { code: 'validity_passed' } });
    await fixture.restart();
    fixture.engine.fate = () => 'take';
    await fixture.clock.advance(20_000);
    await fixture.blocks(2);
    for (const { txHash } of [givenUp, inRow, inJournal]) {
      expect(await fixture.detail(txHash)).toMatchObject({ status: 'expired' });
      expect((await fixture.detail(txHash))?.history.find(({ event }) => event === 'expiry_requested')).toMatchObject({
        reason: 'validity_passed',
      });
    }
  });

  onFollower.test(
    'settles nothing when a block holds it in spite of that',
    'the embedded engine makes no such block',
    async () => {
      fixture.engine.fate = () => 'lose';
      const signed = signedTransfer({ validUntil: START_S + 1 });
      await fixture.submit(signed);
      await fixture.block({ exactly: [signed.raw], afterMs: 5000 });
      expect(fixture.engine.committed.at(-1)?.codes).toEqual([27]);
      expect(await fixture.detail(signed.hash)).toMatchObject({
        status: 'pending',
        reason: { code: 'validity_passed' },
      });
    },
  );

  test('keeps the time to live as its reason where that came first', async () => {
    await fixture.dispose();
    fixture = await Fixture.open({ limits: { pendingTtlMs: 60_000 } });
    fixture.engine.fate = () => 'lose';
    const { txHash } = await fixture.accept({ validUntil: START_S + 300 });
    await fixture.clock.advance(61_000);
    await fixture.block({ afterMs: 61_000 });
    await fixture.block({ afterMs: 600_000 });
    expect(await fixture.detail(txHash)).toMatchObject({
      status: 'pending',
      reason: { code: 'cancel_requested' },
      history: [{}, {}, { reason: 'time_to_live' }],
    });
  });

  test('of many one block gives up a bounded number, the earliest first, and the next ones the rest', async () => {
    const count = EXPIRED_PER_BLOCK_MAX + 5;
    const records = await Promise.all(
      Array.from({ length: count }, (_, i) => fixture.accept({ nonce: i + 1, validUntil: START_S + 1000 - i })),
    );
    fixture.engine.fate = () => 'lose';
    await fixture.block({ afterMs: 2_000_000 });
    const requested = async () => (await fixture.gateway.metrics()).cancel_outbox;
    expect(await requested()).toBe(EXPIRED_PER_BLOCK_MAX);
    expect(await fixture.detail(records[0]!.txHash)).not.toMatchObject({ reason: { code: 'validity_passed' } });
    expect(await fixture.detail(records.at(-1)!.txHash)).toMatchObject({ reason: { code: 'validity_passed' } });
    await fixture.block();
    expect(await requested()).toBe(count);
  });
});
