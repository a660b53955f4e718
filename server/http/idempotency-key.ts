/**
 * `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): a String of Structured Fields (RFC 9651 section 3.3.3).
 *
 * The contract's pattern for the header was checked before: one String without parameters, 1 to 255 characters of visible ASCII or space.
 * Here the quotes and the escapes are removed, so that two spellings of a key are one.
 */
export function idempotencyKeyOf(header: string | undefined): string | undefined {
  return header?.slice(1, -1).replaceAll(/\\(["\\])/g, '$1');
}
