/** Dispatch: what is broadcast, in which order, and that it goes on until a block decides. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { devAddress, signedCancel, signedTransfer } from '../ledger/support.ts';
import { ALICE, BOB, Fixture, principal } from './support/fixture.ts';
import { BROADCAST_BATCH_MAX } from '../../server/gateway/limits.ts';
import { PendingIndex } from '../../server/gateway/dispatch/pending-index.ts';
import { Schedule } from '../../server/gateway/dispatch/schedule.ts';
import type { StoredTransfer } from '../../server/store/index.ts';
import { RoundRobin } from '../../server/gateway/round-robin.ts';
import { onFollower } from './support/fixture-store.ts';
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

describe('turns', () => {
  test('go round owners, and round the accounts of each, whatever each has waiting', () => {
    const turns = new RoundRobin<string>();
    for (const [owner, items] of [
      ['a', ['a1', 'a2', 'a3']],
      ['b', ['b1']],
      ['c', ['c1', 'c2']],
    ] as const)
      for (const item of items) turns.add(owner, item);
    turns.add('b', 'a1');
    expect(turns.size).toBe(6);
    const taken: (string | undefined)[] = [];
    for (let i = 0; i < 4; i++) taken.push(turns.next());
    turns.add('a', 'a1');
    turns.add('b', 'b1');
    while (turns.size > 0) taken.push(turns.next());
    expect(taken).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3', 'b1', 'a1']);
    expect(turns.next()).toBeUndefined();
  });

  test("bring the one transfer of an owner into the first batch, behind thousands of another's", async () => {
    fixture.engine.unreachable = true;
    await Promise.all(
      Array.from({ length: 3 * BROADCAST_BATCH_MAX }, (_, i) =>
        fixture.accept({ from: i % 4, nonce: Math.floor(i / 4) }),
      ),
    );
    const late = await fixture.accept({ from: 5, nonce: 0 }, BOB);
    fixture.engine.unreachable = false;
    await fixture.restart();
    await fixture.clock.advance(20_000);
    expect(fixture.engine.heard.length).toBeGreaterThan(3 * BROADCAST_BATCH_MAX);
    expect(fixture.engine.heard.indexOf(late.txHash)).toBeLessThan(4);
  });

  test('of what goes out for the first time come though thousands of transfers and cancels go out again', () => {
    const pending = new PendingIndex();
    const schedule = new Schedule(pending);
    const sender = (id: number) => ({
      id,
      address: devAddress(id),
      onChain: true,
      balance: 1n,
      nonce: 0,
      voids: 0n,
      reserved: 0n,
    });
    const add = (fromId: number, nonce: number, cancelled = false) => {
      const row = {
        seq: fromId * 1000 + nonce,
        fromId,
        nonce,
        owner: `owner-${fromId}`,
        ...(cancelled && { cancelRequestedAtMs: 1 }),
      } as StoredTransfer;
      const entry = pending.add(row, sender(fromId));
      schedule.changed(entry);
      return entry;
    };
    for (let i = 0; i < 1600; i++) add(i % 4, Math.floor(i / 4), i % 4 === 3);
    for (let batch = schedule.take(0, 500); batch.length > 0; batch = schedule.take(0, 500))
      for (const sending of batch) schedule.sent(sending, 0);
    const late = [add(7, 0), add(7, 1)];
    const batch = schedule.take(10_000, 500);
    expect(batch).toHaveLength(500);
    expect(batch.filter(({ entry }) => late.includes(entry)).map(({ entry }) => entry.transfer.nonce)).toEqual([0, 1]);
    const kinds = batch.map(({ kind }) => kind);
    expect(kinds.lastIndexOf('cancel')).toBeLessThan(kinds.indexOf('transfer'));
    for (const account of [0, 1, 2]) {
      const nonces = batch
        .filter(({ kind, entry }) => kind === 'transfer' && entry.transfer.fromId === account)
        .map(({ entry }) => entry.transfer.nonce);
      expect(nonces).toEqual(nonces.toSorted((a, b) => a - b));
    }
  });

  test("of cancels are the owners' too", async () => {
    const carol = principal('carol');
    fixture.engine.unreachable = true;
    const many = await Promise.all(Array.from({ length: 700 }, (_, nonce) => fixture.accept({ from: 0, nonce })));
    await fixture.accept({ from: 1, nonce: 0 }, carol);
    await Promise.all(many.map(({ txHash }) => fixture.gateway.cancel(txHash, ALICE, 0)));
    await fixture.gateway.cancel(signedTransfer({ from: 1, nonce: 0 }).hash, carol, 0);
    fixture.engine.unreachable = false;
    await fixture.restart();
    await fixture.clock.advance(20_000);
    const hash = signedCancel({ from: 1, nonce: 0, txHash: signedTransfer({ from: 1, nonce: 0 }).hash }).hash;
    expect(fixture.engine.heard.indexOf(hash)).toBeGreaterThanOrEqual(0);
    expect(fixture.engine.heard.indexOf(hash)).toBeLessThan(3);
  });
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

  onFollower.test(
    'and its first broadcast is in its history from then on, and stays when its block writes it down',
    'embedded-core.test.ts has the same of chain.db',
    async () => {
      await fixture.accept({ nonce: 0 });
      await settled();
      await fixture.clock.advance(2000);
      await settled();
      const events = (await fixture.detail(hashOf(0)))?.history;
      expect(events?.map(({ event }) => event)).toEqual(['accepted', 'broadcast']);
      await fixture.clock.advance(30_000);
      await fixture.block();
      expect((await fixture.detail(hashOf(0)))?.history[1]).toEqual(events?.[1]);
    },
  );
});
