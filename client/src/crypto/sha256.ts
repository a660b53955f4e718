/** SHA-256 through WebCrypto. */
import { toHex } from './hex.ts';

/** 64 upper-case hex digits, as CometBFT prints hashes. */
export async function sha256UpperHex(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))).toUpperCase();
}
