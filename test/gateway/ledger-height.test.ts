/** The height that an answer tells is that of the rows it shows, it never goes back, and a read can ask for a least one. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ThreadReads } from '../../server/app/threads/thread-reads.ts';
import { createGatewayFront, type Gateway } from '../../server/gateway/index.ts';
import { HEIGHT_AHEAD_MAX, HEIGHT_WAIT_MS_MAX } from '../../server/gateway/limits.ts';
import type { ListPage, TransactionDetail } from '../../server/gateway/types.ts';
import type { VirtualClock } from '../engine/support/virtual-clock.ts';
import { devAddress, signedTransfer, testGenesis } from '../ledger/support.ts';
import type { EmbeddedGateway } from './support/embedded-gateway.ts';
import { ALICE, inputOf } from './support/fixture.ts';
import { type HeldChain, openHeldChain } from './support/held-chain.ts';
import { settled } from './support/manual-clock.ts';
import { accept, openTwo } from './support/two-gateways.ts';

const BLOCK_MS = 1000;
const genesis = testGenesis();

describe('with the embedded engine, on a thread that reads by itself,', () => {
  let held: HeldChain;
  let clock: VirtualClock;
  let running: EmbeddedGateway;
  let threads: ThreadReads[];
  let gateway: Gateway;

  beforeEach(async () => {
    held = await openHeldChain(BLOCK_MS);
    ({ running, clock } = held);
    threads = [held.reads(), held.reads()];
    gateway = createGatewayFront(running.ledger.core, { chain: genesis, clock, reads: threads[0] });
  });

  afterEach(() => held.close());

  const pay = (nonce: number) =>
    running.gateway.submit(inputOf(signedTransfer({ from: 0, to: 9, nonce, amount: 1n })), ALICE);
  const block = async (nonce: number): Promise<string> => {
    await pay(nonce);
    await clock.advance(BLOCK_MS);
    return signedTransfer({ from: 0, to: 9, nonce, amount: 1n }).hash;
  };
  const tip = (): number => running.ledger.engine.tip.height;
  const shown = (page: ListPage): number => Math.max(0, ...page.transactions.map(({ height = 0 }) => height));

  test('a page, a transfer and an account tell the block of the log that they show, also before chain.db has it', async () => {
    const first = await block(0);
    expect(await gateway.get(first)).toMatchObject({ status: 'committed', ledgerHeight: tip() });
    held.hold();
    const second = await block(1);
    expect(tip()).toBe(held.height + 1);
    const page = (await gateway.list({ limit: 10 })) as ListPage;
    expect([page.height, shown(page)]).toEqual([tip(), tip()]);
    expect(await gateway.get(second)).toMatchObject({ height: tip(), ledgerHeight: tip() });
    // Kept since before this block, and as true after it.
    expect(await gateway.get(first)).toMatchObject({ height: tip() - 1, ledgerHeight: tip() });
    expect(await gateway.account(devAddress(0))).toMatchObject({ nonce: 2, height: tip() });
  });

  test('a list by status tells the last block of its rows, not a later one that only the log has', async () => {
    await block(0);
    held.hold();
    const asked = [threads[0], threads[1]].map((reads) => reads?.list({ limit: 10, status: 'committed' }));
    const before = tip();
    await block(1);
    // Asked before the block; what it reads has chain.db's rows alone.
    for (const answer of asked) {
      const page = (await answer) as ListPage;
      expect([page.height, shown(page)]).toEqual([before, before]);
    }
    const later = threads[0]?.list({ limit: 10, status: 'committed' });
    held.go();
    const page = (await later) as ListPage;
    expect([page.height, shown(page)]).toEqual([tip(), tip()]);
  });

  test('what a thread has shown it shows in every later answer, also when nobody has told it of the block yet', async () => {
    await block(0);
    held.hold();
    // The entry of a block is in the log for a moment before the other threads are told of it.
    held.commits.logged = () => undefined;
    await block(1);
    const page = (await gateway.list({ limit: 10 })) as ListPage;
    expect(page.height).toBe(tip());
    expect(threads[0]?.height()).toBe(tip());
    // Rows are a block behind what this thread's snapshot has, and it has shown nothing yet.
    const rowsOnly = (await threads[1]?.list({ limit: 10, status: 'committed' })) as ListPage;
    expect([rowsOnly.height, shown(rowsOnly)]).toEqual([tip() - 1, tip() - 1]);
    const byStatus = threads[0]?.list({ limit: 10, status: 'committed' });
    const events = threads[0]?.events({ limit: 10, order: 'desc' });
    held.go();
    expect(((await byStatus) as ListPage).height).toBe(tip());
    expect(await events).toMatchObject({ height: tip() });
  });

  test('a least height that is there is no wait, one that comes is waited for, and another thread answers from it', async () => {
    await block(0);
    expect(await gateway.reach(tip())).toBeUndefined();
    const reaching = gateway.reach(tip() + 1);
    let isReached = false;
    void reaching.then(() => (isReached = true));
    await settled();
    expect(isReached).toBe(false);
    await block(1);
    expect(await reaching).toBeUndefined();
    expect(((await gateway.list({ limit: 1 })) as ListPage).height).toBe(tip());
    expect(threads[1]?.waitForHeight(tip(), 0)).toBe(tip());
  });

  test('a block that does not come is waited for no longer than the bound, and the refusal says where this process is', async () => {
    await block(0);
    const reads = threads[1] as ThreadReads;
    const waits: number[] = [];
    const wait = reads.waitForHeight;
    reads.waitForHeight = (height, timeoutMs) => {
      waits.push(timeoutMs);
      return wait(height, Math.min(timeoutMs, 20));
    };
    const front = createGatewayFront(running.ledger.core, { chain: genesis, clock, reads });
    expect(await front.reach(tip() + 2)).toEqual({
      ok: false,
      code: 'height_not_reached',
      detail: expect.stringContaining(
        `The last block here is ${tip()}, and Ledger-Height-Min asks for block ${tip() + 2}.`,
      ),
    });
    expect(waits).toEqual([0, HEIGHT_WAIT_MS_MAX]);
    expect(await front.reach(tip() + HEIGHT_AHEAD_MAX + 1)).toMatchObject({ code: 'height_not_reached' });
    // Too far ahead to be waited for.
    expect(waits).toEqual([0, HEIGHT_WAIT_MS_MAX, 0]);
  });
});

describe('over a network, at a gateway that another one brings up to date,', () => {
  test('an answer tells at least the block that it shows, later answers no less, and a least height is waited for', async () => {
    const { gateways, active, standby } = await openTwo();
    try {
      const first = await accept(active);
      await settled();
      await gateways.block();
      // What is told of commits is lost: the other gateway's memory is behind the rows.
      gateways.database.delivery = () => 'lost';
      const second = await accept(active, { nonce: 1 });
      await settled();
      await gateways.block();
      expect(await standby.gateway.get(second)).toMatchObject({ height: 2, ledgerHeight: 2 });
      const older = (await standby.gateway.get(first)) as TransactionDetail;
      expect([older.height, older.ledgerHeight]).toEqual([1, 2]);
      expect(await standby.gateway.list({ limit: 10 })).toMatchObject({ height: 2 });
      expect(await standby.gateway.reach(2)).toBeUndefined();
      const reaching = standby.gateway.reach(3);
      let isReached = false;
      void reaching.then(() => (isReached = true));
      await settled();
      expect(isReached).toBe(false);
      gateways.database.delivery = () => 'now';
      await gateways.block();
      await settled();
      expect(await reaching).toBeUndefined();
      expect(await standby.gateway.list({ limit: 10 })).toMatchObject({ height: 3 });
      const late = standby.gateway.reach(4);
      await settled();
      await gateways.clock.advance(HEIGHT_WAIT_MS_MAX);
      expect(await late).toMatchObject({ code: 'height_not_reached' });
    } finally {
      await gateways.dispose();
    }
  });
});
