import { bech32, bech32m } from '@scure/base';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { encodeAddress, isStrictPublicKey, parseAddress } from '../../server/ledger/index.ts';
import { ADDRESS_CACHE_ENTRIES_MAX } from '../../server/ledger/limits.ts';
import { littleEndian, P } from './curve.ts';
import { heapBytes } from '../support/heap-bytes.ts';
import { devAddress, devPublicKey } from './support.ts';

const reason = (text: string, prefix: 'txl' | 'txlt' = 'txlt') => {
  const parsed = parseAddress(text, prefix);
  return parsed.ok ? 'ok' : parsed.reason;
};

describe('addresses', () => {
  test('an address and its key are the same thing', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.constantFrom('txl' as const, 'txlt' as const),
        (key, prefix) => {
          fc.pre(isStrictPublicKey(key));
          const address = encodeAddress(key, prefix);
          expect(address).toHaveLength(prefix.length + 59);
          const parsed = parseAddress(address, prefix);
          expect(parsed.ok && Buffer.from(parsed.publicKey).equals(key)).toBe(true);
        },
      ),
    );
  });

  test('any single changed character is refused', () => {
    const address = devAddress(0);
    for (let i = 0; i < address.length; i++) {
      for (const character of 'qpzry9x8gf2tvdw0s3jn54khce6mua7l1bio') {
        const changed = address.slice(0, i) + character + address.slice(i + 1);
        if (changed !== address) expect(reason(changed)).not.toBe('ok');
      }
    }
  });

  test('case, length and alphabet are the format; surrounding space too', () => {
    const address = devAddress(0);
    for (const text of [
      address.toUpperCase(),
      `T${address.slice(1)}`,
      ` ${address}`,
      `${address}\n`,
      address.slice(0, -1),
      `${address}q`,
      '',
      'txlt1',
    ]) {
      expect(reason(text)).toBe('format');
    }
  });

  test('bech32 instead of bech32m is named', () => {
    expect(reason(bech32.encode('txlt', bech32.toWords(devPublicKey(0))))).toBe('not_bech32m');
  });

  test('the other network is named, also right after the same key was read there', () => {
    expect(reason(devAddress(0, 'txl'), 'txlt')).toBe('wrong_network');
    expect(reason(devAddress(0, 'txl'), 'txl')).toBe('ok');
    expect(reason(devAddress(0, 'txl'), 'txlt')).toBe('wrong_network');
    expect(reason(devAddress(0, 'txlt'), 'txlt')).toBe('ok');
    expect(reason(devAddress(0, 'txlt'), 'txl')).toBe('wrong_network');
  });

  test('every non-zero padding is refused, although its checksum is right', () => {
    const words = bech32m.toWords(devPublicKey(0));
    for (let padding = 1; padding < 16; padding++) {
      const padded = [...words.slice(0, -1), words.at(-1)! | padding];
      expect(reason(bech32m.encode('txlt', padded))).toBe('format');
    }
  });

  test('weak keys are refused', () => {
    for (const y of [0n, 1n, P - 1n, P, P + 1n, P + 5n]) {
      expect(reason(encodeAddress(littleEndian(y), 'txlt'))).toBe('weak_key');
      expect(reason(encodeAddress(littleEndian(y | (1n << 255n)), 'txlt'))).toBe('weak_key');
    }
  });

  test('the answer is the same after the cache was filled and emptied', () => {
    const keyOf = (i: number) => {
      const key = Buffer.alloc(32, 7);
      key.writeUInt32LE(i);
      return key;
    };
    expect(reason(devAddress(3))).toBe('ok');
    let refused = 0;
    for (let i = 0; i < 2 * ADDRESS_CACHE_ENTRIES_MAX + 2; i++)
      if (!parseAddress(encodeAddress(keyOf(i), 'txlt'), 'txlt').ok) refused += 1;
    expect(refused).toBe(0);
    expect(reason(devAddress(3))).toBe('ok');
    const parsed = parseAddress(encodeAddress(keyOf(0), 'txlt'), 'txlt');
    expect(parsed.ok && Buffer.from(parsed.publicKey).equals(keyOf(0))).toBe(true);
  });

  test('the cache keeps nothing of the text in which an address came', () => {
    const textChars = 100_000;
    const addresses = Array.from({ length: 50 }, (_, i) => encodeAddress(Buffer.alloc(32, 11 + i), 'txlt'));
    const before = heapBytes();
    for (const [i, address] of addresses.entries())
      expect(reason(`${'x'.repeat(textChars)}${i}${address}`.slice(-address.length))).toBe('ok');
    expect((heapBytes() - before) / addresses.length).toBeLessThan(textChars / 5);
  });

  test('a key of another length has no address', () => {
    expect(() => encodeAddress(new Uint8Array(31), 'txl')).toThrow(/32 bytes/);
  });
});
