/**
 * Checks that 32 bytes are a point of the curve.
 *
 * No rule of blocks needs this: signatures for a key that is not a point cannot be made, so money sent there is lost, but nothing forks.
 * The gateway and the client check it for receivers that have no account yet. In JavaScript it takes as long as a signature; a native
 * library that was compared takes a fifteenth of that.
 */
import { isCanonicalY, PUBLIC_KEY_BYTES } from './ed25519-strict.ts';

const P = 2n ** 255n - 19n;
/** d = -121665/121666 mod p (RFC 8032 section 5.1). */
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;
const SIGN_BIT = 0x80;

/** True when y, which is canonical and not that of x = 0 with a sign, belongs to a point. */
export type PointCheck = (publicKey: Uint8Array) => boolean;

let hasPoint: PointCheck = hasRoot;

/** Uses another library's answer in this thread from now on; without one, our own. The caller has compared the two. */
export function usePointCheck(check: PointCheck = hasRoot): void {
  hasPoint = check;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = base % P;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % P;
    square = (square * square) % P;
  }
  return result;
}

/** RFC 8032 section 5.1.3: y is canonical and x^2 = (y^2 - 1) / (d y^2 + 1) has a root with the sign that the last bit demands. */
export function isOnCurve(publicKey: Uint8Array, check: PointCheck = hasPoint): boolean {
  if (publicKey.length !== PUBLIC_KEY_BYTES || !isCanonicalY(publicKey)) return false;
  // x = 0 has no negative, so the sign bit must be clear there.
  if (isYOfZero(publicKey)) return ((publicKey[PUBLIC_KEY_BYTES - 1] ?? 0) & SIGN_BIT) === 0;
  return check(publicKey);
}

function hasRoot(publicKey: Uint8Array): boolean {
  const y = yOf(publicKey);
  const numerator = (((y * y - 1n) % P) + P) % P;
  const denominator = (D * y * y + 1n) % P;
  // A quotient is a square exactly if the product is (Euler's criterion); the denominator is never 0 because -1/d is not a square.
  return power(numerator * denominator, (P - 1n) / 2n) === 1n;
}

/** y = 1 or y = -1. */
function isYOfZero(publicKey: Uint8Array): boolean {
  const first = publicKey[0];
  if (first !== 0x01 && first !== 0xec) return false;
  const y = yOf(publicKey);
  return y === 1n || y === P - 1n;
}

function yOf(publicKey: Uint8Array): bigint {
  let y = 0n;
  for (let i = PUBLIC_KEY_BYTES - 1; i >= 0; i--) {
    const byte = publicKey[i] ?? 0;
    y = (y << 8n) | BigInt(i === PUBLIC_KEY_BYTES - 1 ? byte & ~SIGN_BIT : byte);
  }
  return y;
}
