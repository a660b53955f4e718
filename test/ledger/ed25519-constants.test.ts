import { describe, expect, test } from '@jest/globals';
import {
  isCanonicalY,
  GROUP_ORDER_HEX,
  hasSmallOrderY,
  SMALL_ORDER_Y_HEX,
} from '../../server/ledger/ed25519-strict.ts';
import { isOnCurve } from '../../server/ledger/index.ts';
import {
  add,
  basePoint,
  D,
  encodePoint,
  fromLittleEndian,
  IDENTITY,
  L,
  littleEndian,
  multiply,
  P,
  type Point,
  xOf,
} from './curve.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/**
 * All eight points of small order, from the curve equation: any point times L is one of them, and one of order eight generates the rest.
 */
function smallOrderPoints(): Point[] {
  for (let y = 2n; ; y++) {
    const x = xOf(y)?.[0];
    if (x === undefined) continue;
    const torsion = multiply({ x, y }, L);
    const points = [IDENTITY];
    for (let next = torsion; next.x !== IDENTITY.x || next.y !== IDENTITY.y; next = add(next, torsion))
      points.push(next);
    if (points.length === 8) return points;
  }
}

describe('the constants of the STRICT rule, derived from the curve equation', () => {
  const points = smallOrderPoints();
  const ys = [...new Set(points.map(({ y }) => y))];

  test('the group order is L', () => {
    expect(GROUP_ORDER_HEX).toBe(hex(littleEndian(L)));
    expect(multiply(basePoint(), L)).toEqual(IDENTITY);
  });

  test('eight points of small order have five different y', () => {
    expect(points).toHaveLength(8);
    for (const point of points) expect(multiply(point, 8n)).toEqual(IDENTITY);
    expect(ys).toHaveLength(5);
  });

  test('the list holds every encoding of these y in 255 bits, the non-canonical ones too, and nothing else', () => {
    const encodings = ys.flatMap((y) => [y, y + P]).filter((y) => y < 2n ** 255n);
    expect([...SMALL_ORDER_Y_HEX].sort()).toEqual(encodings.map((y) => hex(littleEndian(y))).sort());
  });

  test('each is recognised with either sign bit', () => {
    for (const y of SMALL_ORDER_Y_HEX.map((text) => Buffer.from(text, 'hex'))) {
      expect(hasSmallOrderY(y)).toBe(true);
      const negative = Uint8Array.from(y);
      negative[31]! |= 0x80;
      expect(hasSmallOrderY(negative)).toBe(true);
    }
  });

  test('a neighbour in any byte is not recognised', () => {
    for (const y of SMALL_ORDER_Y_HEX.map((text) => Buffer.from(text, 'hex'))) {
      for (let i = 0; i < 32; i++) {
        const other = Uint8Array.from(y);
        other[i]! ^= 0x10;
        expect(hasSmallOrderY(other)).toBe(SMALL_ORDER_Y_HEX.includes(hex(other)));
      }
    }
  });

  test('y is canonical exactly below p', () => {
    for (let y = P - 3n; y < 2n ** 255n; y++) {
      expect(isCanonicalY(littleEndian(y))).toBe(y < P);
      expect(isCanonicalY(littleEndian(y | (1n << 255n)))).toBe(y < P);
    }
    for (let bit = 0n; bit < 255n; bit++)
      expect(isCanonicalY(littleEndian(2n ** 255n - 1n - 2n ** bit))).toBe(2n ** 255n - 1n - 2n ** bit < P);
  });

  test('isOnCurve agrees with the curve equation for small y and for real points', () => {
    expect(D).toBe(37095705934669439343138083508754565189542113879843219016388785533085940283555n);
    for (let y = 2n; y < 200n; y++) expect(isOnCurve(littleEndian(y))).toBe(xOf(y) !== undefined);
    for (let point = basePoint(), i = 0; i < 20; i++, point = add(point, basePoint())) {
      expect(isOnCurve(encodePoint(point))).toBe(true);
      expect(fromLittleEndian(encodePoint(point)) & (2n ** 255n - 1n)).toBe(point.y);
    }
  });

  test('isOnCurve refuses x = 0 with a sign, non-canonical y and wrong lengths', () => {
    expect(isOnCurve(littleEndian(1n))).toBe(true);
    expect(isOnCurve(littleEndian(1n | (1n << 255n)))).toBe(false);
    expect(isOnCurve(littleEndian((P - 1n) | (1n << 255n)))).toBe(false);
    expect(isOnCurve(littleEndian(P))).toBe(false);
    expect(isOnCurve(new Uint8Array(31))).toBe(false);
  });
});
