/** Which JWTs are taken: what the operator named, and the bounds that no operator moves. */
import { type Scope, SCOPES } from '../scopes.ts';

/**
 * All that a JWT may be signed with: asymmetric, and no name for "not at all". With a symmetric one (HS256) anyone who has the public key of
 * the issuer could sign.
 */
export const JWT_ALGORITHMS = ['EdDSA', 'ES256', 'PS256', 'RS256'] as const;
export type JwtAlgorithm = (typeof JWT_ALGORITHMS)[number];

/** What JWTs may do unless the operator says otherwise: nothing that reaches beyond their own owner. */
export const JWT_SCOPES_DEFAULT: readonly Scope[] = SCOPES.filter(
  (scope) => scope !== 'transactions:cancel-any' && scope !== 'access:manage',
);

/**
 * What the header's `typ` may say. RFC 9068 gives access tokens a type of their own, so that no other token of the issuer passes for one.
 * Issuers that do not follow it write `JWT`, or no type, into access tokens and ID tokens alike: the operator has to say so, and then a token
 * also has to look like an access token (isAccessToken in jwt.ts).
 */
export const JWT_TYPES = ['at+jwt', 'JWT'] as const;
export type JwtType = (typeof JWT_TYPES)[number];
export const JWT_TYPES_DEFAULT: readonly JwtType[] = ['at+jwt'];

export const JWT_OWNER_CLAIM_DEFAULT = 'sub';

/** From `iat` to `exp`. A JWT cannot be revoked here, so this bounds for how long a stolen one holds; issuers make them for 5 to 90 minutes as a rule. */
export const JWT_LIFETIME_S_DEFAULT = 7200;
/** No lifetime that an operator names is longer: a token that holds for longer is better an opaque one, which can be revoked. */
export const JWT_LIFETIME_S_MAX = 86_400;
/** A shorter one would be refused by the tolerance of clocks. */
export const JWT_LIFETIME_S_MIN = 60;

/** How far the issuer's clock may be ahead, for `iat` and `nbf`. `exp` has no tolerance: a token that has ended is refused. */
export const JWT_CLOCK_TOLERANCE_S = 30;

/** Verified JWTs that are remembered, each thread its own: 10,000 take about 5 MB. Another one costs one more verification. */
export const JWT_CACHE_ENTRIES_MAX = 10_000;

/** Keys of the issuer younger than this are not fetched again, so one that the issuer withdrew holds for so long. */
export const JWKS_FRESH_MS = 300_000;
/** While the issuer is away, keys that it gave hold for so long. After it JWTs are answered 503: no one can say which keys still hold. */
export const JWKS_STALE_MS_MAX = 3_600_000;
/** Between two fetches for a key that is not among those known: whoever invents key ids makes one fetch in this time. */
export const JWKS_COOLDOWN_MS = 30_000;
/** Between two fetches while none succeeds. */
export const JWKS_RETRY_MS = 5000;

export interface JwtSettings {
  issuer: string;
  audience: string;
  /** Where the issuer's public keys are (RFC 7517); a file for a machine that reaches no issuer. */
  keys: { kind: 'url'; url: string } | { kind: 'file'; path: string };
  algorithms: readonly JwtAlgorithm[];
  types: readonly JwtType[];
  /** The claim that names the owner. */
  ownerClaim: string;
  /** What a JWT can have at most. */
  scopes: readonly Scope[];
  lifetimeMaxS: number;
}
