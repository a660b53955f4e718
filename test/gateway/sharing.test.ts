/** Several gateways on one store: one is active, the others stand by, and whoever is asked answers the same. */
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Refusal, Submitted } from '../../server/gateway/index.ts';
import { CANCELS_POLL_EVERY, CHANGES_POLL_MS, LEASE_RENEW_MS, LEASE_TTL_MS, SHARING_RETRY_MS } from '../../server/gateway/index.ts';
import { StoreUnavailableError } from '../../server/store/index.ts';
import type { TransferOptions } from '../ledger/support.ts';
import { devAddress, signedTransfer } from '../ledger/support.ts';
import { ALICE, inputOf } from './support/fixture.ts';
import type { GatewaysOptions, Member } from './support/gateways.ts';
import { Gateways } from './support/gateways.ts';
import { settled } from './support/manual-clock.ts';

let gateways: Gateways;
let active: Member;
let standby: Member;
afterEach(() => gateways.dispose());

async function open(options: Partial<GatewaysOptions> = {}): Promise<void> {
  gateways = await Gateways.open({ count: 2, ...options });
  [active, standby] = gateways.members as [Member, Member];
}

const submit = (member: Member, options: TransferOptions = {}): Promise<Submitted | Refusal> => member.gateway.submit(inputOf(signedTransfer(options)), ALICE);

async function accept(member: Member, options: TransferOptions = {}): Promise<string> {
  const answer = await submit(member, options);
  if (!answer.ok) throw new Error(`${answer.code}: ${answer.detail}`);
  return answer.transaction.txHash;
}

const statusAt = async (member: Member, txHash: string): Promise<unknown> => {
  const found = await member.gateway.get(txHash);
  return found !== undefined && 'status' in found ? found.status : found;
};

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
    const cancelling = [standby.gateway.cancel(parked[0]!, ALICE, 5000), active.gateway.cancel(parked[1]!, ALICE, 5000)];
    await settled();
    await gateways.block();
    expect(await Promise.all(cancelling)).toMatchObject([{ decided: true }, { decided: true }]);
    for (const member of gateways.members) for (const hash of parked) expect(await statusAt(member, hash)).toBe('cancelled');
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
    const answers = [await submit(standby, { nonce: 0 }), await submit(active, { nonce: 1 }), await submit(standby, { nonce: 3 })];
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

