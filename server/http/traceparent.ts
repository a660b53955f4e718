/**
 * The trace that a request is part of (W3C Trace Context, section 3.2), for the log. It is copied only when it is valid: it is logged as
 * the client wrote it, and must not contain anything else.
 */
import { TRACEPARENT_CHARS } from './limits.ts';

/** version-traceId-parentId-flags. Version ff, and ids of zeros alone, are invalid; a later version may append fields. */
const VALID = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:$|-)/;

/** Returns at most TRACEPARENT_CHARS of it; undefined if there is no valid one. */
export function traceparentOf(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string' || !VALID.test(header)) return undefined;
  // Version 00 has no further fields.
  if (header.startsWith('00-') && header.length > TRACEPARENT_CHARS) return undefined;
  return header.slice(0, TRACEPARENT_CHARS);
}
