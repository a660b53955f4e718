/** Bytes as hex digits. `Buffer` would be shorter, but browsers do not have it. */
import type { Bytes } from './bytes.ts';

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The bytes of an even number of hex digits of either case; undefined when it is anything else. */
export function fromHex(text: string): Bytes | undefined {
  if (!/^([0-9a-f]{2})*$/i.test(text)) return undefined;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
