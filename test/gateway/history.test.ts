/** Histories: in the order of what happened, with no time before the one above, whatever the clocks of requests and of blocks said. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { historyOf } from '../../server/gateway/records.ts';
import type { StoredTransfer } from '../../server/store/index.ts';
import { devAddress } from '../ledger/support.ts';
import { Fixture } from './support/fixture.ts';

const time = fc.integer({ min: 0, max: 50 });
const maybe = fc.option(time, { nil: undefined });
const row: fc.Arbitrary<StoredTransfer> = fc
  .record({
    status: fc.constantFrom('pending', 'committed', 'failed', 'cancelled', 'expired'),
    reason: fc.constantFrom(
      undefined,
      'insufficient_funds',
      'superseded_by_payment',
      'superseded_by_void',
      'validity_passed',
      'below_opening_minimum',
    ),
    owner: fc.constantFrom(undefined, 'alice'),
    validUntil: fc.option(fc.integer({ min: 1, max: 50 }), { nil: undefined }),
    firstSeenAtMs: time,
    broadcastAtMs: maybe,
    cancelRequestedAtMs: maybe,
    expiryRequestedAtMs: maybe,
    blockTimeMs: time,
  })
  .map(({ status, blockTimeMs, ...rest }) => ({
    ...{
      seq: 1,
      hash: 'AB'.repeat(32),
      fromId: 1,
      toId: 2,
      from: devAddress(0),
      to: devAddress(1),
      amount: 1n,
      nonce: 0,
      signature: '',
      reasonHash: undefined,
      executedAs: undefined,
      seenBlockMs: 0,
      seenUptimeMs: 0,
    },
    ...rest,
    status: status as StoredTransfer['status'],
    reason: rest.reason as StoredTransfer['reason'],
    height: status === 'pending' ? undefined : 7,
    blockTimeMs: status === 'pending' ? undefined : blockTimeMs,
  }));

describe('a history', () => {
  test('never runs backwards, has every event once, and tells the time of the block as the block says it', () => {
    fc.assert(
      fc.property(row, (transfer) => {
        const history = historyOf(transfer);
        const times = history.map(({ atMs }) => atMs);
        expect(times).toEqual([...times].sort((a, b) => a - b));
        expect(times[0]).toBe(transfer.firstSeenAtMs);
        const events = history.map(({ event }) => event);
        expect(new Set(events).size).toBe(events.length);
        expect(events[0]).toBe(transfer.owner === undefined ? 'seen_on_chain' : 'accepted');
        expect(events.includes('broadcast')).toBe(transfer.broadcastAtMs !== undefined);
        expect(events.includes('cancel_requested')).toBe(transfer.cancelRequestedAtMs !== undefined);
        expect(
          history.filter(({ reason }) => reason !== undefined).every(({ event }) => event === 'expiry_requested'),
        ).toBe(true);
        const last = history.at(-1);
        expect(last?.blockTimeMs).toBe(transfer.blockTimeMs);
        if (transfer.status !== 'pending') expect(last?.event).toBe(transfer.status);
      }),
      { numRuns: 2000 },
    );
  });

  test('of a transfer in a block that was signed before it was accepted keeps both times', async () => {
    const fixture = await Fixture.open();
    try {
      await fixture.clock.advance(3_600_000);
      const { txHash, firstSeenAtMs } = await fixture.accept({});
      await fixture.block({ afterMs: 1 });
      const { blockTimeMs, history } = (await fixture.detail(txHash))!;
      expect(blockTimeMs).toBeLessThan(firstSeenAtMs);
      expect(history).toMatchObject([
        { event: 'accepted', atMs: firstSeenAtMs },
        { event: 'broadcast', atMs: firstSeenAtMs },
        { event: 'committed', atMs: firstSeenAtMs, blockTimeMs },
      ]);
    } finally {
      await fixture.dispose();
    }
  });
});
