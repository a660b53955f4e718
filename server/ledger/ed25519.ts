/**
 * Ed25519 as this ledger defines it: the STRICT checks, then cofactorless verification (RFC 8032 section 5.1.7), by node:crypto
 * unless the process names a faster library.
 *
 * A signature that is valid here is valid in every mainstream library, so partners may sign and verify with any.
 */
import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import {
  hasSmallOrderY,
  isCanonicalScalar,
  isCanonicalY,
  PUBLIC_KEY_BYTES,
  SEED_BYTES,
  SIGNATURE_BYTES,
} from './ed25519-strict.ts';
import { PublicKeys } from './public-keys.ts';

/** DER prefix of a PKCS #8 Ed25519 private key; the 32-byte seed follows (RFC 8410 section 7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * The cofactorless equation alone, for 32 bytes of key and 64 of signature that have passed the STRICT checks. It may throw where the key
 * is not a point of the curve.
 */
export type VerifyEquation = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean;

const publicKeys = new PublicKeys();

export const nodeEquation: VerifyEquation = (publicKey, message, signature) =>
  verify(null, message, publicKeys.import(publicKey), signature);

let equation = nodeEquation;

/**
 * From now on this thread solves the equation with another library. One that answers differently anywhere is a fork, so the caller
 * compares first (server/app/signatures.ts). The ledger names no native library itself: it runs wherever node:crypto does.
 */
export function useEquation(chosen: VerifyEquation): void {
  equation = chosen;
}

/** True when a key is allowed in an address: 32 bytes, canonical, not of small order. It may still not be on the curve. */
export function isStrictPublicKey(key: Uint8Array): boolean {
  return key.length === PUBLIC_KEY_BYTES && isCanonicalY(key) && !hasSmallOrderY(key);
}

/** STRICT verification: false for any wrong length, key or encoding; it never throws. Pass `solve` only to compare libraries. */
export function verifyStrict(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
  solve = equation,
): boolean {
  if (signature.length !== SIGNATURE_BYTES || !isStrictPublicKey(publicKey)) return false;
  if (hasSmallOrderY(signature) || !isCanonicalScalar(signature)) return false;
  try {
    return solve(publicKey, message, signature);
  } catch {
    // A library may refuse to import a key that is not a point; such a key verifies nothing.
    return false;
  }
}

function privateKeyOf(seed: Uint8Array) {
  if (seed.length !== SEED_BYTES) throw new RangeError(`an Ed25519 seed is ${SEED_BYTES} bytes, got ${seed.length}`);
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
}

/** Deterministic signature (RFC 8032 section 5.1.6), 64 bytes. */
export function signEd25519(seed: Uint8Array, message: Uint8Array): Uint8Array {
  return sign(null, message, privateKeyOf(seed));
}

/** The 32-byte public key of a 32-byte seed. */
export function publicKeyOfSeed(seed: Uint8Array): Uint8Array {
  const spki = createPublicKey(privateKeyOf(seed)).export({ format: 'der', type: 'spki' });
  return spki.subarray(spki.length - PUBLIC_KEY_BYTES);
}
