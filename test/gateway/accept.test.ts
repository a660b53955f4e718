/** Acceptance: what is taken, what is refused and with which code, and in which order the reasons are judged. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  encodeAddress,
  isOnCurve,
  isStrictPublicKey,
  NONCE_WINDOW,
  publicKeyOfSeed,
  signBytes,
  txHash,
} from '../../server/ledger/index.ts';
import { DEV_BALANCE, devAddress, devSeed, signedCancel, signedTransfer } from '../ledger/support.ts';
import { ALICE, BOB, Fixture, inputOf, principal } from './support/fixture.ts';
import { signedAgain } from './support/second-signature.ts';

let fixture: Fixture;
beforeEach(async () => {
  fixture = await Fixture.open();
});
afterEach(() => fixture.dispose());

/** Keys that nobody can sign for, because they are no point of the curve. */
function addressOffCurve(): string {
  for (let i = 1; ; i++) {
    const key = publicKeyOfSeed(devSeed(0)).slice();
    key[0] = i;
    if (!isOnCurve(key) && isStrictPublicKey(key)) return encodeAddress(key, 'txlt');
  }
}

const newAddress = (i: number): string => encodeAddress(publicKeyOfSeed(devSeed(1000 + i)), 'txlt');

async function pendingTotal(): Promise<number> {
  const page = await fixture.gateway.list({ limit: 1000, status: 'pending' });
  return page.ok ? page.transactions.length : Number.NaN;
}

describe('a good transfer', () => {
  test('is answered as pending under the hash of its raw bytes, and found, listed and committed', async () => {
    const transfer = signedTransfer({ amount: 5n });
    const answer = await fixture.submit(transfer);
    expect(answer).toMatchObject({
      ok: true,
      replayed: false,
      transaction: { txHash: transfer.hash, amount: '5', status: 'pending' },
    });
    expect(transfer.hash).toBe(txHash(transfer.raw));
    expect(await fixture.gateway.list({ limit: 10 })).toMatchObject({
      ok: true,
      transactions: [{ txHash: transfer.hash }],
    });
    await fixture.block();
    expect(await fixture.gateway.get(transfer.hash)).toMatchObject({
      status: 'committed',
      height: 1,
      history: [{ event: 'accepted' }, { event: 'broadcast' }, { event: 'committed', height: 1 }],
    });
    expect(await fixture.gateway.account(devAddress(0))).toMatchObject({
      balance: (DEV_BALANCE - 5n).toString(),
      nonce: 1,
      nextNonce: 1,
    });
  });

  test('may carry its hash in either case', async () => {
    const transfer = signedTransfer();
    expect(
      await fixture.gateway.submit({ ...inputOf(transfer), txHash: transfer.hash.toLowerCase() }, ALICE),
    ).toMatchObject({ ok: true });
  });

  test('may leave holes before it, up to the window of the chain', async () => {
    const record = await fixture.accept({ nonce: NONCE_WINDOW - 1 });
    expect(record.reason).toMatchObject({ code: 'waiting_for_nonce', detail: expect.stringContaining('nonce 0') });
    expect(await fixture.refusal({ nonce: NONCE_WINDOW })).toMatchObject({
      code: 'nonce_too_high',
      errors: [{ pointer: '/nonce' }],
    });
  });
});

