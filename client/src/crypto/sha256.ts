/** SHA-256 through WebCrypto. */
import type { Bytes } from './bytes.ts';
import { toHex } from './hex.ts';

export async function sha256(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

/** 64 upper-case hex digits, as CometBFT prints hashes. */
export async function sha256UpperHex(bytes: Bytes): Promise<string> {
  return toHex(await sha256(bytes)).toUpperCase();
}
