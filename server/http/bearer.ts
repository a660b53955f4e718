/**
 * Reads the token of `Authorization: Bearer` (RFC 6750 section 2.1) and words the challenges of 401 and 403.
 *
 * Tokens are taken from this header only: never from the query, where they would end up in logs, nor from a body.
 */
import { CREDENTIAL_CHARS_MAX } from './limits.ts';

const REALM = 'Bearer realm="txledger"';
const CREDENTIAL = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/** `absent`: no bearer credential at all. `malformed`: one that no token can look like. */
export type BearerRead = { ok: true; token: string } | { ok: false; reason: 'absent' | 'malformed' };

export function readBearer(authorization: string | undefined): BearerRead {
  if (authorization === undefined || !/^bearer(?: |$)/i.test(authorization)) return { ok: false, reason: 'absent' };
  if (authorization.length > CREDENTIAL_CHARS_MAX) return { ok: false, reason: 'malformed' };
  const token = CREDENTIAL.exec(authorization)?.[1];
  return token === undefined ? { ok: false, reason: 'malformed' } : { ok: true, token };
}

/** RFC 6750 section 3.1: no error code when the request carried no credential. */
export function challenge(sent: boolean): string {
  return sent ? `${REALM}, error="invalid_token"` : REALM;
}

export function scopeChallenge(scopes: readonly string[]): string {
  return `${REALM}, error="insufficient_scope", scope="${scopes.join(' ')}"`;
}
