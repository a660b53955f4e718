/**
 * Public keys in the form of node:crypto, cached by their bytes.
 *
 * Importing a key costs half as much as verifying with it, and most senders come again. The cache changes no answer: a key is its 32 bytes.
 * Two generations bound it: when the younger is full the older is dropped, so that keys in use stay without being counted.
 */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { latin1Text, toBase64Url } from './bytes.ts';

/** Keys of one generation; about 1 KiB each, in every thread that verifies. */
const KEYS_MAX = 4_096;

export class PublicKeys {
  readonly #keysMax: number;
  #younger = new Map<string, KeyObject>();
  #older = new Map<string, KeyObject>();

  constructor(keysMax = KEYS_MAX) {
    this.#keysMax = keysMax;
  }

  /** Keys held at the moment. */
  get size(): number {
    return this.#younger.size + this.#older.size;
  }

  /** Throws where OpenSSL refuses the bytes as a key. */
  import(bytes: Uint8Array): KeyObject {
    const name = latin1Text(bytes);
    const known = this.#younger.get(name);
    if (known !== undefined) return known;
    // A key from JWK is imported twice as fast as one from SPKI DER.
    const key =
      this.#older.get(name) ??
      createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: toBase64Url(bytes) }, format: 'jwk' });
    if (this.#younger.size >= this.#keysMax) {
      this.#older = this.#younger;
      this.#younger = new Map();
    }
    this.#younger.set(name, key);
    return key;
  }
}
