/** Settings of JWTs: those of the operator, and the fixed bounds. */
import { type Scope, SCOPES } from '../scopes.ts';

/**
 * Algorithms that a JWT may be signed with: all asymmetric, and "none" is not among them. With a symmetric one (HS256) anyone who has the
 * public key of the issuer could sign.
 */
export const JWT_ALGORITHMS = ['EdDSA', 'ES256', 'PS256', 'RS256'] as const;
export type JwtAlgorithm = (typeof JWT_ALGORITHMS)[number];

/** Scopes of JWTs unless the operator configures others: none reaches beyond the token's own owner. */
export const JWT_SCOPES_DEFAULT: readonly Scope[] = SCOPES.filter(
  (scope) => scope !== 'transactions:cancel-any' && scope !== 'access:manage',
);

/**
 * Values allowed in the header's `typ`. RFC 9068 gives access tokens a type of their own, so that no other token of the issuer passes for
 * one. Issuers that do not follow it write `JWT`, or no type, into access tokens and ID tokens alike: then the operator has to allow those
 * types, and a token also has to look like an access token (isAccessToken in jwt.ts).
 */
export const JWT_TYPES = ['at+jwt', 'JWT'] as const;
export type JwtType = (typeof JWT_TYPES)[number];
export const JWT_TYPES_DEFAULT: readonly JwtType[] = ['at+jwt'];

export const JWT_OWNER_CLAIM_DEFAULT = 'sub';

/**
 * From `iat` to `exp`. A JWT cannot be revoked here, so this bounds how long a stolen one is valid; issuers usually make them for 5 to 90
 * minutes.
 */
export const JWT_LIFETIME_S_DEFAULT = 7200;
/** Upper bound of the lifetime that an operator may set: a token with a longer one should be opaque, because it can be revoked. */
export const JWT_LIFETIME_S_MAX = 86_400;
/** A shorter one would be refused by the tolerance of clocks. */
export const JWT_LIFETIME_S_MIN = 60;

/** Tolerance for an issuer's clock that is ahead, for `iat` and `nbf`. `exp` has no tolerance: an expired token is refused. */
export const JWT_CLOCK_TOLERANCE_S = 30;

/** Verified JWTs that each thread caches: 10,000 take about 5 MB. Beyond it, each one costs one more verification. */
export const JWT_CACHE_ENTRIES_MAX = 10_000;

/** Keys of the issuer younger than this are not fetched again, so a key that the issuer withdrew stays valid for this long. */
export const JWKS_FRESH_MS = 300_000;
/**
 * Keys stay valid for this long while the issuer cannot be reached. After it, requests with JWTs are answered 503: the service cannot
 * determine which keys are still valid.
 */
export const JWKS_STALE_MS_MAX = 3_600_000;
/** Between two fetches for an unknown key id: a client that invents key ids causes one fetch in this time. */
export const JWKS_COOLDOWN_MS = 30_000;
/** Between two fetches while none succeeds. */
export const JWKS_RETRY_MS = 5000;

export interface JwtSettings {
  issuer: string;
  audience: string;
  /** Source of the issuer's public keys (RFC 7517); a file for a machine that reaches no issuer. */
  keys: { kind: 'url'; url: string } | { kind: 'file'; path: string };
  algorithms: readonly JwtAlgorithm[];
  types: readonly JwtType[];
  /** The claim that names the owner. */
  ownerClaim: string;
  /** Upper bound of a JWT's scopes. */
  scopes: readonly Scope[];
  lifetimeMaxS: number;
}
