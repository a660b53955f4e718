/** Several gateways on one store that does not say what became of a commit, or is away. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { SHARING_RETRY_MS } from '../../server/gateway/index.ts';
import { devAddress, signedTransfer } from '../ledger/support.ts';
import { ALICE, inputOf } from './support/fixture.ts';
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

describe('a commit whose outcome nobody was told', () => {
  test.each(['made', 'undone'] as const)('acknowledges nothing and ends nothing when it was %s', async (outcome) => {
    await open();
    for (const [nonce, member] of gateways.members.entries()) {
      const transfer = signedTransfer({ nonce });
      member.shared.unknown = outcome;
      const refused = await member.gateway.submit(inputOf(transfer), ALICE);
      expect(refused).toMatchObject({
        ok: false,
        code: 'store_unavailable',
        txHash: transfer.hash,
        retryAfterS: expect.any(Number),
      });
      expect(await member.gateway.submit(inputOf(transfer), ALICE)).toMatchObject({
        ok: true,
        replayed: outcome === 'made',
      });
      member.shared.unknown = outcome;
      expect(await member.gateway.cancel(transfer.hash, ALICE, 0)).toMatchObject({
        ok: false,
        code: 'store_unavailable',
      });
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
