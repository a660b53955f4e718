/**
 * SHA-256, the only hash of the block encoding.
 *
 * `crypto.hash` is one call into OpenSSL and costs half as much as `createHash`; returning text costs half of that again, compared with
 * returning a buffer (Node.js 24).
 */
import { hash } from 'node:crypto';

export const SHA256_BYTES = 32;

export function sha256(data: Uint8Array): Buffer {
  return Buffer.from(hash('sha256', data, 'binary'), 'latin1');
}

/** Upper-case hex, as CometBFT prints every hash and address. */
export function upperHex(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('hex').toUpperCase();
}
