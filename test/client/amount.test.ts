/** Amounts as people write and read them: nothing is lost on the way there and back, and nothing that has two readings is taken. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatAmount, parseAmount, InvalidArgumentError, type AmountFault } from '../../client/src/index.ts';
import { amountText } from '../../server/gateway/amount-text.ts';

const AMOUNT_MAX = 2n ** 128n - 1n;
const DEV = { code: 'DEV', scale: 2 };
const YEN = { code: 'JPY', scale: 0 };
const DINAR = { code: 'BHD', scale: 3 };

const amounts = fc.oneof(fc.bigInt(1n, AMOUNT_MAX), fc.bigInt(1n, 10n ** 7n));
/** Codes of digits alone too, and those that look like an exponent. */
const currencies = fc.record({
  code: fc.oneof(fc.stringMatching(/^[A-Z0-9]{3,12}$/), fc.constantFrom('123', 'E10', '1INCH', 'EEE')),
  scale: fc.integer({ min: 0, max: 18 }),
});

describe('formatAmount', () => {
  test.each([
    ['0', DEV, '0.00 DEV'],
    ['5', DEV, '0.05 DEV'],
    ['1250', DEV, '12.50 DEV'],
    ['-7', DEV, '-0.07 DEV'],
    ['-123456', DEV, '-1,234.56 DEV'],
    ['1000000000000000', DEV, '10,000,000,000,000.00 DEV'],
    ['1234567', YEN, '1,234,567 JPY'],
    ['1', { code: 'ETH', scale: 18 }, '0.000000000000000001 ETH'],
    [`${AMOUNT_MAX}`, YEN, '340,282,366,920,938,463,463,374,607,431,768,211,455 JPY'],
  ])('writes %s minor units of %j as %s', (minorUnits, currency, shown) => {
    expect(formatAmount(minorUnits, currency)).toBe(shown);
    expect(formatAmount(BigInt(minorUnits), currency)).toBe(shown);
  });

  test.each(['', '1.5', '1e3', '0x10', ' 1', '--1', 1.5 as never, 1e21 as never])(
    'throws at %j, which is no whole number',
    (text) => {
      expect(() => formatAmount(text, DEV)).toThrow(InvalidArgumentError);
    },
  );

  test('writes the very text that the service writes in its sentences', () => {
    fc.assert(
      fc.property(fc.oneof(amounts, fc.constant(0n)), currencies, (minorUnits, currency) => {
        expect(amountText(minorUnits, currency)).toBe(formatAmount(minorUnits, currency));
      }),
    );
  });
});

