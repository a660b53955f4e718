/** Whether a key is a point: the faster library answers as our own code does, or is not used. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { hash } from 'node:crypto';
import { choosePointCheck, loadSodiumPointCheck } from '../../server/app/point-check.ts';
import { isOnCurve, usePointCheck } from '../../server/ledger/index.ts';

const COMPARED = 3_000;
const P = 2n ** 255n - 19n;

afterEach(() => usePointCheck());

function keyOf(y: bigint, sign = 0): Buffer {
  const key = Buffer.from(y.toString(16).padStart(64, '0'), 'hex').reverse();
  key[31] = key[31]! | sign;
  return key;
}

describe('the point check of libsodium', () => {
  test('agrees with ours on keys by chance and at the edges', () => {
    const sodium = loadSodiumPointCheck();
    const edges = [0n, 1n, 2n, P - 2n, P - 1n, P, P + 1n, 2n ** 255n - 1n].flatMap((y) => [keyOf(y), keyOf(y, 0x80)]);
    const keys = [
      ...edges,
      ...Array.from({ length: COMPARED }, (_, index) => hash('sha256', `key ${index}`, 'buffer')),
    ];
    const answers = keys.map((key) => isOnCurve(key));
    expect(keys.map((key) => isOnCurve(key, sodium))).toEqual(answers);
    expect(new Set(answers)).toEqual(new Set([true, false]));
  });

  test('is used where it loads', () => {
    expect(choosePointCheck()).toBe(true);
  });

  test.each([
    ['takes every key', () => () => true],
    ['takes none', () => () => false],
    [
      'cannot be loaded',
      () => {
        throw new Error('no binary');
      },
    ],
  ])('is not used where it %s', (_how, load) => {
    expect(choosePointCheck(load)).toBe(false);
    expect(isOnCurve(keyOf(1n, 0x80))).toBe(false);
    expect(isOnCurve(keyOf(1n))).toBe(true);
    expect(isOnCurve(keyOf(2n))).toBe(false);
  });
});
