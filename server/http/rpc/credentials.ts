/**
 * Reads the token of a request under /rpc: `Authorization: Bearer`, or the password of `Authorization: Basic` (RFC 7617).
 *
 * Stock clients of CometBFT in Go, Rust and Python accept only a URL, and send `http://:TOKEN@host/rpc` as Basic. Outside /rpc every client
 * is made for this contract and can set a header, so Basic is not accepted there: a browser repeats an entered password automatically, even
 * with requests that another site causes.
 */
import { challenge, readBearer, readToken } from '../bearer.ts';
import type { TokenRead } from '../bearer.ts';
import { CREDENTIAL_CHARS_MAX } from '../limits.ts';

const SCHEME = /^basic(?: |$)/i;
const CREDENTIAL = /^basic +([A-Za-z0-9+/]+={0,2})$/i;
const BASIC_CHALLENGE = 'Basic realm="txledger", charset="UTF-8"';

export function readRpcToken(authorization: string | undefined): TokenRead {
  if (authorization === undefined || !SCHEME.test(authorization)) return readBearer(authorization);
  if (authorization.length > CREDENTIAL_CHARS_MAX) return { ok: false, reason: 'malformed' };
  return readToken(passwordOf(CREDENTIAL.exec(authorization)?.[1]));
}

/** The text after the first colon (RFC 7617 section 2); the user name is ignored. Undefined without a password. */
function passwordOf(base64: string | undefined): string | undefined {
  const bytes = Buffer.from(base64 ?? '', 'base64');
  // Node.js drops characters that it cannot decode. Bytes that are not UTF-8 become characters that no token has.
  if (base64 === undefined || bytes.toString('base64') !== base64) return undefined;
  const credentials = bytes.toString('utf8');
  const colon = credentials.indexOf(':');
  return colon < 0 ? undefined : credentials.slice(colon + 1);
}

/** Both schemes in one header, each with its own parameters (RFC 9110 section 11.6.1). */
export function rpcChallenge(sent: boolean): string {
  return `${challenge(sent)}, ${BASIC_CHALLENGE}`;
}
