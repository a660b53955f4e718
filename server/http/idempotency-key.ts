/**
 * `Idempotency-Key`: a String of Structured Fields (draft-ietf-httpapi-idempotency-key-header, RFC 9651 section 3.3.3), or the key alone, as
 * most SDKs send it.
 *
 * The contract's pattern for the header was checked before: one String without parameters, or one bare key, of 1 to 255 characters. Here the
 * quotes and the escapes are removed, so that all spellings of a key are one.
 */
export function idempotencyKeyOf(header: string | undefined): string | undefined {
  return header?.startsWith('"') === true ? header.slice(1, -1).replaceAll(/\\(["\\])/g, '$1') : header;
}
