/**
 * Packs the signatures to verify into one block of bytes, which is transferred to another thread without a copy.
 *
 * Layout: for each, the length of the message (4 bytes, little-endian), the public key (32), the signature (64), the message.
 *
 * @module
 */
import type { SignatureCheck } from '../../gateway/admission.ts';
import { PUBLIC_KEY_BYTES, SIGNATURE_BYTES } from '../../ledger/index.ts';

/** The first message of a verifier: it has loaded everything. */
export const READY = 'ready';

const LENGTH_BYTES = 4;
const HEAD_BYTES = LENGTH_BYTES + PUBLIC_KEY_BYTES + SIGNATURE_BYTES;

/** Undefined if a key or a signature has a wrong length: only well-formed checks can be packed. */
export function packChecks(checks: readonly SignatureCheck[]): Uint8Array<ArrayBuffer> | undefined {
  const bytes = checks.reduce((sum, { message }) => sum + HEAD_BYTES + message.length, 0);
  // An ArrayBuffer of its own: a shared one cannot be transferred.
  const packed = new Uint8Array(bytes);
  const view = new DataView(packed.buffer);
  let at = 0;
  for (const { publicKey, signature, message } of checks) {
    if (publicKey.length !== PUBLIC_KEY_BYTES || signature.length !== SIGNATURE_BYTES) return undefined;
    view.setUint32(at, message.length, true);
    packed.set(publicKey, at + LENGTH_BYTES);
    packed.set(signature, at + LENGTH_BYTES + PUBLIC_KEY_BYTES);
    packed.set(message, at + HEAD_BYTES);
    at += HEAD_BYTES + message.length;
  }
  return packed;
}

export function unpackChecks(packed: Uint8Array): SignatureCheck[] {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const checks: SignatureCheck[] = [];
  for (let at = 0; at < packed.length;) {
    const end = at + HEAD_BYTES + view.getUint32(at, true);
    checks.push({
      publicKey: packed.subarray(at + LENGTH_BYTES, at + LENGTH_BYTES + PUBLIC_KEY_BYTES),
      signature: packed.subarray(at + LENGTH_BYTES + PUBLIC_KEY_BYTES, at + HEAD_BYTES),
      message: packed.subarray(at + HEAD_BYTES, end),
    });
    at = end;
  }
  return checks;
}
