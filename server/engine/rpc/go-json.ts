/**
 * JSON as Go's encoding/json writes it: the same text that a stock node sends for the same values.
 *
 * Go escapes the characters that could end a script element and the two line separators of Unicode; outside of strings none of these
 * characters occurs in JSON, so the whole text can be escaped at once. Which integers are strings is decided where the value is built
 * (CometBFT libs/json: 64-bit ones).
 */
const ESCAPED = /[<>&\u2028\u2029]/g;

export function goJson(value: unknown): string {
  return JSON.stringify(value).replace(ESCAPED, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** []byte: base64, null when there is none. */
export function bytesJson(bytes: Uint8Array): string | null {
  return bytes.length === 0 ? null : base64(bytes);
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
