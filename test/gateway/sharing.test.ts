/** Several gateways on one store: one is active, the others stand by, and whoever is asked answers the same, also when announcements are lost. */
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Submitted } from '../../server/gateway/index.ts';
import { CANCELS_POLL_EVERY, CHANGES_POLL_MS, SHARING_RETRY_MS } from '../../server/gateway/index.ts';
import { StoreUnavailableError } from '../../server/store/index.ts';
import { devAddress } from '../ledger/support.ts';
import { ALICE } from './support/fixture.ts';
import type { Gateways, Member } from './support/gateways.ts';
import { settled } from './support/manual-clock.ts';
import { accept, openTwo, statusAt, submit } from './support/two-gateways.ts';

let gateways: Gateways;
let active: Member;
let standby: Member;
afterEach(() => gateways.dispose());

async function open(): Promise<void> {
  ({ gateways, active, standby } = await openTwo());
}

const names = async (): Promise<string[]> => (await gateways.active()).map(({ id }) => id);

describe('one of them is active', () => {
  test('it dispatches and settles what another accepted, and both answer the same', async () => {
    await open();
    expect(await names()).toEqual([active.id]);
    const txHash = await accept(standby);
    await settled();
    expect(gateways.engine.heard).toEqual([txHash]);
    const waiting = standby.gateway.waitUntilSettled(txHash, 10_000);
    await gateways.block();
    expect(await waiting).toMatchObject({ status: 'committed', height: 1 });
    for (const { gateway } of gateways.members) {
      expect(await gateway.get(txHash)).toMatchObject({ status: 'committed' });
      expect(await gateway.list({ limit: 10 })).toMatchObject({ transactions: [{ txHash, status: 'committed' }] });
      expect(await gateway.account(devAddress(0))).toMatchObject({ nonce: 1, nextNonce: 1 });
      expect(await gateway.chain()).toMatchObject({ height: 1 });
      expect(await gateway.metrics()).toMatchObject({ pending: 0, follower_height: 1 });
      expect(await gateway.readiness()).toMatchObject({ ready: true });
    }
  });

  test('a cancel asked for at either is dispatched and told by either', async () => {
    await open();
    const parked = [await accept(active, { nonce: 5 }), await accept(standby, { nonce: 6 })];
    const cancelling = [
      standby.gateway.cancel(parked[0]!, ALICE, 5000),
      active.gateway.cancel(parked[1]!, ALICE, 5000),
    ];
    await settled();
    await gateways.block();
    expect(await Promise.all(cancelling)).toMatchObject([{ decided: true }, { decided: true }]);
    for (const member of gateways.members)
      for (const hash of parked) expect(await statusAt(member, hash)).toBe('cancelled');
  });

  test('a cancel of what the active one has not heard of yet goes out', async () => {
    await open();
    gateways.database.delivery = () => 'lost';
    const txHash = await accept(standby, { nonce: 5 });
    expect(await active.gateway.cancel(txHash, ALICE, 0)).toMatchObject({ ok: true, decided: false });
    await settled();
    await gateways.block();
    expect(await statusAt(standby, txHash)).toBe('cancelled');
  });

  test('why a transfer is pending is told the same by both', async () => {
    await open();
    const answers = [
      await submit(standby, { nonce: 0 }),
      await submit(active, { nonce: 1 }),
      await submit(standby, { nonce: 3 }),
    ];
    expect(answers).toMatchObject([
      { transaction: { reason: { code: 'broadcast' } } },
      { transaction: { reason: { code: 'broadcast' } } },
      { transaction: { reason: { code: 'waiting_for_nonce', detail: expect.stringContaining('nonce 2') } } },
    ]);
    const [, second] = answers as Submitted[];
    await standby.gateway.cancel(second!.transaction.txHash, ALICE, 0);
    const lists = await Promise.all(gateways.members.map(({ gateway }) => gateway.list({ limit: 10 })));
    expect(lists[0]).toEqual(lists[1]);
    expect(lists[0]).toMatchObject({
      transactions: [
        { reason: { code: 'waiting_for_nonce', detail: expect.stringContaining('nonce 1') } },
        { reason: { code: 'cancel_requested' } },
        { reason: { code: 'broadcast' } },
      ],
    });
    expect(await standby.gateway.metrics()).toMatchObject({ pending: 3, cancel_outbox: 1, active: 0 });
  });

  test('who waits at another is woken by the block that settles it, and by no other', async () => {
    await open();
    const parked = await accept(standby, { nonce: 5 });
    let woken = false;
    const waiting = standby.gateway.waitUntilSettled(parked, 20_000).then((record) => {
      woken = true;
      return record;
    });
    for (let i = 0; i < 3; i++) {
      await accept(active, { nonce: i });
      await gateways.block();
      await gateways.clock.advance(1500);
    }
    expect(woken).toBe(false);
    await accept(active, { nonce: 3 });
    await accept(active, { nonce: 4 });
    await settled();
    await gateways.block();
    expect(await waiting).toMatchObject({ status: 'committed' });
  });
});

describe('announcements may be lost', () => {
  test('what was accepted elsewhere is found also behind what the active one accepted since', async () => {
    await open();
    gateways.database.delivery = () => 'lost';
    const elsewhere = await accept(standby, { nonce: 0 });
    const here = await accept(active, { nonce: 0, from: 1 });
    await gateways.clock.advance(CHANGES_POLL_MS);
    expect(new Set(gateways.engine.heard)).toEqual(new Set([here, elsewhere]));
  });

  test('what was accepted elsewhere goes out with the next poll, and who waits elsewhere is woken by one', async () => {
    await open();
    gateways.database.delivery = () => 'lost';
    const txHash = await accept(standby);
    await settled();
    expect(gateways.engine.heard).toEqual([]);
    await gateways.clock.advance(CHANGES_POLL_MS);
    expect(gateways.engine.heard).toEqual([txHash]);
    const waiting = standby.gateway.waitUntilSettled(txHash, CHANGES_POLL_MS + 1);
    await gateways.block();
    await gateways.clock.advance(CHANGES_POLL_MS);
    expect(await waiting).toMatchObject({ status: 'committed' });
  });

  test('where the chain stands is told at once all the same', async () => {
    await open();
    gateways.database.delivery = () => 'lost';
    await gateways.block();
    expect(await standby.gateway.chain()).toMatchObject({ height: 1 });
    expect(await standby.gateway.metrics()).toMatchObject({ follower_height: 1 });
  });

  test('a cancel asked for elsewhere goes out soon', async () => {
    await open();
    const txHash = await accept(standby, { nonce: 5 });
    gateways.database.delivery = () => 'lost';
    await standby.gateway.cancel(txHash, ALICE, 0);
    await gateways.clock.advance(CHANGES_POLL_MS * CANCELS_POLL_EVERY);
    await gateways.block();
    expect(await statusAt(standby, txHash)).toBe('cancelled');
  });
});

test('an announcement that could not be looked into is looked into again soon', async () => {
  await open();
  const txHash = await accept(standby, { nonce: 5 });
  await settled();
  active.faults.beforeRead = () => {
    throw new StoreUnavailableError('the connection broke');
  };
  await standby.gateway.cancel(txHash, ALICE, 0);
  await settled();
  active.faults.beforeRead = undefined;
  await gateways.clock.advance(SHARING_RETRY_MS);
  await gateways.block();
  expect(await statusAt(standby, txHash)).toBe('cancelled');
});