describe('taking over', () => {
  test('a dead gateway\'s work is taken over when its lease ends, with all that it had accepted', async () => {
    await open();
    gateways.engine.unreachable = true;
    const hashes = [await accept(active, { nonce: 0 }), await accept(standby, { nonce: 1 })];
    await gateways.kill(active);
    gateways.members.shift();
    gateways.engine.unreachable = false;
    gateways.engine.forget();
    await gateways.clock.advance(LEASE_TTL_MS + LEASE_RENEW_MS);
    expect(await names()).toEqual([standby.id]);
    await settled();
    await gateways.block();
    for (const hash of hashes) expect(await statusAt(standby, hash)).toBe('committed');
  });

  test('it is tried again while the store cannot be read', async () => {
    await open();
    const txHash = await accept(standby);
    await gateways.kill(active);
    gateways.members.shift();
    gateways.engine.forget();
    const away = (): void => {
      throw new StoreUnavailableError('the connection broke');
    };
    standby.faults.beforeRead = away;
    await gateways.clock.advance(LEASE_TTL_MS + LEASE_RENEW_MS);
    expect(gateways.database.holderOf('dispatch')).toBe(standby.id);
    expect(gateways.engine.mempool).toEqual([]);
    standby.faults.beforeRead = undefined;
    await gateways.clock.advance(SHARING_RETRY_MS);
    expect(gateways.engine.mempool).toMatchObject([{ hash: txHash }]);
  });

  test('a gateway that drains gives the lease back at once', async () => {
    await open();
    await active.gateway.drain();
    await gateways.clock.advance(LEASE_RENEW_MS);
    expect(await names()).toEqual([standby.id]);
    const txHash = await accept(standby);
    await gateways.block();
    // The one that drains still answers.
    expect(await statusAt(active, txHash)).toBe('committed');
  });

  test('a gateway that met a contradiction stops for good, and another goes on', async () => {
    await open();
    const answered = active.engine.blocks;
    active.engine.blocks = async (from, limit) => (await answered(from, limit)).map((block) => ({ ...block, codes: [7] }));
    const txHash = await accept(standby);
    await settled();
    await gateways.block();
    expect(await active.gateway.readiness()).toMatchObject({ ready: false, code: 'engine_unavailable' });
    expect(await submit(active, { nonce: 1 })).toMatchObject({ ok: false, code: 'engine_unavailable' });
    await gateways.clock.advance(LEASE_RENEW_MS);
    expect(await names()).toEqual([standby.id]);
    expect(await statusAt(standby, txHash)).toBe('committed');
    await gateways.clock.advance(10 * LEASE_TTL_MS);
    expect(await names()).toEqual([standby.id]);
  });

  test('one that takes over again dispatches all that is pending, not only what came since', async () => {
    await open();
    gateways.engine.fate = () => 'lose';
    const hashes = [await accept(active, { nonce: 0 }), await accept(standby, { nonce: 1 })];
    await gateways.clock.advance(CHANGES_POLL_MS);
    active.freezer.freeze();
    await gateways.clock.advance(LEASE_TTL_MS + LEASE_RENEW_MS);
    active.freezer.thaw();
    await settled();
    expect(await names()).toEqual([standby.id]);
    await gateways.kill(standby);
    gateways.members.pop();
    await gateways.clock.advance(LEASE_TTL_MS + LEASE_RENEW_MS);
    expect(await names()).toEqual([active.id]);
    gateways.engine.fate = () => 'take';
    await gateways.clock.advance(11_000);
    await gateways.block();
    for (const hash of hashes) expect(await statusAt(active, hash)).toBe('committed');
  });

  test('one that was paused past its lease goes on harmlessly and stands by', async () => {
    await open();
    const first = await accept(active, { nonce: 0 });
    active.freezer.freeze();
    gateways.engine.block();
    await gateways.clock.advance(LEASE_TTL_MS + LEASE_RENEW_MS);
    expect(gateways.database.holderOf('dispatch')).toBe(standby.id);
    expect(await statusAt(standby, first)).toBe('committed');
    const second = await accept(standby, { nonce: 1 });
    await gateways.block();
    active.freezer.thaw();
    await settled();
    await gateways.block();
    await gateways.clock.advance(LEASE_RENEW_MS);
    expect(await names()).toEqual([standby.id]);
    for (const member of gateways.members) {
      expect(await statusAt(member, first)).toBe('committed');
      expect(await statusAt(member, second)).toBe('committed');
      expect(await member.gateway.readiness()).toMatchObject({ ready: true });
      expect((await member.gateway.chain()).height).toBe(3);
    }
  });
});

