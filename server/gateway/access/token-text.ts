/**
 * The text of a token: `txl_<id>_<secret>`. The id finds the row; the secret proves the right to it and is stored only
 * as a hash. The prefix lets a secret scanner recognise a leaked one.
 */
import { hash, timingSafeEqual } from 'node:crypto';

const TOKEN_ID_BYTES = 8;
const TOKEN_SECRET_BYTES = 32;
export const TOKEN_RANDOM_BYTES = TOKEN_ID_BYTES + TOKEN_SECRET_BYTES;
const TOKEN_PATTERN = /^txl_([0-9a-f]{16})_([0-9a-f]{64})$/;

export interface TokenParts {
  id: string;
  secretSha256: Uint8Array;
}

/** Undefined when it is not the text of a token. */
export function readToken(text: string): TokenParts | undefined {
  const [, id, secret] = TOKEN_PATTERN.exec(text) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secretSha256: secretHash(secret) };
}

/** A new token from TOKEN_RANDOM_BYTES random bytes. */
export function makeToken(random: Uint8Array): TokenParts & { text: string } {
  const hex = Buffer.from(random).toString('hex');
  const id = hex.slice(0, 2 * TOKEN_ID_BYTES);
  const secret = hex.slice(2 * TOKEN_ID_BYTES);
  return { id, text: `txl_${id}_${secret}`, secretSha256: secretHash(secret) };
}

/** In constant time, so that answers do not tell how much of a guess was right. */
export function sameSecret(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/** A plain hash is enough: the secret has 256 random bits, so there is nothing to guess by trying. */
const secretHash = (secret: string): Buffer => hash('sha256', secret, 'buffer');
