/** What is written of a transfer in one pass is what its resource is as JSON, whatever the record has. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { HistoryEntry, TransactionDetail } from '../../server/gateway/types.ts';
import {
  transactionDetailResource,
  transactionDetailText,
  transactionResource,
  transactionText,
} from '../../server/http/operations/resource.ts';

const hash = fc.stringMatching(/^[0-9A-F]{64}$/);
const address = fc.stringMatching(/^txlt1[a-z0-9]{39}$/);
const timeMs = fc.integer({ min: 0, max: 4_102_444_800_000 });
const any = fc.string({ unit: 'binary', maxLength: 64 });

const history = fc.record(
  {
    atMs: timeMs,
    event: fc.constantFrom('accepted', 'broadcast', 'committed'),
    blockTimeMs: timeMs,
    height: fc.nat(),
    txHash: hash,
    detail: any,
  },
  { requiredKeys: ['atMs', 'event'] },
) as fc.Arbitrary<HistoryEntry>;

const record = fc.record(
  {
    txHash: hash,
    from: address,
    to: address,
    amount: fc.bigInt({ min: 1n, max: 10n ** 38n }).map(String),
    status: fc.constantFrom('pending', 'committed', 'failed', 'cancelled', 'expired'),
    firstSeenAtMs: timeMs,
    reference: any,
    validUntil: fc.nat(),
    reason: fc.record({ code: fc.constantFrom('insufficient_funds', 'broadcast'), detail: any }),
    height: fc.nat(),
    blockTimeMs: timeMs,
    executedAs: hash,
    nonce: fc.nat(),
    history: fc.array(history, { maxLength: 4 }),
    ledgerHeight: fc.nat(),
  },
  { requiredKeys: ['txHash', 'from', 'to', 'amount', 'status', 'firstSeenAtMs', 'nonce', 'history', 'ledgerHeight'] },
) as fc.Arbitrary<TransactionDetail>;

test('in a list', () => {
  fc.assert(fc.property(record, (of) => expect(transactionText(of)).toBe(JSON.stringify(transactionResource(of)))));
});

test('on its own page', () => {
  fc.assert(
    fc.property(record, (of) => expect(transactionDetailText(of)).toBe(JSON.stringify(transactionDetailResource(of)))),
  );
});
