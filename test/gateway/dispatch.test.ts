/** Dispatch: what is broadcast, in which order, and that it goes on until a block decides. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { devAddress, signedCancel, signedTransfer } from '../ledger/support.ts';
import { ALICE, Fixture } from './support/fixture.ts';
import { settled } from './support/manual-clock.ts';

let fixture: Fixture;
beforeEach(async () => {
  fixture = await Fixture.open();
});
afterEach(() => fixture.dispose());

const hashOf = (nonce: number): string => signedTransfer({ nonce }).hash;
const count = (hash: string): number => fixture.engine.heard.filter((heard) => heard === hash).length;

test('only the transfers that can execute one after the other are broadcast, in the order of their nonces', async () => {
  for (const nonce of [4, 1, 0, 2]) await fixture.accept({ nonce });
  await settled();
  expect(fixture.engine.heard).toEqual([0, 1, 2].map(hashOf));
  await fixture.accept({ nonce: 3 });
  await settled();
  expect(fixture.engine.heard).toEqual([0, 1, 2, 3, 4].map(hashOf));
});

test('signatures that the gateway verified are not verified again', async () => {
  await fixture.accept({});
  await settled();
  expect(fixture.engine.claimedVerified).toBe(1);
});

test('what a mempool took and lost is broadcast again, ever less often, until a block has it', async () => {
  fixture.engine.fate = () => 'lose';
  await fixture.accept({});
  await settled();
  const times: number[] = [];
  for (let second = 0; second < 60; second++) {
    const before = count(hashOf(0));
    await fixture.clock.advance(1000);
    if (count(hashOf(0)) > before) times.push(second);
  }
  expect(times.length).toBeGreaterThanOrEqual(6);
  const gaps = times.slice(1).map((time, i) => time - times[i]!);
  expect(gaps).toEqual([...gaps].sort((a, b) => a - b));
  expect(Math.max(...gaps)).toBeLessThanOrEqual(10);
  fixture.engine.fate = () => 'take';
  await fixture.clock.advance(10_000);
  await fixture.block();
  expect(await fixture.status(hashOf(0))).toBe('committed');
  const heard = count(hashOf(0));
  await fixture.clock.advance(60_000);
  expect(count(hashOf(0))).toBe(heard);
});

test('what a mempool refused is broadcast again too, and counts as broadcast from when it was taken', async () => {
  const events = async () => (await fixture.detail(hashOf(0)))?.history.map(({ event }) => event);
  fixture.engine.fate = () => 'refuse';
  await fixture.accept({});
  await settled();
  await fixture.block();
  expect(await events()).toEqual(['accepted']);
  fixture.engine.fate = () => 'take';
  await fixture.clock.advance(10_000);
  await fixture.block();
  expect(await events()).toEqual(['accepted', 'broadcast', 'committed']);
});

test('a transfer whose money was spent elsewhere stays pending and runs within seconds once there is enough again', async () => {
  const { engine } = fixture;
  const balance = engine.ledger.account(devAddress(0))!.balance;
  await fixture.block({ outsiders: [signedTransfer({ nonce: 0, amount: balance - 10n }).raw] });
  // Accepted with enough money, which a payment from elsewhere takes before a block has it.
  engine.fate = () => 'lose';
  await fixture.accept({ nonce: 2, amount: 6n });
  await fixture.block({ outsiders: [signedTransfer({ nonce: 1, amount: 5n }).raw] });
  engine.fate = () => 'take';
  await fixture.clock.advance(60_000);
  await fixture.block();
  expect(await fixture.status(signedTransfer({ nonce: 2, amount: 6n }).hash)).toBe('pending');
  await fixture.block({ outsiders: [signedTransfer({ from: 1, to: 0, nonce: 0, amount: 1n }).raw] });
  await fixture.clock.advance(10_000);
  await fixture.block();
  expect(await fixture.status(signedTransfer({ nonce: 2, amount: 6n }).hash)).toBe('committed');
});

test('an engine that cannot be reached is tried again', async () => {
  fixture.engine.unreachable = true;
  const { txHash } = await fixture.accept({});
  await settled();
  await fixture.clock.advance(5000);
  fixture.engine.unreachable = false;
  await fixture.clock.advance(5000);
  await fixture.block();
  expect(await fixture.status(txHash)).toBe('committed');
});

test('everything pending is broadcast again after a restart', async () => {
  await fixture.accept({ nonce: 0 });
  await fixture.accept({ nonce: 1 });
  await settled();
  fixture.engine.forget();
  await fixture.restart();
  await fixture.block();
  expect(await fixture.status(hashOf(1))).toBe('committed');
});

test('cancels go first, and the cancelled transfer and those behind it wait for the block', async () => {
  fixture.engine.unreachable = true;
  await fixture.accept({ nonce: 0 });
  await fixture.accept({ nonce: 1 });
  await fixture.accept({ nonce: 2 });
  await fixture.gateway.cancel(hashOf(1), ALICE, 0);
  fixture.engine.unreachable = false;
  await fixture.clock.advance(20_000);
  const cancel = signedCancel({ from: 0, nonce: 1, txHash: hashOf(1) }).hash;
  expect(fixture.engine.heard[0]).toBe(cancel);
  expect(fixture.engine.heard).toContain(hashOf(0));
  expect(fixture.engine.heard).not.toContain(hashOf(1));
  expect(fixture.engine.heard).not.toContain(hashOf(2));
  await fixture.block();
  await settled();
  expect(fixture.engine.heard).toContain(hashOf(2));
});

describe('the reason of a pending transfer', () => {
  const reason = async (nonce: number) => (await fixture.detail(hashOf(nonce)))?.reason;

  test('names the lowest nonce that it waits for', async () => {
    await fixture.accept({ nonce: 0 });
    await fixture.accept({ nonce: 2 });
    expect(await reason(0)).toMatchObject({ code: 'broadcast' });
    expect(await reason(2)).toMatchObject({ code: 'waiting_for_nonce', detail: expect.stringContaining('nonce 1,') });
    await fixture.accept({ nonce: 1 });
    expect(await reason(2)).toMatchObject({ code: 'broadcast' });
    await fixture.gateway.cancel(hashOf(1), ALICE, 0);
    expect(await reason(1)).toMatchObject({ code: 'cancel_requested' });
    expect(await reason(2)).toMatchObject({ code: 'waiting_for_nonce', detail: expect.stringContaining('nonce 1,') });
  });

  test('and its first broadcast is written down once, also when no block comes', async () => {
    await fixture.accept({ nonce: 0 });
    await settled();
    await fixture.clock.advance(2000);
    await settled();
    const events = (await fixture.detail(hashOf(0)))?.history;
    expect(events?.map(({ event }) => event)).toEqual(['accepted', 'broadcast']);
    await fixture.clock.advance(30_000);
    await fixture.block();
    expect((await fixture.detail(hashOf(0)))?.history[1]).toEqual(events?.[1]);
  });
});
