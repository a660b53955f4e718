/** Keys from a 32-byte seed that this process has. */
import type { Bytes } from '../crypto/bytes.ts';
import { SEED_BYTES } from '../crypto/ed25519.ts';
import { fromHex, toHex } from '../crypto/hex.ts';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.ts';
import type { Signer } from './signer.ts';
import { signerFromKeyPair } from './key-pair.ts';

/** DER prefix of a PKCS #8 Ed25519 private key; the 32-byte seed follows (RFC 8410 section 7). */
const PKCS8_PREFIX = '302e020100300506032b657004220420';

/**
 * Makes a new seed from the platform's secure randomness. Anyone who has the seed can pay from its account: keep it as you would keep the
 * money.
 *
 * @example
 * const signer = await signerFromSeed(generateSeed());
 */
export function generateSeed(): Bytes {
  return crypto.getRandomValues(new Uint8Array(SEED_BYTES));
}

/**
 * A signer from a seed, given as 32 bytes or as 64 hex digits. The signing key it holds cannot be exported again.
 *
 * @throws {InvalidArgumentError} It is not 32 bytes or 64 hex digits.
 * @example
 * const signer = await signerFromSeed('00'.repeat(32));
 * console.log(encodeAddress(signer.publicKey, 'txlt'));
 */
export async function signerFromSeed(seed: Uint8Array | string): Promise<Signer> {
  const bytes = typeof seed === 'string' ? fromHex(seed) : seed;
  // The seed itself is a secret, so the message contains nothing of it but its length.
  if (bytes?.length !== SEED_BYTES)
    throw new InvalidArgumentError('seed', `is ${SEED_BYTES} bytes or ${SEED_BYTES * 2} hex digits`);
  const pkcs8 = fromHex(PKCS8_PREFIX + toHex(bytes)) as Bytes;
  // WebCrypto gives the public key of a private one in one way only: exported as JWK (RFC 8037 section 2).
  const exportable = await crypto.subtle.importKey('pkcs8', pkcs8, 'Ed25519', true, ['sign']);
  const { x } = await crypto.subtle.exportKey('jwk', exportable);
  const publicKey = await crypto.subtle.importKey(
    'jwk',
    { kty: 'OKP', crv: 'Ed25519', x: x as string },
    'Ed25519',
    true,
    ['verify'],
  );
  const privateKey = await crypto.subtle.importKey('pkcs8', pkcs8, 'Ed25519', false, ['sign']);
  return signerFromKeyPair({ privateKey, publicKey });
}