test('one that was slower with a block and cannot read what the other did tries again', async () => {
  await open({ leasesLie: true });
  expect(await names()).toEqual([active.id, standby.id]);
  const txHash = await accept(standby);
  await settled();
  standby.faults.beforeRead = () => {
    throw new StoreUnavailableError('the connection broke');
  };
  await gateways.block();
  standby.faults.beforeRead = undefined;
  await gateways.clock.advance(1000);
  for (let i = 0; i < 2; i++) await gateways.block();
  for (const member of gateways.members) {
    expect(await member.gateway.readiness()).toMatchObject({ ready: true });
    expect(await statusAt(member, txHash)).toBe('committed');
  }
  expect(gateways.logged.filter(({ message }) => message.includes('stops'))).toEqual([]);
  const applied = gateways.logged.filter(({ level }) => level === 'error').map(({ fields }) => fields);
  expect(applied).toEqual([expect.objectContaining({ gateway: standby.id, height: 1 })]);
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

describe('a commit whose outcome nobody was told', () => {
  test.each(['made', 'undone'] as const)('acknowledges nothing and ends nothing when it was %s', async (outcome) => {
    await open();
    for (const [nonce, member] of gateways.members.entries()) {
      const transfer = signedTransfer({ nonce });
      member.shared.unknown = outcome;
      const refused = await member.gateway.submit(inputOf(transfer), ALICE);
      expect(refused).toMatchObject({ ok: false, code: 'store_unavailable', txHash: transfer.hash, retryAfterS: expect.any(Number) });
      expect(await member.gateway.submit(inputOf(transfer), ALICE)).toMatchObject({ ok: true, replayed: outcome === 'made' });
      member.shared.unknown = outcome;
      expect(await member.gateway.cancel(transfer.hash, ALICE, 0)).toMatchObject({ ok: false, code: 'store_unavailable' });
      expect(member.fatal).toEqual([]);
    }
    await settled();
    active.shared.unknown = outcome;
    await gateways.block();
    await gateways.clock.advance(1000);
    await gateways.block();
    await gateways.clock.advance(1000);
    const expected = outcome === 'made' ? 'cancelled' : 'committed';
    for (const member of gateways.members) {
      for (const nonce of [0, 1]) expect(await statusAt(member, signedTransfer({ nonce }).hash)).toBe(expected);
      expect((await member.gateway.chain()).height).toBe(2);
    }
  });

  test('what it stored goes out although its answer was lost', async () => {
    await open();
    active.shared.unknown = 'made';
    expect(await submit(active)).toMatchObject({ ok: false });
    await settled();
    expect(gateways.engine.heard).toEqual([signedTransfer().hash]);
  });
});

describe('the database away for seconds', () => {
  test('everything says so, nothing ends, and all goes on within a second of its return', async () => {
    await open();
    const txHash = await accept(standby, { nonce: 0 });
    await settled();
    gateways.database.away = true;
    gateways.engine.block();
    const refused = { ok: false, code: 'store_unavailable', retryAfterS: expect.any(Number) };
    await gateways.clock.advance(10_000);
    for (const member of gateways.members) {
      expect(await submit(member, { nonce: 1 })).toMatchObject(refused);
      expect(await member.gateway.get(txHash)).toMatchObject(refused);
      expect(await member.gateway.list({ limit: 10 })).toMatchObject(refused);
      expect(await member.gateway.account(devAddress(0))).toMatchObject(refused);
      expect(await member.gateway.cancel(txHash, ALICE, 0)).toMatchObject(refused);
      expect(await member.gateway.readiness()).toMatchObject({ ready: false, code: 'store_unavailable' });
      expect(await member.gateway.metrics()).toMatchObject({ active: 0 });
      expect(await member.gateway.chain()).toMatchObject({ height: 0 });
      expect(member.fatal).toEqual([]);
    }
    gateways.database.away = false;
    await gateways.clock.advance(2 * SHARING_RETRY_MS);
    await settled();
    for (const member of gateways.members) expect(await statusAt(member, txHash)).toBe('committed');
    const next = await accept(standby, { nonce: 1 });
    await settled();
    await gateways.block();
    expect(await statusAt(active, next)).toBe('committed');
    await gateways.clock.advance(1000);
    for (const member of gateways.members) expect(await member.gateway.readiness()).toMatchObject({ ready: true });
  });
});

describe('the time to live', () => {
  test('is counted once however many gateways count it, also over a takeover', async () => {
    await open({ count: 3, limits: { pendingTtlMs: 60_000 } });
    // Blocks are far ahead, so that uptime alone decides.
    await gateways.block({ afterMs: 10 * 60_000 });
    const txHash = await accept(gateways.members[2]!, { nonce: 5 });
    await gateways.block({ afterMs: 10 * 60_000 });
    await gateways.clock.advance(30_000);
    await gateways.block();
    await gateways.kill(gateways.members.shift()!);
    await gateways.clock.advance(29_000);
    await gateways.block();
    await gateways.block();
    expect(await statusAt(standby, txHash)).toBe('pending');
    await gateways.clock.advance(1000);
    await gateways.block();
    await gateways.block();
    expect(await statusAt(standby, txHash)).toBe('expired');
  });

  test('goes on from the furthest count when a gateway takes over that began to count late', async () => {
    await open({ count: 1, limits: { pendingTtlMs: 60_000 } });
    await gateways.block({ afterMs: 10 * 60_000 });
    const txHash = await accept(active, { nonce: 5 });
    await gateways.block({ afterMs: 10 * 60_000 });
    await gateways.clock.advance(30_000);
    // It finds a count written down thirty seconds ago.
    const late = await gateways.start();
    gateways.members.push(late);
    await gateways.block();
    await gateways.clock.advance(CHANGES_POLL_MS);
    await gateways.kill(gateways.members.shift()!);
    await gateways.clock.advance(28_000);
    await gateways.block();
    expect(await late.gateway.get(txHash)).toMatchObject({ reason: { code: 'waiting_for_nonce' } });
    await gateways.clock.advance(1000);
    await gateways.block();
    expect(await late.gateway.get(txHash)).toMatchObject({ reason: { code: 'cancel_requested' } });
    await gateways.block();
    expect(await statusAt(late, txHash)).toBe('expired');
  });
});
