/** Operation: readiness and its reasons, the drain, the numbers. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { StoreUnavailableError } from '../../server/store/index.ts';
import { signedTransfer } from '../ledger/support.ts';
import { ALICE, Fixture } from './support/fixture.ts';
import { settled } from './support/manual-clock.ts';

let fixture: Fixture;
beforeEach(async () => {
  fixture = await Fixture.open({ faulty: true });
  await fixture.block();
});
afterEach(() => fixture.dispose());

describe('readiness', () => {
  const failing = async () => {
    const { ready, code, checks } = await fixture.gateway.readiness();
    return { ready, code, failing: checks.filter(({ ok }) => !ok).map(({ name }) => name) };
  };

  test('holds while everything works', async () => {
    expect(await failing()).toEqual({ ready: true, code: undefined, failing: [] });
  });

  test('ends when the engine cannot be reached, does not answer, or says it is not well; and comes back', async () => {
    fixture.engine.unreachable = true;
    expect(await failing()).toMatchObject({
      ready: false,
      code: 'engine_unavailable',
      failing: expect.arrayContaining(['engine']),
    });
    fixture.engine.unreachable = false;
    await fixture.clock.advance(20_000);
    await fixture.block();
    expect(await failing()).toMatchObject({ ready: true });
    fixture.engine.healthy = false;
    expect(await failing()).toMatchObject({ ready: false, failing: ['engine'] });
    fixture.engine.healthy = true;
    fixture.engine.status = () => new Promise(() => {});
    const asked = failing();
    await settled();
    await fixture.clock.advance(2000);
    expect(await asked).toMatchObject({ ready: false, failing: ['engine', 'block_age'] });
  });

  test('ends when no block has come for thirty seconds', async () => {
    await fixture.clock.advance(30_000);
    expect(await failing()).toMatchObject({ ready: true });
    await fixture.clock.advance(1);
    expect(await failing()).toMatchObject({ ready: false, code: 'engine_unavailable', failing: ['block_age'] });
    await fixture.block();
    expect(await failing()).toMatchObject({ ready: true });
  });

  test('ends when the store cannot be written, asked of the disk itself and not too often', async () => {
    const { faults } = fixture;
    faults.beforeCommit = () => {
      throw new StoreUnavailableError('the disk is full');
    };
    const { writes } = faults;
    for (let i = 0; i < 50; i++)
      expect(await failing()).toMatchObject({ ready: false, code: 'store_unavailable', failing: ['store'] });
    expect(faults.writes - writes).toBe(1);
    faults.beforeCommit = undefined;
    await fixture.clock.advance(1000);
    expect(await failing()).toMatchObject({ ready: true });
  });
});

describe('the drain', () => {
  test('refuses what is new, answers what is in flight, ends every wait, and says so in readiness', async () => {
    const parked = await fixture.accept({ nonce: 5 });
    const waiting = fixture.gateway.waitUntilSettled(parked.txHash, 30_000);
    const cancelling = fixture.gateway.cancel(parked.txHash, ALICE, 30_000);
    await settled();
    const inFlight = fixture.submit(signedTransfer({ nonce: 6 }));
    const drained = fixture.gateway.drain();
    expect(await fixture.submit(signedTransfer({ nonce: 7 }))).toMatchObject({ ok: false, code: 'shutting_down' });
    expect(await inFlight).toMatchObject({ ok: true, transaction: { status: 'pending' } });
    expect(await waiting).toMatchObject({ status: 'pending' });
    expect(await cancelling).toMatchObject({ ok: true, decided: false });
    await drained;
    expect(await fixture.gateway.readiness()).toMatchObject({ ready: false, code: 'shutting_down' });
    expect(await fixture.gateway.cancel(parked.txHash, ALICE, 0)).toMatchObject({ ok: false, code: 'shutting_down' });
    expect(await fixture.gateway.waitUntilSettled(parked.txHash, 30_000)).toMatchObject({ status: 'pending' });
    expect(await fixture.gateway.list({ limit: 10 })).toMatchObject({ ok: true });
  });

  test('of an idle gateway ends at once, and a second one too', async () => {
    await fixture.gateway.drain();
    await fixture.gateway.drain();
  });
});

test('the numbers add up', async () => {
  const transfer = signedTransfer({ nonce: 0 });
  await fixture.submit(transfer);
  await fixture.submit(transfer);
  await fixture.refusal({ nonce: 0, amount: 2n });
  const parked = await fixture.accept({ nonce: 5 });
  await fixture.gateway.cancel(parked.txHash, ALICE, 0);
  expect(await fixture.gateway.metrics()).toMatchObject({ pending: 2, cancel_outbox: 1 });
  await fixture.block();
  expect(await fixture.gateway.metrics()).toMatchObject({
    pending: 0,
    cancel_outbox: 0,
    accepted_total: 2,
    replayed_total: 1,
    refused_total: 1,
    committed_total: 1,
    cancelled_total: 1,
    failed_total: 0,
    expired_total: 0,
    follower_height: 2,
  });
});

test('the chain is told as of the last block applied', async () => {
  const { genesis, committed } = fixture.engine;
  expect(await fixture.gateway.chain()).toEqual({
    chainId: genesis.chainId,
    addressPrefix: 'txlt',
    height: 1,
    lastBlockTimeMs: committed[0]?.timeMs,
    blockIntervalMs: 1000,
    idleBlockIntervalMs: 10_000,
    genesisHash: genesis.hash,
    currency: { code: 'TST', scale: 2 },
    openingMinimum: '1',
    format: 2,
  });
});