describe('what needs no store is refused before the store is asked', () => {
  test('an address with a broken checksum, of another network or of a weak key, by its field', async () => {
    const good = inputOf(signedTransfer());
    const broken = `${good.from.slice(0, -1)}${good.from.endsWith('q') ? 'p' : 'q'}`;
    expect(await fixture.gateway.submit({ ...good, from: broken }, ALICE)).toMatchObject({
      code: 'invalid_address',
      errors: [{ pointer: '/from' }],
    });
    expect(await fixture.gateway.submit({ ...good, to: devAddress(1, 'txl') }, ALICE)).toMatchObject({
      code: 'invalid_address',
      errors: [{ pointer: '/to' }],
    });
    const weak = encodeAddress(new Uint8Array(32).fill(0), 'txlt');
    expect(await fixture.gateway.submit({ ...good, to: weak }, ALICE)).toMatchObject({
      code: 'invalid_address',
      errors: [{ pointer: '/to' }],
    });
  });

  test('a wrong signature, with the exact bytes that had to be signed', async () => {
    const transfer = signedTransfer();
    const refusal = await fixture.gateway.submit({ ...inputOf(transfer), amount: '2' }, ALICE);
    expect(refusal).toMatchObject({
      code: 'invalid_signature',
      extra: { signBytes: Buffer.from(signBytes({ ...transfer.tx, amount: 2n })).toString() },
    });
  });

  test("a hash that is not the transfer's, with both", async () => {
    const transfer = signedTransfer();
    const actualTxHash = '0'.repeat(64);
    expect(await fixture.gateway.submit({ ...inputOf(transfer), txHash: actualTxHash }, ALICE)).toMatchObject({
      code: 'tx_hash_mismatch',
      extra: { expectedTxHash: transfer.hash, actualTxHash },
    });
  });

  test('values outside their range, each with its pointer', async () => {
    const refusal = await fixture.gateway.submit(
      { ...inputOf(signedTransfer()), amount: (2n ** 128n).toString(), nonce: -1, signature: 'AA', txHash: 'x' },
      ALICE,
    );
    expect(refusal).toMatchObject({ code: 'invalid_request' });
    expect(!refusal.ok && refusal.errors?.map(({ pointer }) => pointer)).toEqual([
      '/amount',
      '/nonce',
      '/signature',
      '/txHash',
    ]);
  });

  test('and nothing of it is kept', async () => {
    await fixture.gateway.submit({ ...inputOf(signedTransfer()), amount: '2' }, ALICE);
    expect(await pendingTotal()).toBe(0);
  });
});

describe('the same payment again', () => {
  test('is the one resource under the same signature and under another valid one', async () => {
    const transfer = signedTransfer();
    const variant = signedAgain(transfer, devSeed(0));
    expect(variant.hash).not.toBe(transfer.hash);
    await fixture.submit(transfer);
    expect(await fixture.submit(transfer)).toMatchObject({
      ok: true,
      replayed: true,
      transaction: { txHash: transfer.hash },
    });
    expect(await fixture.submit(variant)).toMatchObject({
      ok: true,
      replayed: true,
      transaction: { txHash: transfer.hash },
    });
    expect(await pendingTotal()).toBe(1);
  });

  test('is the one resource whatever became of it', async () => {
    const committed = signedTransfer({ nonce: 0 });
    const cancelled = signedTransfer({ nonce: 1 });
    await fixture.submit(committed);
    await fixture.block();
    await fixture.submit(cancelled);
    const cancelling = fixture.gateway.cancel(cancelled.hash, ALICE, 10_000);
    await fixture.block();
    await cancelling;
    expect(await fixture.submit(committed)).toMatchObject({
      ok: true,
      replayed: true,
      transaction: { status: 'committed' },
    });
    expect(await fixture.submit(cancelled)).toMatchObject({
      ok: true,
      replayed: true,
      transaction: { status: 'cancelled' },
    });
  });

  test('twice in one group is one row', async () => {
    const transfer = signedTransfer();
    const answers = await Promise.all([
      fixture.submit(transfer),
      fixture.submit(signedAgain(transfer, devSeed(0))),
      fixture.submit(transfer),
    ]);
    expect(answers.map((answer) => answer.ok && answer.replayed)).toEqual([false, true, true]);
    expect(await pendingTotal()).toBe(1);
  });

  test('adds no owner: who sent it second may not cancel it', async () => {
    const transfer = signedTransfer({ nonce: 5 });
    await fixture.submit(transfer, ALICE);
    expect(await fixture.submit(transfer, BOB)).toMatchObject({ ok: true, replayed: true });
    expect(await fixture.gateway.cancel(transfer.hash, BOB, 0)).toMatchObject({ ok: false, code: 'not_submitter' });
    expect(await fixture.status(transfer.hash)).toBe('pending');
  });
});

