/** The least that opens an account: refused on arrival by the accounts of the chain, and failed where a block executes it in spite of that. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { encodeAddress, publicKeyOfSeed } from '../../server/ledger/index.ts';
import { devAddress, signedTransfer } from '../ledger/support.ts';
import { Fixture, START_MS } from './support/fixture.ts';

const LEAST = 1000n;
const newcomer = encodeAddress(publicKeyOfSeed(new Uint8Array(32).fill(44)), 'txlt');

let fixture: Fixture;
beforeEach(async () => {
  fixture = await Fixture.open({ genesis: { openingMinimum: LEAST } });
  await fixture.block();
});
afterEach(() => fixture.dispose());

test('a transfer that would open an account with less is refused, one with as much opens it, and then any amount goes', async () => {
  expect(await fixture.refusal({ to: newcomer, amount: LEAST - 1n })).toMatchObject({
    code: 'below_opening_minimum',
    errors: [{ pointer: '/amount', message: expect.stringContaining('at least 10.00 TST; this one moves 9.99 TST') }],
  });
  await fixture.accept({ to: newcomer, amount: LEAST });
  // Nothing has opened it yet, and what is pending may never do so.
  expect(await fixture.refusal({ nonce: 1, to: newcomer, amount: 1n })).toMatchObject({
    code: 'below_opening_minimum',
  });
  await fixture.block();
  await fixture.accept({ nonce: 1, to: newcomer, amount: 1n });
  await fixture.accept({ nonce: 2, to: 1, amount: 1n });
  await fixture.block();
  expect(await fixture.gateway.account(newcomer)).toMatchObject({ balance: '1001' });
});

test('a transfer to oneself opens nothing', async () => {
  await fixture.accept({ from: 0, to: 0, amount: 1n });
});

test('it is judged after validity and funds', async () => {
  expect(await fixture.refusal({ from: 1, to: newcomer, amount: 1n, validUntil: START_MS / 1000 - 60 })).toMatchObject({
    code: 'validity_passed',
  });
  await fixture.accept({ amount: 10n ** 15n, to: 1 });
  expect(await fixture.refusal({ nonce: 1, to: newcomer, amount: 1n })).toMatchObject({ code: 'insufficient_funds' });
});

test('one that a block executed fails with its reason, and keeps its nonce, also over a restart', async () => {
  const small = signedTransfer({ to: newcomer, amount: 1n });
  await fixture.block({ outsiders: [small.raw] });
  for (let look = 0; look < 2; look++) {
    expect(await fixture.detail(small.hash)).toMatchObject({
      status: 'failed',
      reason: { code: 'below_opening_minimum' },
      history: [{ event: 'seen_on_chain' }, { event: 'failed' }],
    });
    expect(await fixture.refusal({ amount: 7n })).toMatchObject({ code: 'nonce_conflict', txHash: small.hash });
    expect(await fixture.gateway.account(devAddress(0))).toMatchObject({ nonce: 1, nextNonce: 1 });
    await fixture.restart();
  }
});
