/**
 * Ed25519 through WebCrypto, which Node 20 and later and current browsers have, after the checks of the chain's STRICT rule.
 *
 * Libraries disagree about which signatures are valid, so the points that RFC 8032 leaves open are checked on the encoded bytes before
 * WebCrypto verifies: the public key is canonical, neither it nor R is of small order, and S is below the group order.
 */
import { encodedY, hasSmallOrder, L, littleEndian, P } from './curve.ts';

export const PUBLIC_KEY_BYTES = 32;
export const SEED_BYTES = 32;
export const SIGNATURE_BYTES = 64;

/** True if an address may encode this key: 32 bytes, canonical, not of small order. It may still not be on the curve. */
export function isStrictPublicKey(key: Uint8Array): boolean {
  return key.length === PUBLIC_KEY_BYTES && encodedY(key) < P && !hasSmallOrder(key);
}

/**
 * STRICT verification. It returns false for any wrong length, key or encoding, and never throws.
 *
 * @example
 * const message = new TextEncoder().encode('some text');
 * console.log(await verifySignature(signer.publicKey, message, await signer.sign(message))); // true
 */
export async function verifySignature(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  if (signature.length !== SIGNATURE_BYTES || !isStrictPublicKey(publicKey)) return false;
  if (hasSmallOrder(signature.subarray(0, 32)) || littleEndian(signature.subarray(32)) >= L) return false;
  try {
    const key = await crypto.subtle.importKey('raw', new Uint8Array(publicKey), 'Ed25519', false, ['verify']);
    return await crypto.subtle.verify('Ed25519', key, new Uint8Array(signature), new Uint8Array(message));
  } catch {
    // Platforms may refuse to import a key that is not a point; such a key verifies nothing.
    return false;
  }
}