describe('a nonce is used once', () => {
  test('another payment at the nonce of a pending or committed one is a conflict that names it', async () => {
    const first = await fixture.accept({ amount: 1n });
    expect(await fixture.refusal({ amount: 2n })).toMatchObject({ code: 'nonce_conflict', txHash: first.txHash });
    await fixture.block();
    expect(await fixture.refusal({ amount: 2n })).toMatchObject({ code: 'nonce_conflict', txHash: first.txHash });
  });

  test('and at the nonce of one that failed by execution', async () => {
    const outsider = signedTransfer({ amount: DEV_BALANCE + 1n });
    await fixture.block({ outsiders: [outsider.raw] });
    expect(await fixture.status(outsider.hash)).toBe('failed');
    expect(await fixture.refusal({ amount: 2n })).toMatchObject({ code: 'nonce_conflict', txHash: outsider.hash });
  });

  test('and while its cancel waits for a block: a cancel does not free the nonce', async () => {
    const first = await fixture.accept({ amount: 1n });
    await fixture.gateway.cancel(first.txHash, ALICE, 0);
    expect(await fixture.refusal({ amount: 2n })).toMatchObject({ code: 'nonce_conflict', txHash: first.txHash });
  });

  test('a cancelled nonce stays void for every other payment', async () => {
    const first = await fixture.accept({ nonce: 3 });
    const cancelling = fixture.gateway.cancel(first.txHash, ALICE, 10_000);
    await fixture.block();
    expect(await cancelling).toMatchObject({ ok: true, decided: true });
    expect(await fixture.refusal({ nonce: 3, amount: 2n })).toMatchObject({
      code: 'nonce_cancelled',
      txHash: first.txHash,
    });
  });

  test("a nonce below the account's that no payment here used is too low", async () => {
    await fixture.block({ outsiders: [signedCancel({ from: 0, nonce: 0 }).raw] });
    expect(await fixture.refusal({ nonce: 0 })).toMatchObject({ code: 'nonce_too_low' });
  });

  test('fifty racing payments for one nonce: exactly one is accepted, the others name it', async () => {
    const racers = Array.from({ length: 50 }, (_, i) => signedTransfer({ amount: BigInt(i + 1) }));
    const answers = await Promise.all(racers.map((racer) => fixture.submit(racer)));
    const winners = answers.filter((answer) => answer.ok);
    expect(winners).toHaveLength(1);
    const [winner] = winners;
    for (const answer of answers) {
      if (!answer.ok)
        expect(answer).toMatchObject({
          code: 'nonce_conflict',
          txHash: winner?.ok === true ? winner.transaction.txHash : '',
        });
    }
    expect(await pendingTotal()).toBe(1);
  });
});

describe('funds', () => {
  test('all pending transfers count, those with a cancel requested included', async () => {
    const most = await fixture.accept({ nonce: 0, amount: DEV_BALANCE - 10n });
    expect(await fixture.refusal({ nonce: 1, amount: 11n })).toMatchObject({
      code: 'insufficient_funds',
      errors: [{ pointer: '/amount' }],
    });
    await fixture.gateway.cancel(most.txHash, ALICE, 0);
    expect(await fixture.refusal({ nonce: 1, amount: 11n })).toMatchObject({ code: 'insufficient_funds' });
    await fixture.accept({ nonce: 1, amount: 10n });
  });

  test('what a group accepted before counts for what comes after it', async () => {
    const half = DEV_BALANCE / 2n + 1n;
    const answers = await Promise.all([
      fixture.submit(signedTransfer({ nonce: 0, amount: half })),
      fixture.submit(signedTransfer({ nonce: 1, amount: half })),
    ]);
    expect(answers.map((answer) => (answer.ok ? 'accepted' : answer.code))).toEqual(['accepted', 'insufficient_funds']);
  });

  test('money on its way to the sender does not count before its block', async () => {
    await fixture.accept({ from: 1, to: 0, amount: 5n });
    expect(await fixture.refusal({ amount: DEV_BALANCE + 5n })).toMatchObject({ code: 'insufficient_funds' });
    await fixture.block();
    await fixture.accept({ amount: DEV_BALANCE + 5n });
  });

  test('come free when a pending transfer is cancelled', async () => {
    const all = await fixture.accept({ nonce: 0, amount: DEV_BALANCE });
    const cancelling = fixture.gateway.cancel(all.txHash, ALICE, 10_000);
    await fixture.block();
    await cancelling;
    await fixture.accept({ nonce: 1, amount: DEV_BALANCE });
  });

  test('an unknown sender has none', async () => {
    expect(await fixture.refusal({ from: devSeed(77) })).toMatchObject({ code: 'insufficient_funds' });
  });

  test('an accepted transfer never fails by what was accepted here', async () => {
    for (let nonce = 0; nonce < 20; nonce++) await fixture.submit(signedTransfer({ nonce, amount: DEV_BALANCE / 7n }));
    await fixture.blocks(3);
    const page = await fixture.gateway.list({ limit: 100 });
    expect(page.ok && page.transactions.map(({ status }) => status)).toEqual(
      Array.from({ length: 7 }, () => 'committed'),
    );
  });
});

