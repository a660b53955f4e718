/** A transfer of which the database has no row, while the chain holds a cancel that names it: as after a restore. With real servers: test/database/run.ts. */
import { afterEach, expect, test } from '@jest/globals';
import { HELD_UP_LOG_MS_MIN } from '../../server/gateway/limits.ts';
import { devAddress, signedCancel, signedTransfer } from '../ledger/support.ts';
import { ALICE, Fixture, inputOf } from './support/fixture.ts';

let fixture: Fixture | undefined;
afterEach(() => fixture?.dispose());

const lost = signedTransfer({ from: 0, nonce: 1, amount: 5n });

/** The cancel comes back with the blocks; the row of the transfer does not. */
async function afterRestore(): Promise<Fixture> {
  const opened = await Fixture.open({ core: 'follows' });
  fixture = opened;
  await opened.block({ outsiders: [signedCancel({ from: 0, nonce: 1, txHash: lost.hash }).raw] });
  return opened;
}

test('says of a transfer that only its cancel is known of which block voided which nonce', async () => {
  const { gateway } = await afterRestore();
  const says = {
    ok: false,
    code: 'not_found',
    txHash: lost.hash,
    detail: expect.stringContaining(`block 1 voided nonce 1 of ${devAddress(0)} by a cancel that names this hash`),
  };
  expect(await gateway.get(lost.hash)).toMatchObject(says);
  expect(await gateway.cancel(lost.hash, ALICE, 0)).toMatchObject(says);
  expect(await gateway.get('AB'.repeat(32))).toBeUndefined();
  expect(await gateway.cancel('AB'.repeat(32), ALICE, 0)).toMatchObject({
    code: 'not_found',
    detail: expect.stringContaining('No transfer with this hash has been seen here'),
  });
});

test('tells whoever submits it again that it was cancelled, before and after the chain has passed its nonce', async () => {
  const { gateway } = await afterRestore();
  const again = {
    ok: false,
    code: 'nonce_cancelled',
    txHash: lost.hash,
    detail: expect.stringContaining('This transfer was cancelled: block 1 voided its nonce 1'),
  };
  expect(await gateway.submit(inputOf(lost), ALICE)).toMatchObject({ ...again, extra: { nextNonce: 0 } });
  expect((await gateway.submit(inputOf(signedTransfer({ nonce: 0 })), ALICE)).ok).toBe(true);
  await fixture!.block();
  expect(await gateway.account(devAddress(0))).toMatchObject({ nonce: 2 });
  expect(await gateway.submit(inputOf(lost), ALICE)).toMatchObject({ ...again, extra: { nextNonce: 2 } });
});

test('believes no cancel that names the hash of a transfer with another nonce or sender', async () => {
  const { gateway } = await afterRestore();
  const other = signedTransfer({ from: 2, nonce: 0 });
  await fixture!.block({
    outsiders: [
      signedCancel({ from: 0, nonce: 2, txHash: other.hash }).raw,
      signedCancel({ from: 2, nonce: 0, txHash: lost.hash }).raw,
    ],
  });
  expect(await gateway.submit(inputOf(other), ALICE)).toMatchObject({
    code: 'nonce_too_low',
    detail: expect.stringContaining('it is used or void'),
  });
});

test('senders that wait for a nonce which no transfer has are named at a start', async () => {
  fixture = await Fixture.open({ core: 'follows' });
  for (const from of [0, 1]) await fixture.accept({ from, nonce: 0 });
  for (const from of [1, 2]) await fixture.accept({ from, nonce: 3 });
  fixture.logged.length = 0;
  await fixture.restart();
  const lines = fixture.logged.filter(({ message }) => message.includes('no transfer here has'));
  expect(lines).toMatchObject([
    {
      level: 'warn',
      fields: { senders: 2, named: [`${devAddress(1)} waits for nonce 1`, `${devAddress(2)} waits for nonce 0`] },
    },
  ]);
});

test('a sender that waits for one nonce for a minute is counted and named once, and no longer when it was sent', async () => {
  fixture = await Fixture.open({ core: 'follows' });
  const { clock, gateway, logged } = fixture;
  const named = (): unknown[] =>
    logged
      .filter(({ message }) => message.includes('no transfer here has'))
      .map(({ fields }) => (fields as { named?: unknown }).named);
  await fixture.accept({ from: 1, nonce: 1 });
  await fixture.accept({ from: 2, nonce: 0 });
  expect((await gateway.metrics()).senders_held_up).toBe(1);
  await fixture.block();
  // Transfers that were sent at once may overtake each other.
  expect(named()).toEqual([]);
  for (let minute = 0; minute < 3; minute += 1) {
    await clock.advance(HELD_UP_LOG_MS_MIN);
    await fixture.block();
  }
  expect(named()).toEqual([[`${devAddress(1)} waits for nonce 0`]]);
  await fixture.accept({ from: 1, nonce: 0 });
  expect((await gateway.metrics()).senders_held_up).toBe(0);
  await fixture.block();
  expect(await gateway.account(devAddress(1))).toMatchObject({ nonce: 2 });
});
