/** The time to live: what stays pending past it in block time and in uptime is voided, and called expired. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { signedTransfer } from '../ledger/support.ts';
import { ALICE, Fixture } from './support/fixture.ts';
import { EXPIRED_PER_BLOCK_MAX } from '../../server/gateway/index.ts';

const MINUTE_MS = 60_000;

let fixture: Fixture;
beforeEach(async () => {
  fixture = await Fixture.open({ limits: { pendingTtlMs: 10 * MINUTE_MS } });
  await fixture.block();
});
afterEach(() => fixture.dispose());

/** Both clocks go on. */
async function pass(ms: number): Promise<void> {
  await fixture.clock.advance(ms);
  await fixture.block({ afterMs: ms });
}

test('a transfer expires when both clocks say so, by a cancel that a block takes', async () => {
  const { txHash } = await fixture.accept({ nonce: 5 });
  await pass(9 * MINUTE_MS);
  expect(await fixture.status(txHash)).toBe('pending');
  await pass(MINUTE_MS);
  expect(await fixture.gateway.get(txHash)).toMatchObject({ status: 'pending', reason: { code: 'cancel_requested' } });
  await fixture.block();
  expect(await fixture.gateway.get(txHash)).toMatchObject({
    status: 'expired',
    history: [{ event: 'accepted' }, { event: 'expiry_requested' }, { event: 'expired' }],
  });
  expect(await fixture.refusal({ nonce: 5, amount: 9n })).toMatchObject({ code: 'nonce_cancelled' });
  expect(await fixture.gateway.cancel(txHash, ALICE, 0)).toMatchObject({
    ok: false,
    code: 'already_settled',
    extra: { status: 'expired' },
  });
});

test('a jump of block time alone expires nothing', async () => {
  const { txHash } = await fixture.accept({ nonce: 5 });
  await fixture.block({ afterMs: 1000 * MINUTE_MS });
  await fixture.block();
  expect(await fixture.status(txHash)).toBe('pending');
});

test('uptime alone expires nothing while block time stands still', async () => {
  const { txHash } = await fixture.accept({ nonce: 5 });
  await fixture.clock.advance(30 * MINUTE_MS);
  await fixture.block({ afterMs: 1 });
  await fixture.block({ afterMs: 1 });
  expect(await fixture.status(txHash)).toBe('pending');
});

test('uptime adds up over restarts', async () => {
  const { txHash } = await fixture.accept({ nonce: 5 });
  for (let i = 0; i < 4; i++) {
    await pass(3 * MINUTE_MS);
    await fixture.restart();
  }
  await fixture.block();
  expect(await fixture.status(txHash)).toBe('expired');
});

test('a request outlives a restart', async () => {
  const { txHash } = await fixture.accept({ nonce: 5 });
  fixture.engine.fate = () => 'lose';
  await pass(10 * MINUTE_MS);
  await fixture.restart();
  fixture.engine.fate = () => 'take';
  await fixture.clock.advance(20_000);
  await fixture.block();
  expect(await fixture.status(txHash)).toBe('expired');
});

test('what a client asked to cancel before the block is called cancelled, though it also expired', async () => {
  const { txHash } = await fixture.accept({ nonce: 5 });
  fixture.engine.fate = () => 'lose';
  await pass(10 * MINUTE_MS);
  expect(await fixture.gateway.cancel(txHash, ALICE, 0)).toMatchObject({ ok: true, decided: false });
  fixture.engine.fate = () => 'take';
  await fixture.clock.advance(20_000);
  await fixture.block();
  expect(await fixture.status(txHash)).toBe('cancelled');
});

test('what a client asked to cancel stays called so when its time to live ends afterwards, also over a restart', async () => {
  const { txHash } = await fixture.accept({ nonce: 5 });
  fixture.engine.fate = () => 'lose';
  expect(await fixture.gateway.cancel(txHash, ALICE, 0)).toMatchObject({ ok: true, decided: false });
  await pass(10 * MINUTE_MS);
  await fixture.block();
  await fixture.restart();
  fixture.engine.fate = () => 'take';
  await fixture.clock.advance(20_000);
  await fixture.block();
  expect(await fixture.status(txHash)).toBe('cancelled');
});

test('a transfer that a block takes first is committed, not expired', async () => {
  const { txHash, from } = await fixture.accept({ nonce: 1 });
  expect(from).toBeDefined();
  fixture.engine.fate = () => 'lose';
  await pass(10 * MINUTE_MS);
  await fixture.block({ outsiders: [signedTransfer({ nonce: 0, to: 2 }).raw, signedTransfer({ nonce: 1 }).raw] });
  expect(await fixture.status(txHash)).toBe('committed');
});

test('one block lets a bounded number expire, the next ones the rest', async () => {
  const count = EXPIRED_PER_BLOCK_MAX + 5;
  await Promise.all(Array.from({ length: count }, (_, i) => fixture.accept({ nonce: i + 1 })));
  fixture.engine.fate = () => 'lose';
  await pass(10 * MINUTE_MS);
  const requested = async () => (await fixture.gateway.metrics()).cancel_outbox;
  expect(await requested()).toBe(EXPIRED_PER_BLOCK_MAX);
  await fixture.block();
  expect(await requested()).toBe(count);
});
