/** What the send form reads: what is signed, or what is wrong with each field. */
import { describe, expect, test } from '@jest/globals';

import { readTransfer, type TypedTransfer } from '../../server/http/explorer/src/dev/transfer-fields.ts';
import { devAddress } from '../ledger/support.ts';

const accounts = [0, 1, 2].map((i) => ({ name: `dev-${i}`, address: devAddress(i) }));
const chain = { accounts, addressPrefix: 'txlt', currency: { code: 'DEV', scale: 2 } } as const;
const typed: TypedTransfer = { from: 'dev-0', to: 'dev-1', amount: '12.5', reference: '', validUntil: '', nonce: '' };
const read = (changes: Partial<TypedTransfer>) => readTransfer({ ...typed, ...changes }, chain);

describe('the form of a transfer', () => {
  test('reads names, amounts with their scale, and leaves absent what is empty', () => {
    expect(read({})).toEqual({
      transfer: {
        from: devAddress(0),
        to: devAddress(1),
        amount: 1250n,
        reference: undefined,
        validUntil: undefined,
        nonce: undefined,
      },
      faults: {},
    });
    expect(
      read({ to: ` ${devAddress(2)} `, reference: 'INV 1', nonce: ' 7 ', validUntil: '2026-12-01T10:00:00' }).transfer,
    ).toEqual({
      ...{ from: devAddress(0), to: devAddress(2), amount: 1250n, reference: 'INV 1', nonce: 7 },
      validUntil: new Date('2026-12-01T10:00:00'),
    });
    for (const [amount, minorUnits] of [
      ['7', 700n],
      ['7 DEV', 700n],
      ['1,234.56DEV', 123456n],
      ['1,234.56', 123456n],
    ] as const)
      expect(read({ amount }).transfer?.amount).toBe(minorUnits);
    expect(read({ to: 'DEV-2' }).transfer?.to).toBe(devAddress(2));
  });

  test.each([
    [{ from: 'somebody' }, { from: 'Choose an account whose key this page has.' }],
    [{ to: '' }, { to: 'Write an address, or a name such as dev-1.' }],
    [{ to: '42' }, { to: 'Write an address, or a name such as dev-1.' }],
    [
      { to: devAddress(0, 'txl') },
      { to: "It looks like an address, but the address is of another network: this one's addresses start with txlt1." },
    ],
    [{ amount: '1.005' }, { amount: 'DEV has at most 2 digits behind the point, such as 12.34 DEV.' }],
    [{ amount: '1,234' }, { amount: 'The comma could be a decimal sign; if it groups digits, write 1,234.00 DEV.' }],
    [
      { amount: '5 EUR' },
      { amount: 'The currency of this chain is DEV, and nothing else follows it, such as 12.34 DEV.' },
    ],
    [{ amount: '1e3' }, { amount: 'An amount has no exponent, such as 12.34 DEV.' }],
    [{ amount: '' }, { amount: 'An amount is digits and then its currency, such as 12.34 DEV, or whole minor units.' }],
    [{ reference: ' padded ' }, { reference: expect.stringContaining('no space at its ends') }],
    [{ reference: 'a"b' }, { reference: expect.any(String) }],
    [{ nonce: '-1' }, { nonce: 'A nonce is a whole number from 0 on.' }],
    [{ nonce: '1e3' }, { nonce: 'A nonce is a whole number from 0 on.' }],
    [{ validUntil: 'tomorrow' }, { validUntil: 'Write a day and a time.' }],
  ])('%j is told what is wrong', (changes, faults) => {
    expect(read(changes)).toEqual({ transfer: undefined, faults });
  });

  test('tells everything that is wrong at once', () => {
    expect(Object.keys(readTransfer({ ...typed, to: '', amount: '', nonce: 'x' }, chain).faults)).toEqual([
      'to',
      'amount',
      'nonce',
    ]);
  });
});
