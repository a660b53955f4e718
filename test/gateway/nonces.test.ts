/** What a client is told about nonces: the one to sign with instead, what became of the one it used, and the transfers that have it. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { NONCE_WINDOW } from '../../server/ledger/index.ts';
import type { ListQuery, Refusal } from '../../server/gateway/index.ts';
import { devAddress, devSeed, signedCancel, signedTransfer } from '../ledger/support.ts';
import { ALICE, Fixture } from './support/fixture.ts';

const MINUTE_MS = 60_000;

let fixture: Fixture;
beforeEach(async () => {
  fixture = await Fixture.open({ limits: { pendingTtlMs: 10 * MINUTE_MS } });
  await fixture.block();
});
afterEach(() => fixture.dispose());

const SENDER = devAddress(0);

async function nextNonce(): Promise<number> {
  const account = await fixture.gateway.account(SENDER);
  if (!account.ok) throw new Error(account.detail);
  return account.nextNonce;
}

async function cancelled(nonce: number): Promise<string> {
  const { txHash } = await fixture.accept({ nonce });
  const cancelling = fixture.gateway.cancel(txHash, ALICE, 10_000);
  await fixture.block();
  await cancelling;
  return txHash;
}

async function expired(nonce: number): Promise<string> {
  const { txHash } = await fixture.accept({ nonce });
  await fixture.clock.advance(10 * MINUTE_MS);
  await fixture.block({ afterMs: 10 * MINUTE_MS });
  await fixture.block();
  expect(await fixture.status(txHash)).toBe('expired');
  return txHash;
}

/** As the code, the sentence and the nonce of a refusal, which is the one that the account tells. */
async function judged(nonce: number): Promise<[Refusal['code'], string]> {
  const { code, detail, errors, extra } = await fixture.refusal({ nonce, amount: 99n });
  expect(errors).toEqual([{ pointer: '/nonce', message: detail }]);
  expect(extra?.nextNonce).toBe(await nextNonce());
  return [code, detail];
}

describe('a nonce that cannot be used', () => {
  test('because another payment holds it, is told with the next one', async () => {
    for (const nonce of [0, 1, 3]) await fixture.accept({ nonce });
    expect(await judged(1)).toEqual([
      'nonce_conflict',
      'Another payment holds nonce 1; it is pending. Sign this payment with nonce 2, or cancel the other one first.',
    ]);
    await fixture.block();
    expect(await judged(1)).toEqual([
      'nonce_conflict',
      'Another payment holds nonce 1; it is committed. Sign this payment with nonce 2.',
    ]);
  });

  test('because it is too far ahead, is told with the next one', async () => {
    await fixture.accept({ nonce: 0 });
    expect(await judged(NONCE_WINDOW)).toEqual([
      'nonce_too_high',
      'Nonce 1024 is too far ahead: the chain expects nonce 0 and takes up to nonce 1023. Submit the earlier transfers first, from nonce 1.',
    ]);
  });

  test('because a cancel was requested, says so, as long as it is ahead and after the chain has passed it', async () => {
    const ahead = await cancelled(1);
    expect(await judged(1)).toEqual([
      'nonce_cancelled',
      'Nonce 1 is void: the transfer that held it was cancelled on request. Sign the payment with nonce 0.',
    ]);
    expect(await fixture.refusal({ nonce: 1, amount: 99n })).toMatchObject({ txHash: ahead });
    await cancelled(0);
    expect(await judged(1)).toEqual([
      'nonce_too_low',
      'The chain has passed nonce 1: the transfer that held it was cancelled on request. Sign the payment with nonce 2.',
    ]);
  });

  test('because its transfer expired, says so, and never that it was cancelled', async () => {
    const ahead = await expired(1);
    const words = 'the transfer that held it expired, because it was pending for longer than its time to live';
    expect(await judged(1)).toEqual(['nonce_cancelled', `Nonce 1 is void: ${words}. Sign the payment with nonce 0.`]);
    await cancelled(0);
    expect(await judged(1)).toEqual([
      'nonce_too_low',
      `The chain has passed nonce 1: ${words}. Sign the payment with nonce 2.`,
    ]);
    expect(await fixture.refusal({ nonce: 1, amount: 99n })).toMatchObject({ txHash: ahead });
  });

  test('because of a cancel that nobody requested here, says so', async () => {
    await fixture.block({ outsiders: [signedCancel({ from: 0, nonce: 1, signer: devSeed(0) }).raw] });
    expect(await judged(1)).toEqual([
      'nonce_cancelled',
      'Nonce 1 is void: a cancel that was broadcast elsewhere voided it. Sign the payment with nonce 0.',
    ]);
    await fixture.accept({ nonce: 2 });
    await fixture.block({
      outsiders: [signedCancel({ from: 0, nonce: 2, signer: devSeed(0), txHash: 'A'.repeat(64) }).raw],
    });
    expect(await judged(2)).toEqual([
      'nonce_cancelled',
      'Nonce 2 is void: a cancel that was meant for another transfer voided it. Sign the payment with nonce 0.',
    ]);
  });

  test('is judged after what came before it in the same group', async () => {
    const [first, second, third] = await Promise.all([
      fixture.submit(signedTransfer({ nonce: 0 })),
      fixture.submit(signedTransfer({ nonce: 1 })),
      fixture.submit(signedTransfer({ nonce: 0, amount: 99n })),
    ]);
    expect([first?.ok, second?.ok]).toEqual([true, true]);
    expect(third).toMatchObject({ ok: false, code: 'nonce_conflict', extra: { nextNonce: 2 } });
  });
});

