/** Keys that WebCrypto holds, perhaps not extractable: the best place for a key in a browser. */
import type { Signer } from './signer.ts';

/** WebCrypto's CryptoKey, by a name that the types of browsers and of Node agree on. */
export type WebCryptoKey = Parameters<typeof crypto.subtle.exportKey>[1];

/**
 * A signer from an Ed25519 key pair of WebCrypto. Only the public key has to be extractable.
 *
 * @example
 * const keys = (await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])) as CryptoKeyPair;
 * const signer = await signerFromKeyPair(keys);
 */
export async function signerFromKeyPair(keys: { privateKey: WebCryptoKey; publicKey: WebCryptoKey }): Promise<Signer> {
  const publicKey = new Uint8Array(await crypto.subtle.exportKey('raw', keys.publicKey));
  return {
    publicKey,
    sign: async (message) =>
      new Uint8Array(await crypto.subtle.sign('Ed25519', keys.privateKey, new Uint8Array(message))),
  };
}
