import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { EMPTY_COMMIT, encodeBlock, transactionAt } from '../../server/engine/encoding/index.ts';
import { blockOf, golden } from './golden.ts';

describe('one transaction out of a block', () => {
  const { header } = blockOf(golden('block.get').block);

  test('is the one that was put in, at every place', () => {
    const raws = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 });
    fc.assert(
      fc.property(raws, (transactions) => {
        const bytes = encodeBlock({ header, transactions, lastCommit: EMPTY_COMMIT });
        transactions.forEach((raw, index) =>
          expect(Buffer.from(transactionAt(bytes, index)!)).toEqual(Buffer.from(raw)),
        );
        expect(transactionAt(bytes, transactions.length)).toBeUndefined();
      }),
    );
  });

  test('is never read beyond bytes that are cut off', () => {
    const bytes = encodeBlock({ header, transactions: [Buffer.alloc(200, 7)], lastCommit: EMPTY_COMMIT });
    const whole = Buffer.from(transactionAt(bytes, 0)!);
    for (let length = 0; length < bytes.length; length++) {
      let found: Uint8Array | undefined;
      try {
        found = transactionAt(bytes.subarray(0, length), 0);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
      if (found) expect(Buffer.from(found)).toEqual(whole);
    }
  });
});