describe('the nonce of a transfer', () => {
  const hashes = async (query: Partial<ListQuery>): Promise<string[]> => {
    const page = await fixture.gateway.list({ limit: 10, ...query });
    if (!page.ok) throw new Error(page.detail);
    return page.transactions.map(({ txHash }) => txHash);
  };

  test('is told in its detail', async () => {
    const { txHash } = await fixture.accept({ nonce: 3 });
    expect(await fixture.detail(txHash)).toMatchObject({ txHash, nonce: 3 });
  });

  test('finds it among those of its sender, with every other filter', async () => {
    const mine = await fixture.accept({ nonce: 3 });
    await fixture.accept({ nonce: 4 });
    await fixture.accept({ from: 1, nonce: 3 });
    expect(await hashes({ from: SENDER, nonce: 3 })).toEqual([mine.txHash]);
    expect(await hashes({ from: SENDER, nonce: 3, to: mine.to, account: mine.to, status: 'pending' })).toEqual([
      mine.txHash,
    ]);
    for (const other of [
      { nonce: 2 },
      { status: 'committed' as const },
      { to: devAddress(7) },
      { account: devAddress(7) },
      { from: devAddress(6) },
    ]) {
      expect(await hashes({ from: SENDER, nonce: 3, ...other })).toEqual([]);
    }
  });

  test('finds all that had it, page by page, each once', async () => {
    const mine = await fixture.accept({ nonce: 0 });
    const outsider = signedTransfer({ nonce: 0, amount: 99n });
    await fixture.block({ outsiders: [outsider.raw] });
    const query = { from: SENDER, nonce: 0 };
    expect(await hashes(query)).toEqual([outsider.hash, mine.txHash]);
    const first = await fixture.gateway.list({ ...query, limit: 1 });
    const cursor = first.ok ? (first.nextCursor ?? '') : '';
    expect(await fixture.gateway.list({ ...query, limit: 1, cursor })).toEqual({
      ok: true,
      height: expect.any(Number),
      transactions: [expect.objectContaining({ txHash: mine.txHash })],
    });
    for (const others of [{ from: SENDER, nonce: 1 }, { from: SENDER }]) {
      expect(await fixture.gateway.list({ ...others, limit: 1, cursor })).toMatchObject({
        ok: false,
        code: 'invalid_request',
        errors: [{ pointer: '#/query/cursor' }],
      });
    }
  });

  test('is refused as a filter without a sender', async () => {
    expect(await fixture.gateway.list({ limit: 10, nonce: 3 })).toMatchObject({
      ok: false,
      code: 'invalid_request',
      errors: [{ pointer: '#/query/nonce' }],
    });
  });
});
