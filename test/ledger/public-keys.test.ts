import { expect, test } from '@jest/globals';
import { verify } from 'node:crypto';
import { publicKeyOfSeed, signEd25519 } from '../../server/ledger/index.ts';
import { PublicKeys } from '../../server/ledger/public-keys.ts';

/** Imported keys are remembered; what is remembered may never answer for another key, and never grow. */

const KEYS_MAX = 4;
const message = Buffer.from('a message');
const pairs = Array.from({ length: 5 * KEYS_MAX }, (_, i) => {
  const seed = Buffer.alloc(32, i + 1);
  return { publicKey: publicKeyOfSeed(seed), signature: signEd25519(seed, message) };
});

test('every key verifies its own signature alone, remembered or forgotten, and the memory is bounded', () => {
  const keys = new PublicKeys(KEYS_MAX);
  for (const round of [pairs, pairs.toReversed(), pairs]) {
    for (const [i, { publicKey, signature }] of round.entries()) {
      const key = keys.import(publicKey);
      expect(verify(null, message, key, signature)).toBe(true);
      expect(verify(null, message, key, round[(i + 1) % round.length]!.signature)).toBe(false);
      expect(keys.size).toBeLessThanOrEqual(2 * KEYS_MAX);
    }
  }
});

test('a key that comes again is the same object, also from the older generation', () => {
  const keys = new PublicKeys(KEYS_MAX);
  const first = keys.import(pairs[0]!.publicKey);
  expect(keys.import(Buffer.from(pairs[0]!.publicKey))).toBe(first);
  for (const { publicKey } of pairs.slice(1, KEYS_MAX + 1)) keys.import(publicKey);
  expect(keys.import(pairs[0]!.publicKey)).toBe(first);
});

test('changing the bytes after the import changes nothing that is remembered', () => {
  const keys = new PublicKeys(KEYS_MAX);
  const bytes = Buffer.from(pairs[0]!.publicKey);
  keys.import(bytes);
  bytes.set(pairs[1]!.publicKey);
  expect(verify(null, message, keys.import(pairs[0]!.publicKey), pairs[0]!.signature)).toBe(true);
  expect(verify(null, message, keys.import(bytes), pairs[1]!.signature)).toBe(true);
});
