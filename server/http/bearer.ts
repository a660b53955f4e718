/**
 * Reads the token of `Authorization: Bearer` (RFC 6750 section 2.1) and writes the challenges of 401 and 403.
 *
 * Tokens are taken from this header only: never from the query, where they would end up in logs, nor from a body.
 */
import { CREDENTIAL_CHARS_MAX } from './limits.ts';

const REALM = 'Bearer realm="txledger"';
const SCHEME = /^bearer(?: |$)/i;
const CREDENTIAL = /^bearer +(\S+)$/i;
/** token68 of RFC 9110 section 11.2. */
const TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;

/** `absent`: no credential of an accepted scheme. `malformed`: the credential does not have the form of a token. */
export type TokenRead = { ok: true; token: string } | { ok: false; reason: 'absent' | 'malformed' };

export function readBearer(authorization: string | undefined): TokenRead {
  if (authorization === undefined || !SCHEME.test(authorization)) return { ok: false, reason: 'absent' };
  if (authorization.length > CREDENTIAL_CHARS_MAX) return { ok: false, reason: 'malformed' };
  return readToken(CREDENTIAL.exec(authorization)?.[1]);
}

export function readToken(token: string | undefined): TokenRead {
  return token === undefined || !TOKEN.test(token) ? { ok: false, reason: 'malformed' } : { ok: true, token };
}

/** RFC 6750 section 3.1: no error code when the request carried no credential. */
export function challenge(sent: boolean): string {
  return sent ? `${REALM}, error="invalid_token"` : REALM;
}

export function scopeChallenge(scopes: readonly string[]): string {
  return `${REALM}, error="insufficient_scope", scope="${scopes.join(' ')}"`;
}
