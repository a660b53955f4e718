/** SHA-256, the only hash of the block encoding. `crypto.hash` is one call into OpenSSL, several times cheaper than `createHash`. */
import { hash } from 'node:crypto';

export const SHA256_BYTES = 32;

export function sha256(data: Uint8Array): Buffer {
  return hash('sha256', data, 'buffer');
}

/** Upper-case hex, as CometBFT prints every hash and address. */
export function upperHex(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('hex').toUpperCase();
}
