/**
 * The parts of the STRICT signature rule that RFC 8032 leaves open and on which libraries disagree.
 *
 * Which Ed25519 signatures are valid is a question of consensus: two replicas with different answers fork. So everything that is not the
 * plain verification equation is decided here, on the encoded bytes, and not by the library in use:
 *
 * 1. the public key A is canonical: y(A) < p = 2^255 - 19;
 * 2. neither A nor R is one of the eight points of small order, in any encoding;
 * 3. S < L, so that a signature cannot be changed into another valid one (RFC 8032 section 5.1.7).
 *
 * The constants are derived from the curve equation in test/ledger/ed25519-constants.test.ts, which fails if one of them is wrong.
 */

export const PUBLIC_KEY_BYTES = 32;
export const SIGNATURE_BYTES = 64;
export const SEED_BYTES = 32;

/**
 * Every 32-byte encoding of a y coordinate of a point of small order, the sign bit cleared, little-endian: 0, 1, p - 1, the two y of order
 * eight, and the non-canonical p (= 0) and p + 1 (= 1). The other non-canonical encodings, p + 2 to 2^255 - 1, are not of small order.
 */
export const SMALL_ORDER_Y_HEX: readonly string[] = [
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
];

/** The group order L = 2^252 + 27742317777372353535851937790883648493, little-endian. */
export const GROUP_ORDER_HEX = 'edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010';

const SMALL_ORDER_Y: readonly Uint8Array[] = SMALL_ORDER_Y_HEX.map((hex) => Buffer.from(hex, 'hex'));
const GROUP_ORDER: Uint8Array = Buffer.from(GROUP_ORDER_HEX, 'hex');
const SIGN_BIT_CLEARED = 0x7f;
const LAST = PUBLIC_KEY_BYTES - 1;

/** True when the 32 bytes at the start of `point` encode a y of small order, with either sign bit. */
export function hasSmallOrderY(point: Uint8Array): boolean {
  return SMALL_ORDER_Y.some((y) => {
    for (let i = 0; i < LAST; i++) if (point[i] !== y[i]) return false;
    return ((point[LAST] ?? 0) & SIGN_BIT_CLEARED) === y[LAST];
  });
}

/** True when y, the sign bit aside, is below p = 2^255 - 19. */
export function isCanonicalY(point: Uint8Array): boolean {
  if (((point[LAST] ?? 0) & SIGN_BIT_CLEARED) !== SIGN_BIT_CLEARED) return true;
  for (let i = 1; i < LAST; i++) if (point[i] !== 0xff) return true;
  return (point[0] ?? 0) < 0xed;
}

/** True when the second half of the signature, a little-endian integer, is below the group order. */
export function isCanonicalScalar(signature: Uint8Array): boolean {
  for (let i = LAST; i >= 0; i--) {
    const s = signature[PUBLIC_KEY_BYTES + i] ?? 0;
    const order = GROUP_ORDER[i] ?? 0;
    if (s !== order) return s < order;
  }
  return false;
}
