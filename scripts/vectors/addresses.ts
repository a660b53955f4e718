/** Addresses: valid ones, and one invalid one for each reason. */
import { bech32, bech32m } from '@scure/base';
import { type AddressFault, type AddressPrefix, encodeAddress, parseAddress } from '../../server/ledger/index.ts';
import { devAddress, devPublicKey } from '../../test/ledger/support.ts';
import { expectEqual, toHex } from './expect.ts';

/** y = 2 is canonical and not of small order. It is not on the curve, which addresses do not require. */
const SMALLEST_KEY = Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 2 : 0));

/** 32 bytes that mean `value`, little-endian; `sign` sets the highest bit. */
function keyOf(value: bigint, sign = false): Uint8Array {
  const hex = value.toString(16).padStart(64, '0');
  const key = Uint8Array.from(Buffer.from(hex, 'hex')).reverse();
  if (sign) key[31] = (key[31] ?? 0) | 0x80;
  return key;
}

const P = 2n ** 255n - 19n;
const ORDER_EIGHT = 2707385501144840649318225287225658788936804267575313519463743609750303402022n;

function valid(name: string, publicKey: Uint8Array, prefix: AddressPrefix) {
  const address = encodeAddress(publicKey, prefix);
  const parsed = parseAddress(address, prefix);
  expectEqual(name, parsed.ok && toHex(parsed.publicKey), toHex(publicKey));
  return { name, prefix, publicKey: toHex(publicKey), address };
}

function refused(name: string, address: string, reason: AddressFault, prefix: AddressPrefix = 'txlt') {
  const parsed = parseAddress(address, prefix);
  expectEqual(name, parsed.ok ? 'accepted' : parsed.reason, reason);
  return { name, prefix, address, reason };
}

export function addressVectors() {
  const good = devAddress(0);
  const words = bech32m.toWords(devPublicKey(0));
  const lastWord = words.at(-1) ?? 0;
  const padded = bech32m.encode('txlt', [...words.slice(0, -1), lastWord | 1]);
  return {
    valid: [
      ...Array.from({ length: 10 }, (_, i) => valid(`development account ${i}`, devPublicKey(i), 'txlt')),
      valid('the same key in production', devPublicKey(0), 'txl'),
      valid('a key that is no point of the curve', SMALLEST_KEY, 'txl'),
      valid('the largest canonical key', keyOf(P - 2n, true), 'txl'),
    ],
    refused: [
      refused('upper case', good.toUpperCase(), 'format'),
      refused('mixed case', `${good.slice(0, 10)}${good.slice(10).toUpperCase()}`, 'format'),
      refused('one character short', good.slice(0, -1), 'format'),
      refused('one character long', `${good}q`, 'format'),
      refused('a character outside the alphabet', `${good.slice(0, 20)}b${good.slice(21)}`, 'format'),
      refused('an unknown prefix', bech32m.encode('txlx', words), 'format'),
      refused('31 bytes', bech32m.encode('txlt', bech32m.toWords(devPublicKey(0).subarray(1))), 'format'),
      refused('a padding bit set', padded, 'format'),
      refused('two characters swapped', good.slice(0, 30) + good[31] + good[30] + good.slice(32), 'checksum'),
      refused('one character changed', `${good.slice(0, -1)}${good.endsWith('q') ? 'p' : 'q'}`, 'checksum'),
      refused('bech32 instead of bech32m', bech32.encode('txlt', words), 'not_bech32m'),
      refused('of production on a test chain', devAddress(0, 'txl'), 'wrong_network'),
      refused('of a test chain in production', devAddress(0), 'wrong_network', 'txl'),
      refused('y = 0', encodeAddress(keyOf(0n), 'txlt'), 'weak_key'),
      refused('y = 1, the identity', encodeAddress(keyOf(1n), 'txlt'), 'weak_key'),
      refused('y = 1 with the sign bit', encodeAddress(keyOf(1n, true), 'txlt'), 'weak_key'),
      refused('y = p - 1, order two', encodeAddress(keyOf(P - 1n), 'txlt'), 'weak_key'),
      refused('order eight', encodeAddress(keyOf(ORDER_EIGHT), 'txlt'), 'weak_key'),
      refused('order eight, the other y', encodeAddress(keyOf(P - ORDER_EIGHT, true), 'txlt'), 'weak_key'),
      refused('y = p, not canonical', encodeAddress(keyOf(P), 'txlt'), 'weak_key'),
      refused('y = p + 2, not canonical', encodeAddress(keyOf(P + 2n), 'txlt'), 'weak_key'),
      refused('y = 2^255 - 1, not canonical', encodeAddress(keyOf(2n ** 255n - 1n, true), 'txlt'), 'weak_key'),
    ],
  };
}
