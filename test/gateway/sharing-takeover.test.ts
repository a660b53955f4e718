/** Several gateways on one store: what becomes of the work and of the count of time when another one takes over, or two do the same. */
import { afterEach, describe, expect, test } from '@jest/globals';
import {
  CHAIN_LOOK_MS,
  CHANGES_POLL_MS,
  LEASE_BLIND_MS_MAX,
  LEASE_RENEW_MS,
  LEASE_TTL_MS,
  SETTLEMENT_LAG_MS_MAX,
  SHARING_RETRY_LOG_MS,
  SHARING_RETRY_MS,
} from '../../server/gateway/index.ts';
import { StoreUnavailableError } from '../../server/store/index.ts';
import type { Gateways, GatewaysOptions, Member } from './support/gateways.ts';
import { settled } from './support/manual-clock.ts';
import { accept, openTwo, statusAt, submit } from './support/two-gateways.ts';

let gateways: Gateways;
let active: Member;
let standby: Member;
afterEach(() => gateways.dispose());

async function open(options: Partial<GatewaysOptions> = {}): Promise<void> {
  ({ gateways, active, standby } = await openTwo(options));
}

const names = async (): Promise<string[]> => (await gateways.active()).map(({ id }) => id);

describe('taking over', () => {
  test("a dead gateway's work is taken over when its lease ends, with all that it had accepted", async () => {
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

  test('from a gateway that sees no more of the chain by one that does, though the lease is renewed', async () => {
    await open();
    active.engine.reachable = false;
    const txHash = await accept(active);
    await gateways.clock.advance(CHANGES_POLL_MS);
    await gateways.engine.block();
    await gateways.clock.advance(LEASE_BLIND_MS_MAX - CHAIN_LOOK_MS);
    expect(await names()).toEqual([active.id]);
    expect((await active.gateway.metrics()).settlement_stalled_seconds).toBeGreaterThan(3);
    await gateways.clock.advance(2 * CHAIN_LOOK_MS + LEASE_RENEW_MS);
    expect(await names()).toEqual([standby.id]);
    await settled();
    await gateways.block();
    expect(await statusAt(standby, txHash)).toBe('committed');
    expect((await standby.gateway.metrics()).settlement_stalled_seconds).toBe(0);
    // It keeps out when it sees the chain again: there is nothing that is not done.
    active.engine.reachable = true;
    await gateways.clock.advance(2 * LEASE_BLIND_MS_MAX);
    expect(await names()).toEqual([standby.id]);
  });

  test('not while the chain stands still for both', async () => {
    await open();
    active.engine.reachable = false;
    await gateways.clock.advance(10 * LEASE_BLIND_MS_MAX);
    expect(await names()).toEqual([active.id]);
  });

  test('a standby is not ready while known blocks are not settled for seconds', async () => {
    await open();
    // The database refuses the standby the lease, so that nobody settles.
    standby.shared.sharing.holdLease = async () => false;
    active.engine.reachable = false;
    await gateways.engine.block();
    await gateways.clock.advance(SETTLEMENT_LAG_MS_MAX - CHAIN_LOOK_MS);
    expect(await standby.gateway.readiness()).toMatchObject({ ready: true });
    await gateways.clock.advance(3 * CHAIN_LOOK_MS);
    expect(await standby.gateway.readiness()).toMatchObject({ ready: false, code: 'engine_unavailable' });
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
    const failures = () =>
      gateways.logged
        .filter(({ message }) => message.startsWith('this gateway could not take over'))
        .map(({ fields }) => (fields as { tries: number }).tries);
    expect(failures()).toEqual([1]);
    await gateways.clock.advance(SHARING_RETRY_LOG_MS);
    expect(failures()).toEqual([1, expect.any(Number)]);
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
    active.engine.blocks = async (from, limit) =>
      (await answered(from, limit)).map((block) => ({ ...block, codes: [7] }));
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
  // The one that has accepted has ids for new accounts at hand, and is faster.
  const txHash = await accept(active);
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
