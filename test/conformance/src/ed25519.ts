/**
 * Signatures that no library makes on purpose: a second valid one of the same bytes, and one with S past the order of the group, which
 * lenient verifiers take. Slow and not constant in time, which is good enough for keys of test accounts.
 */
import { createHash, randomBytes } from 'node:crypto';

const P = 2n ** 255n - 19n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n;
const D = mod(-121665n * inverse(121666n));

/** Extended coordinates: X/Z, Y/Z, and T = XY/Z (RFC 8032, section 5.1.4). */
type Point = readonly [x: bigint, y: bigint, z: bigint, t: bigint];

const BASE_X = 15112221349535400772501151409588531511454012693041857206046113283949847762202n;
const BASE_Y = mod(4n * inverse(5n));
const BASE: Point = [BASE_X, BASE_Y, 1n, mod(BASE_X * BASE_Y)];

/** @returns a valid signature that differs from the deterministic one, and at random from every other. */
export function signRandomised(seed: Uint8Array, publicKey: Uint8Array, message: Uint8Array): string {
  const digest = sha512(seed);
  digest[0] = (digest[0] ?? 0) & 248;
  digest[31] = ((digest[31] ?? 0) & 63) | 64;
  const secret = littleEndian(digest.subarray(0, 32));
  const r = littleEndian(randomBytes(64)) % L;
  const R = encodePoint(multiply(BASE, r));
  const k = littleEndian(sha512(R, publicKey, message)) % L;
  return Buffer.concat([R, bytesOf((r + k * secret) % L)]).toString('hex');
}

/** @returns the same signature with S + L in place of S: the equation holds, and RFC 8032 refuses it. */
export function withLargeS(signature: string): string {
  const bytes = Buffer.from(signature, 'hex');
  return Buffer.concat([bytes.subarray(0, 32), bytesOf(littleEndian(bytes.subarray(32)) + L)]).toString('hex');
}

function multiply(point: Point, scalar: bigint): Point {
  let result: Point = [0n, 1n, 1n, 0n];
  let power = point;
  for (let rest = scalar; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = add(result, power);
    power = add(power, power);
  }
  return result;
}

function add([x1, y1, z1, t1]: Point, [x2, y2, z2, t2]: Point): Point {
  const a = mod((y1 - x1) * (y2 - x2));
  const b = mod((y1 + x1) * (y2 + x2));
  const c = mod(2n * t1 * t2 * D);
  const d = mod(2n * z1 * z2);
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
}

function encodePoint([x, y, z]: Point): Buffer {
  const scale = inverse(z);
  const bytes = bytesOf(mod(y * scale));
  bytes[31] = (bytes[31] ?? 0) | (Number(mod(x * scale) & 1n) << 7);
  return bytes;
}

function mod(value: bigint): bigint {
  const rest = value % P;
  return rest < 0n ? rest + P : rest;
}

function inverse(value: bigint): bigint {
  let result = 1n;
  let power = mod(value);
  for (let exponent = P - 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = mod(result * power);
    power = mod(power * power);
  }
  return result;
}

function sha512(...parts: Uint8Array[]): Buffer {
  return createHash('sha512').update(Buffer.concat(parts)).digest();
}

const littleEndian = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
const bytesOf = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse();
