/**
 * A second valid signature for the same message, which signers with random nonces (Safari, CryptoKit) make every day
 * and Node never does: Ed25519 as in RFC 8032 section 5.1.6, but with r from a salt. Plain BigInt, for tests only.
 */
import { createHash } from 'node:crypto';
import type { Transfer, VerifiedTransaction } from '../../../server/ledger/index.ts';
import { encodeTransaction, publicKeyOfSeed, signBytes, txHash } from '../../../server/ledger/index.ts';

const P = 2n ** 255n - 19n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

interface Point {
  x: bigint;
  y: bigint;
  z: bigint;
  t: bigint;
}

const BASE: Point = (() => {
  const x = 15112221349535400772501151409588531511454012693041857206046113283949847762202n;
  const y = 46316835694926478169428394003475163141307993866256225615783033603165251855960n;
  return { x, y, z: 1n, t: (x * y) % P };
})();

const mod = (a: bigint, m: bigint): bigint => ((a % m) + m) % m;

/** RFC 8032 section 5.1.4. */
function add(p: Point, q: Point): Point {
  const a = mod((p.y - p.x) * (q.y - q.x), P);
  const b = mod((p.y + p.x) * (q.y + q.x), P);
  const c = mod(2n * p.t * q.t * D, P);
  const d = mod(2n * p.z * q.z, P);
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return { x: mod(e * f, P), y: mod(g * h, P), z: mod(f * g, P), t: mod(e * h, P) };
}

function multiply(scalar: bigint): Point {
  let sum: Point = { x: 0n, y: 1n, z: 1n, t: 0n };
  let power = BASE;
  for (let rest = scalar; rest > 0n; rest >>= 1n) {
    if (rest & 1n) sum = add(sum, power);
    power = add(power, power);
  }
  return sum;
}

function invert(a: bigint): bigint {
  let result = 1n;
  let square = mod(a, P);
  for (let rest = P - 2n; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % P;
    square = (square * square) % P;
  }
  return result;
}

function littleEndian(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse();
}

function encode({ x, y, z }: Point): Buffer {
  const inverse = invert(z);
  const bytes = littleEndian(mod(y * inverse, P));
  bytes[31] = bytes[31]! | (Number(mod(x * inverse, P) & 1n) << 7);
  return bytes;
}

const scalarOf = (...parts: Uint8Array[]): bigint => {
  const digest = createHash('sha512');
  for (const part of parts) digest.update(part);
  return BigInt(`0x${digest.digest().reverse().toString('hex')}`);
};

function sign(seed: Uint8Array, message: Uint8Array, salt: string): Buffer {
  const half = createHash('sha512').update(seed).digest().subarray(0, 32);
  half[0] = half[0]! & 248;
  half[31] = (half[31]! & 127) | 64;
  const secret = BigInt(`0x${half.reverse().toString('hex')}`);
  const r = mod(scalarOf(Buffer.from(salt), seed, message), L);
  const point = encode(multiply(r));
  const k = mod(scalarOf(point, publicKeyOfSeed(seed), message), L);
  return Buffer.concat([point, littleEndian(mod(r + k * secret, L))]);
}

/** The same payment under another signature, so under another hash. */
export function signedAgain(
  transfer: VerifiedTransaction & { tx: Transfer },
  seed: Uint8Array,
  salt = 'again',
): VerifiedTransaction & { tx: Transfer } {
  const { signature: _, ...unsigned } = transfer.tx;
  const tx: Transfer = { ...unsigned, signature: sign(seed, signBytes(unsigned), salt).toString('hex') };
  const raw = encodeTransaction(tx);
  return { tx, raw, hash: txHash(raw) };
}
