/** What opens an account: refused on arrival by the accounts of the chain, and failed where a block holds too little all the same. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { devSeed, operatorAddress, signedTransfer } from '../ledger/support.ts';
import { Fixture } from './support/fixture.ts';

const FRESH = operatorAddress(7);

let fixture: Fixture;
beforeEach(async () => {
  fixture = await Fixture.open({ genesis: { openingMinimum: 100n } });
});
afterEach(() => fixture.dispose());

test('less than the opening minimum is refused where the receiver has no account, whatever is pending for it', async () => {
  expect(await fixture.refusal({ to: FRESH, amount: 99n })).toMatchObject({ code: 'below_opening_minimum', errors: [{ pointer: '/amount' }] });
  await fixture.accept({ to: FRESH, amount: 100n });
  expect(await fixture.refusal({ from: 1, to: FRESH, amount: 99n })).toMatchObject({ code: 'below_opening_minimum' });
  await fixture.block();
  await fixture.accept({ from: 1, to: FRESH, amount: 1n });
  await fixture.accept({ from: 2, to: 3, amount: 1n });
});

test('comes before funds, and a transfer to oneself opens nothing', async () => {
  expect(await fixture.refusal({ from: devSeed(77), to: FRESH, amount: 1n })).toMatchObject({ code: 'below_opening_minimum' });
  expect(await fixture.refusal({ from: devSeed(77), to: 0, amount: 1n })).toMatchObject({ code: 'insufficient_funds' });
  await fixture.accept({ from: 0, to: 0, amount: 1n });
});

test('in a block it fails for good with that reason, and holds its nonce', async () => {
  const dust = signedTransfer({ to: FRESH, amount: 99n });
  await fixture.block({ exactly: [dust.raw] });
  expect(await fixture.detail(dust.hash)).toMatchObject({ status: 'failed', reason: { code: 'below_opening_minimum' }, history: [{}, { event: 'failed' }] });
  expect(await fixture.gateway.account(signedTransfer().tx.from)).toMatchObject({ nonce: 1 });
  expect(await fixture.refusal({ nonce: 0, to: 1, amount: 5n })).toMatchObject({ code: 'nonce_conflict', txHash: dust.hash });
  await fixture.accept({ nonce: 1, to: 1, amount: 5n });
});
