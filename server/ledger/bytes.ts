/**
 * Bytes, text and hashes for the ledger.
 *
 * Transactions are plain ASCII, so they are read as Latin-1: one byte is one character in both directions and no byte is ever replaced, so
 * that a comparison of strings equals a comparison of bytes.
 */
import { hash } from 'node:crypto';

function view(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function latin1Bytes(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

export function latin1Text(bytes: Uint8Array): string {
  return view(bytes).toString('latin1');
}

/**
 * The same Latin-1 text in memory of its own. One that was cut out of a larger text keeps all of that alive, for as long as it is kept
 * itself.
 */
export function ownText(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}

/** Lower-case hex. */
export function toHex(bytes: Uint8Array): string {
  return view(bytes).toString('hex');
}

/** The caller has checked that `hex` is an even number of hex digits. */
export function fromHex(hex: string): Uint8Array {
  return Buffer.from(hex, 'hex');
}

export function toBase64Url(bytes: Uint8Array): string {
  return view(bytes).toString('base64url');
}

/** The digest goes through text: returning a buffer takes `hash` as long as the hashing (Node.js 24). Text is hashed as UTF-8. */
export function sha256(data: Uint8Array | string): Buffer {
  return Buffer.from(hash('sha256', data, 'binary'), 'latin1');
}

/** The same into `target`, for callers that hash much. */
export function sha256Into(target: Buffer, at: number, data: Uint8Array | string): void {
  target.write(hash('sha256', data, 'binary'), at, 'latin1');
}

/** 64 upper-case hex digits, as CometBFT prints hashes. */
export function sha256UpperHex(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex').toUpperCase();
}
