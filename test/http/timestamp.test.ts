/** Times as text: what Date makes of them. */
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { timestamp } from '../../server/http/timestamp.ts';

test('is the text of Date for every time that it has', () => {
  const DATE_MS_MAX = 8_640_000_000_000_000;
  const near = fc
    .tuple(
      fc.constantFrom(0, 1_790_000_000_000, 86_400_000, 253_402_300_800_000),
      fc.integer({ min: -100_000_000, max: 100_000_000 }),
    )
    .map(([base, off]) => base + off);
  fc.assert(
    fc.property(
      fc.oneof(
        near,
        fc.integer({ min: -DATE_MS_MAX, max: DATE_MS_MAX }),
        fc.double({ min: -1e12, max: 1e13, noNaN: true }),
      ),
      (ms) => {
        expect(timestamp(ms)).toBe(new Date(ms).toISOString());
      },
    ),
    { numRuns: 20_000 },
  );
});

test('refuses what is no time, whatever came before', () => {
  timestamp(0);
  expect(() => timestamp(Number.NaN)).toThrow(RangeError);
  expect(timestamp(0)).toBe('1970-01-01T00:00:00.000Z');
});
