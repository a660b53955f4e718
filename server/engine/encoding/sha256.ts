/**
 * SHA-256, the only hash of the block encoding.
 *
 * `crypto.hash` is one call into OpenSSL and half as dear as `createHash`; by way of text it is half as dear again as when it is
 * asked for a buffer (Node.js 24).
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
