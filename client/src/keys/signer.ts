/**
 * A key that signs. A key held elsewhere (the key service of a cloud, a hardware wallet, another process) only has to implement this.
 */
export interface Signer {
  /** The 32-byte Ed25519 public key; the account's address is made of it. */
  readonly publicKey: Uint8Array;
  /**
   * Signs exactly these bytes with Ed25519 (RFC 8032 section 5.1.6, no prehash, no context) and resolves with the 64 bytes of the
   * signature. The signature is verified before anything is sent.
   */
  sign(message: Uint8Array): Uint8Array | Promise<Uint8Array>;
}