describe('parseAmount', () => {
  test.each([
    ['12.34DEV', DEV, 1234n],
    ['12.34 DEV', DEV, 1234n],
    [' 12.34\u00A0DEV ', DEV, 1234n],
    ['12 DEV', DEV, 1200n],
    ['12.5 DEV', DEV, 1250n],
    ['0.01 DEV', DEV, 1n],
    ['1,234.56 DEV', DEV, 123456n],
    ['1,234,567 DEV', DEV, 123456700n],
    ['1,234 JPY', YEN, 1234n],
    ['1.234 BHD', DINAR, 1234n],
    ['12', DEV, 12n],
    ['12', YEN, 12n],
    [`${AMOUNT_MAX}`, DEV, AMOUNT_MAX],
    // Digits that end like the code are no code.
    ['1123', { code: '123', scale: 2 }, 1123n],
    ['1 123', { code: '123', scale: 2 }, 100n],
    ['1.5 E10', { code: 'E10', scale: 2 }, 150n],
  ])('reads %j of %j as %s minor units', (text, currency, minorUnits) => {
    expect(parseAmount(text, currency)).toEqual({ ok: true, minorUnits });
  });

  test('reads back whatever formatAmount writes, with a space before the currency, and a code of letters without one', () => {
    fc.assert(
      fc.property(amounts, currencies, (minorUnits, currency) => {
        const written = formatAmount(minorUnits, currency);
        expect(parseAmount(written, currency)).toEqual({ ok: true, minorUnits });
        if (!/^E?\d/.test(currency.code))
          expect(parseAmount(written.replace(' ', ''), currency)).toEqual({ ok: true, minorUnits });
      }),
    );
  });

  test('reads a whole number without a currency as the minor units that it is', () => {
    fc.assert(
      fc.property(amounts, currencies, (minorUnits, currency) => {
        expect(parseAmount(`${minorUnits}`, currency)).toEqual({ ok: true, minorUnits });
      }),
    );
  });

  test('takes no text that means another amount than the digits in it, whatever the text is', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom('0', '1', '9', ',', '.', ' ', '-', 'e', 'DEV') }),
    );
    fc.assert(
      fc.property(text, (typed) => {
        const parsed = parseAmount(typed, DEV);
        if (!parsed.ok) return;
        const [whole = '', fraction = ''] = typed.replace('DEV', '').trim().split('.');
        const digits = whole.replaceAll(',', '') + (typed.includes('DEV') ? fraction.padEnd(2, '0') : '');
        expect(parsed.minorUnits).toBe(BigInt(digits));
      }),
      { numRuns: 2000 },
    );
  });

  test.each<[string, { code: string; scale: number }, AmountFault, string]>([
    ['', DEV, 'format', 'an amount is digits and then its currency, such as 12.34 DEV, or whole minor units'],
    ['DEV', DEV, 'format', 'an amount is digits and then its currency, such as 12.34 DEV, or whole minor units'],
    ['DEV 12.34', DEV, 'format', 'an amount is digits and then its currency, such as 12.34 DEV, or whole minor units'],
    ['.5 DEV', DEV, 'format', 'an amount is digits and then its currency, such as 12.34 DEV, or whole minor units'],
    [
      '5. DEV',
      DEV,
      'format',
      'digits begin with no needless zero and stand on both sides of a point, such as 12.34 DEV',
    ],
    ['007', DEV, 'format', 'digits begin with no needless zero and stand on both sides of a point, such as 12.34 DEV'],
    [
      '01.50DEV',
      DEV,
      'format',
      'digits begin with no needless zero and stand on both sides of a point, such as 12.34 DEV',
    ],
    ['-12.34DEV', DEV, 'sign', 'an amount has no sign, such as 12.34 DEV'],
    ['+12', YEN, 'sign', 'an amount has no sign, such as 12 JPY'],
    ['−1', DINAR, 'sign', 'an amount has no sign, such as 12.340 BHD'],
    ['1e3', DEV, 'exponent', 'an amount has no exponent, such as 12.34 DEV'],
    ['1.2E+3 DEV', DEV, 'exponent', 'an amount has no exponent, such as 12.34 DEV'],
    ['12.34', DEV, 'currency', 'only whole minor units have no currency; otherwise it follows, such as 12.34 DEV'],
    ['1,234', DEV, 'currency', 'only whole minor units have no currency; otherwise it follows, such as 12.34 DEV'],
    ['12.34 EUR', DEV, 'currency', 'the currency of this chain is DEV, and nothing else follows it, such as 12.34 DEV'],
    ['12.34dev', DEV, 'currency', 'the currency of this chain is DEV, and nothing else follows it, such as 12.34 DEV'],
    ['12 XDEV', DEV, 'currency', 'the currency of this chain is DEV, and nothing else follows it, such as 12.34 DEV'],
    ['12.34 €', DEV, 'currency', 'the currency of this chain is DEV, and nothing else follows it, such as 12.34 DEV'],
    ['12/3 DEV', DEV, 'currency', 'the currency of this chain is DEV, and nothing else follows it, such as 12.34 DEV'],
    ['1,234 DEV', DEV, 'separator', 'the comma could be a decimal sign; if it groups digits, write 1,234.00 DEV'],
    ['1,234 BHD', DINAR, 'separator', 'the comma could be a decimal sign; if it groups digits, write 1,234.000 BHD'],
    [
      '12,34 DEV',
      DEV,
      'separator',
      'digits have one point, and commas only between groups of three, such as 12.34 DEV',
    ],
    [
      '1.234,56 DEV',
      DEV,
      'separator',
      'digits have one point, and commas only between groups of three, such as 12.34 DEV',
    ],
    [
      '1.234.567 DEV',
      DEV,
      'separator',
      'digits have one point, and commas only between groups of three, such as 12.34 DEV',
    ],
    [
      "1'234.56 DEV",
      DEV,
      'separator',
      'digits have one point, and commas only between groups of three, such as 12.34 DEV',
    ],
    [
      '1 234.56 DEV',
      DEV,
      'separator',
      'digits have one point, and commas only between groups of three, such as 12.34 DEV',
    ],
    [
      '1_234 DEV',
      DEV,
      'separator',
      'digits have one point, and commas only between groups of three, such as 12.34 DEV',
    ],
    [
      '0,123.00 DEV',
      DEV,
      'separator',
      'digits have one point, and commas only between groups of three, such as 12.34 DEV',
    ],
    ['12.345 DEV', DEV, 'digits', 'DEV has at most 2 digits behind the point, such as 12.34 DEV'],
    ['12.340 DEV', DEV, 'digits', 'DEV has at most 2 digits behind the point, such as 12.34 DEV'],
    ['1.25 XTS', { code: 'XTS', scale: 1 }, 'digits', 'XTS has at most 1 digit behind the point, such as 12.3 XTS'],
    ['1.2 JPY', YEN, 'digits', 'JPY has no digits behind the point, such as 12 JPY'],
    ['0', DEV, 'range', 'an amount is at least 0.01 DEV'],
    ['0.00 DEV', DEV, 'range', 'an amount is at least 0.01 DEV'],
    [
      `${AMOUNT_MAX + 1n}`,
      YEN,
      'range',
      'an amount is at most 340,282,366,920,938,463,463,374,607,431,768,211,455 JPY',
    ],
  ])('refuses %j of %j as %s: %s', (text, currency, reason, message) => {
    expect(parseAmount(text, currency)).toEqual({ ok: false, reason, message });
  });

  test('refuses a number of any length before it becomes one', () => {
    expect(parseAmount(`${'9'.repeat(100_000)} DEV`, DEV)).toEqual({
      ok: false,
      reason: 'range',
      message: 'an amount is at most 3,402,823,669,209,384,634,633,746,074,317,682,114.55 DEV',
    });
  });
});
