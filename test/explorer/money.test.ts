import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { formatAmount, parseAmount } from '../../server/http/explorer/src/money.ts';

const code = 'DEV';

describe('amounts', () => {
  test.each([
    ['0', 2, '0.00'],
    ['5', 2, '0.05'],
    ['1250', 2, '12.50'],
    ['1000000000000000', 2, '10,000,000,000,000.00'],
    ['1234567', 0, '1,234,567'],
    ['1', 18, '0.000000000000000001'],
    ['340282366920938463463374607431768211455', 0, '340,282,366,920,938,463,463,374,607,431,768,211,455'],
    ['-1250', 2, '−12.50'],
  ])('%s minor units with a scale of %i are %s', (minor, scale, shown) => {
    expect(formatAmount(minor, { scale })).toBe(shown);
  });

  test('are read as they are written, to the last unit', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 2n ** 128n - 1n), fc.integer({ min: 0, max: 18 }), (minor, scale) => {
        expect(parseAmount(formatAmount(minor, { scale }).replaceAll(',', ''), { code, scale })).toEqual({
          ok: true,
          minor,
        });
      }),
    );
  });

  test.each([
    ['', 2, 'Write the amount with digits and at most one point, such as 12.50.'],
    ['1,5', 2, 'Write the amount with digits and at most one point, such as 12.50.'],
    ['-1', 0, 'Write the amount with digits and at most one point, such as 12.'],
    ['1.234', 2, 'DEV has at most 2 digits behind the point, such as 12.50.'],
    ['1.2', 0, 'DEV has no digits behind the point, such as 12.'],
    ['0.00', 2, 'The amount must be more than zero.'],
    [
      '340282366920938463463374607431768211456',
      0,
      'The amount must be at most 340,282,366,920,938,463,463,374,607,431,768,211,455 DEV.',
    ],
  ])('%s with a scale of %i is refused: %s', (text, scale, message) => {
    expect(parseAmount(text, { code, scale })).toEqual({ ok: false, message });
  });
});