describe('the receiver', () => {
  test('without an account must be a point of the curve: money sent to another is lost', async () => {
    expect(await fixture.refusal({ to: addressOffCurve() })).toMatchObject({
      code: 'invalid_address',
      errors: [{ pointer: '/to' }],
    });
    await fixture.accept({ to: newAddress(1) });
  });

  test('off the curve is taken once it has an account, because a block gave it one', async () => {
    const to = addressOffCurve();
    await fixture.block({ outsiders: [signedTransfer({ to, nonce: 0 }).raw] });
    await fixture.accept({ to, nonce: 1 });
  });
});

describe('the bounds of the service', () => {
  test('pending transfers of one owner, while others go on', async () => {
    await fixture.dispose();
    fixture = await Fixture.open({ limits: { pendingPerOwnerMax: 2 } });
    await fixture.accept({ nonce: 0 });
    await fixture.accept({ nonce: 1 });
    expect(await fixture.refusal({ nonce: 2 })).toMatchObject({
      code: 'too_many_pending',
      retryAfterS: expect.any(Number),
    });
    await fixture.accept({ nonce: 2 }, BOB);
    await fixture.block();
    await fixture.accept({ nonce: 3 });
  });

  test('pending transfers altogether', async () => {
    await fixture.dispose();
    fixture = await Fixture.open({ limits: { pendingMax: 2 } });
    await fixture.accept({ nonce: 0 });
    await fixture.accept({ nonce: 1 }, BOB);
    expect(await fixture.refusal({ nonce: 2 }, principal('carol'))).toMatchObject({
      code: 'pool_full',
      retryAfterS: expect.any(Number),
    });
    // What is wrong for good is said first: waiting would not help.
    expect(await fixture.refusal({ nonce: 1, amount: 7n })).toMatchObject({ code: 'nonce_conflict' });
    await fixture.block();
    await fixture.accept({ nonce: 2 }, principal('carol'));
  });

  test('count over a restart', async () => {
    await fixture.dispose();
    fixture = await Fixture.open({ limits: { pendingPerOwnerMax: 1 } });
    await fixture.accept({ nonce: 5 });
    await fixture.restart();
    expect(await fixture.refusal({ nonce: 6 })).toMatchObject({ code: 'too_many_pending' });
  });

  test('name the nonce that is missing where one holds the account up', async () => {
    await fixture.dispose();
    fixture = await Fixture.open({ limits: { pendingPerOwnerMax: 3 } });
    await fixture.accept({ nonce: 0 });
    for (const nonce of [2, 3]) await fixture.accept({ nonce });
    expect(await fixture.refusal({ nonce: 4 })).toMatchObject({
      detail: expect.stringContaining('wait for nonce 1, which is missing. Cancel some, and submit that one first.'),
    });
    expect(await fixture.refusal({ nonce: 1 })).toMatchObject({
      detail: expect.stringContaining('Nonce 1 is the one that 2 transfers of this account wait for.'),
    });
    expect(await fixture.refusal({ from: 1, nonce: 0 })).toMatchObject({
      detail: expect.stringContaining('Wait until some are settled, or cancel some.'),
    });
  });
});
