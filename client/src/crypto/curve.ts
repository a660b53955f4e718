/**
 * The arithmetic on edwards25519 that the rules about keys need (RFC 8032 section 5.1). It is slow (about 0.2 ms) and handles no secret;
 * the platform signs and verifies.
 */

/** The field's prime, 2^255 - 19. */
export const P = 2n ** 255n - 19n;
/** The group's order. */
export const L = 2n ** 252n + 27742317777372353535851937790883648493n;
/** d = -121665/121666 mod p. */
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

const SIGN = 2n ** 255n;

/** Every y coordinate, mod p, of a point of small order. test/client derives them from the curve equation. */
export const SMALL_ORDER_Y: readonly bigint[] = [
  0n,
  1n,
  P - 1n,
  2707385501144840649318225287225658788936804267575313519463743609750303402022n,
  55188659117513257062467267217118295137698188065244968500265048394206261417927n,
];

/** 32 bytes as the little-endian integer they encode. */
export function littleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

/** The y coordinate in an encoded point, not reduced, without the sign bit of x. */
export function encodedY(point: Uint8Array): bigint {
  return littleEndian(point) % SIGN;
}

export function hasSmallOrder(point: Uint8Array): boolean {
  return SMALL_ORDER_Y.includes(encodedY(point) % P);
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

/**
 * True if 32 bytes encode a point of the curve (RFC 8032 section 5.1.3). No one can sign for a key that is not a point: money sent there
 * is lost.
 *
 * @example
 * const parsed = parseAddress(address, 'txl');
 * if (parsed.ok && !isOnCurve(parsed.publicKey)) console.log('money sent there is lost');
 */
export function isOnCurve(publicKey: Uint8Array): boolean {
  const y = encodedY(publicKey);
  if (publicKey.length !== 32 || y >= P) return false;
  const numerator = (y * y + P - 1n) % P;
  const denominator = (D * y * y + 1n) % P;
  // x = 0 has no negative, so the sign bit must be clear there.
  if (numerator === 0n) return littleEndian(publicKey) < SIGN;
  // A quotient is a square exactly if the product is (Euler's criterion); the denominator is never 0 because -1/d is not a square.
  return power(numerator * denominator, (P - 1n) / 2n) === 1n;
}
