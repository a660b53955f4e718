/**
 * The text of a token: `txl_<id>_<secret>`. The id finds the row; the secret proves the right to it and is stored only
 * as a hash. The prefix lets a secret scanner recognise a leaked one.
 *
 * A plain hash is enough: the secret has 256 random bits, so it cannot be guessed.
 */
import { hash, timingSafeEqual } from 'node:crypto';

const TOKEN_ID_BYTES = 8;
const TOKEN_SECRET_BYTES = 32;
export const TOKEN_RANDOM_BYTES = TOKEN_ID_BYTES + TOKEN_SECRET_BYTES;
const TOKEN_PATTERN = /^txl_([0-9a-f]{16})_([0-9a-f]{64})$/;

/** Parts of the token that a request brings. */
export interface TokenParts {
  id: string;
  /** SHA-256 of the secret, a character for each byte: at every request a buffer would cost three times as much. */
  secretDigest: string;
}

/** Undefined when the text is not that of a token. */
export function readToken(text: string): TokenParts | undefined {
  const [, id, secret] = TOKEN_PATTERN.exec(text) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secretDigest: hash('sha256', secret, 'binary') };
}

/** A new token from TOKEN_RANDOM_BYTES random bytes. */
export function makeToken(random: Uint8Array): { id: string; text: string; secretSha256: Uint8Array } {
  const hex = Buffer.from(random).toString('hex');
  const id = hex.slice(0, 2 * TOKEN_ID_BYTES);
  const secret = hex.slice(2 * TOKEN_ID_BYTES);
  return { id, text: `txl_${id}_${secret}`, secretSha256: hash('sha256', secret, 'buffer') };
}

/** In constant time, so that response times do not show how much of a guess was right. */
export function isSecret(secretSha256: Uint8Array, { secretDigest }: Pick<TokenParts, 'secretDigest'>): boolean {
  given.write(secretDigest, 'latin1');
  return secretSha256.length === given.length && timingSafeEqual(secretSha256, given);
}

const SHA256_BYTES = 32;
/** Overwritten by each comparison. */
const given = Buffer.alloc(SHA256_BYTES);
