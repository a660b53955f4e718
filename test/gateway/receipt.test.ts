/** Whose receipt is asked of the engine, how long it is waited for, and what is said instead. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { DEV_BALANCE, devSeed, signedCancel, signedTransfer } from '../ledger/support.ts';
import { ALICE, Fixture } from './support/fixture.ts';
import { settled } from './support/manual-clock.ts';
import { signedAgain } from './support/second-signature.ts';

let fixture: Fixture;
beforeEach(async () => {
  fixture = await Fixture.open();
});
afterEach(() => fixture.dispose());

const receipt = (txHash: string, waitMs = 0, signal?: AbortSignal) =>
  fixture.gateway.receipt(txHash, ALICE, waitMs, signal);
/** The transaction that the receipt is of; the engine of these tests signs nothing. */
const of = async (txHash: string) => {
  const answer = await receipt(txHash);
  return answer.ok ? answer.receipt : answer.code;
};

describe('a receipt is that of the transaction which decided the transfer:', () => {
  test('itself, committed or failed', async () => {
    const { txHash } = await fixture.accept({});
    await fixture.block();
    await fixture.block();
    expect(await of(txHash)).toEqual({ height: 1, txHash });
    expect(await of(txHash.toLowerCase())).toEqual({ height: 1, txHash });
    const broke = signedTransfer({ from: 3, amount: DEV_BALANCE * 2n });
    await fixture.block({ outsiders: [broke.raw] });
    await fixture.block();
    expect(await of(broke.hash)).toEqual({ height: 3, txHash: broke.hash });
  });

  test('the same payment under another signature', async () => {
    const first = signedTransfer({});
    const again = signedAgain(first, devSeed(0));
    await fixture.submit(first);
    await fixture.block({ exactly: [again.raw] });
    await fixture.block();
    expect(await of(first.hash)).toEqual({ height: 1, txHash: again.hash });
    expect(await of(again.hash)).toEqual({ height: 1, txHash: again.hash });
  });

  test('the cancel that voided its nonce', async () => {
    const { txHash } = await fixture.accept({ nonce: 2 });
    await fixture.gateway.cancel(txHash, ALICE, 0);
    await fixture.block();
    await fixture.block();
    expect(await of(txHash)).toEqual({ height: 1, txHash: signedCancel({ from: 0, nonce: 2, txHash }).hash });
  });

  test('the payment that took its nonce', async () => {
    const { txHash } = await fixture.accept({});
    const other = signedTransfer({ to: 2 });
    await fixture.block({ exactly: [other.raw] });
    await fixture.block();
    expect(await of(txHash)).toEqual({ height: 1, txHash: other.hash });
  });
});

describe('there is none', () => {
  test('of a hash that was never seen', async () => {
    expect(await receipt('no hash')).toMatchObject({ ok: false, code: 'not_found' });
    expect(await receipt('0'.repeat(64))).toMatchObject({ ok: false, code: 'not_found', txHash: '0'.repeat(64) });
  });

  test('of a pending transfer, nor before the next block', async () => {
    const { txHash } = await fixture.accept({});
    expect(await receipt(txHash)).toMatchObject({
      ok: false,
      code: 'receipt_not_ready',
      txHash,
      detail: expect.stringContaining('pending'),
    });
    await fixture.block();
    expect(await receipt(txHash)).toMatchObject({
      ok: false,
      code: 'receipt_not_ready',
      txHash,
      detail: expect.stringContaining('block 2'),
    });
    await fixture.block();
    expect(await receipt(txHash)).toMatchObject({ ok: true });
  });
});

describe('a wait', () => {
  test('ends with the receipt as soon as both blocks are there', async () => {
    const { txHash } = await fixture.accept({});
    const waiting = receipt(txHash, 10_000);
    await settled();
    await fixture.block();
    await settled();
    await fixture.block();
    expect(await waiting).toMatchObject({ ok: true, receipt: { height: 1, txHash } });
  });

  test('is over when its time is, counted from the first moment', async () => {
    const { txHash } = await fixture.accept({});
    const waiting = receipt(txHash, 5_000);
    await settled();
    await fixture.clock.advance(3_000);
    await fixture.block();
    await settled();
    await fixture.clock.advance(2_000);
    await settled();
    expect(await waiting).toMatchObject({
      ok: false,
      code: 'receipt_not_ready',
      detail: expect.stringContaining('block 2'),
    });
  });

  test('ends when the caller hangs up, and when the service drains', async () => {
    const { txHash } = await fixture.accept({});
    const hangUp = new AbortController();
    const waiting = receipt(txHash, 5_000, hangUp.signal);
    await settled();
    hangUp.abort();
    expect(await waiting).toMatchObject({ ok: false, code: 'receipt_not_ready' });
    await fixture.block();
    const last = receipt(txHash, 30_000);
    await settled();
    await fixture.gateway.drain();
    expect(await last).toMatchObject({ ok: false, code: 'receipt_not_ready' });
  });
});
