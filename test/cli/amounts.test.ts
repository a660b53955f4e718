/** How amounts are shown to people: with the currency of the chain, exactly. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { amountsIn } from '../../server/cli/amounts.ts';

describe('an amount', () => {
  test.each([
    ['EUR', 2, '1234', '12.34 EUR'],
    ['EUR', 2, '5', '0.05 EUR'],
    ['EUR', 2, '0', '0.00 EUR'],
    ['EUR', 2, '-7', '-0.07 EUR'],
    ['JPY', 0, '1234', '1234 JPY'],
    ['ETH', 18, '1', '0.000000000000000001 ETH'],
    ['EUR', 2, '340282366920938463463374607431768211455', '3402823669209384634633746074317682114.55 EUR'],
  ])('of %s with %d decimal places: %s minor units are %s', (code, scale, minorUnits, shown) => {
    expect(amountsIn({ code, scale })(minorUnits)).toBe(shown);
    expect(amountsIn({ code, scale })(BigInt(minorUnits))).toBe(shown);
  });

  test('without a currency stays the number of minor units, with no point in it', () => {
    expect(amountsIn(undefined)('1234')).toBe('1234');
  });

  test('loses no digit, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(2n ** 128n), max: 2n ** 128n }),
        fc.integer({ min: 0, max: 18 }),
        (minorUnits, scale) => {
          const [number = '', code] = amountsIn({ code: 'EUR', scale })(minorUnits).split(' ');
          const [whole = '', decimals = ''] = number.split('.');
          expect([code, decimals.length]).toEqual(['EUR', scale]);
          expect(whole).toMatch(/^-?(0|[1-9][0-9]*)$/);
          expect(BigInt(whole + decimals)).toBe(minorUnits);
        },
      ),
    );
  });
});
