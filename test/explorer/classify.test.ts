import { describe, expect, test } from '@jest/globals';

import { classify } from '../../server/http/explorer/src/search/classify.ts';
import { devAddress } from '../ledger/support.ts';

const names = Array.from({ length: 10 }, (_, i) => `dev-${i}`);
const development = { addressPrefix: 'txlt', names } as const;
const production = { addressPrefix: 'txl', names: [] } as const;
const hash = 'a1'.repeat(32);

describe('what a search means', () => {
  test.each([
    ['  ', { kind: 'nothing' }],
    [hash, { kind: 'hash', hash: hash.toUpperCase() }],
    [` 0x${hash} `, { kind: 'hash', hash: hash.toUpperCase() }],
    ['42', { kind: 'height', height: 42, reference: '42' }],
    ['#42', { kind: 'height', height: 42, reference: '#42' }],
    ['0', { kind: 'reference', reference: '0' }],
    ['9007199254740993', { kind: 'reference', reference: '9007199254740993' }],
    ['dev-3', { kind: 'name', name: 'dev-3' }],
    ['Dev-3', { kind: 'name', name: 'dev-3' }],
    ['INV 2026-17', { kind: 'reference', reference: 'INV 2026-17' }],
    [devAddress(0), { kind: 'address', address: devAddress(0) }],
    [devAddress(0).toUpperCase(), { kind: 'address', address: devAddress(0) }],
  ])('%s', (text, meant) => {
    expect(classify(text, development)).toEqual(meant);
  });

  test('on a chain without development accounts, dev-3 is a reference', () => {
    expect(classify('dev-3', production)).toEqual({ kind: 'reference', reference: 'dev-3' });
  });

  test.each([
    [hash.slice(1), 'It looks like a hash, which has 64 hex digits; this has 63.'],
    [
      devAddress(0).replace(/.$/, (last) => (last === 'q' ? 'p' : 'q')),
      'It looks like an address, but the checksum does not match: a character was changed, lost or swapped.',
    ],
    [
      devAddress(0).slice(0, -1),
      'It looks like an address, but an address is txlt1 and 58 lower-case characters of the bech32 alphabet.',
    ],
    [
      devAddress(0, 'txl'),
      "It looks like an address, but the address is of another network: this one's addresses start with txlt1.",
    ],
    ['dev-10', 'It looks like a development account; they are dev-0 to dev-9.'],
    [
      '"quoted"',
      'It is no hash, height, address or reference. A reference has 1 to 140 printable ASCII characters without " and \\.',
    ],
  ])('%s is told what is wrong with it', (text, message) => {
    expect(classify(text, development)).toEqual({ kind: 'fault', message });
  });
});
