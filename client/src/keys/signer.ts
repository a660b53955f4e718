/**
 * What signs. A key held elsewhere (a cloud's key service, a hardware wallet, another process) only has to look like this.
 */
export interface Signer {
  /** The 32-byte Ed25519 public key; the account's address is made of it. */
  readonly publicKey: Uint8Array;
  /**
   * Signs exactly these bytes with Ed25519 (RFC 8032 section 5.1.6, no prehash, no context) and answers with the 64 bytes of the
   * signature. What it answers is verified before anything is sent.
   */
  sign(message: Uint8Array): Uint8Array | Promise<Uint8Array>;
}
