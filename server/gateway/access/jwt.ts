/**
 * Determines the principal of a JWT from the operator's issuer (RFC 7519, RFC 8725, RFC 9068). Each HTTP thread verifies by itself; a token
 * that was verified is cached until it ends or the issuer's keys change, so that it costs one verification.
 */
import { hash } from 'node:crypto';
import type { JWTHeaderParameters, JWTPayload, JWTVerifyGetKey } from 'jose';
import type { Clock, Logger } from '../../engine/ports.ts';
import { readStrictJson } from '../../platform/strict-json.ts';
import { refuse } from '../refusals.ts';
import type { Principal, Refusal, Scope } from '../types.ts';
import { OWNER_PATTERN } from './changes.ts';
import { type FetchKeys, IssuerKeys, KeysUnavailableError } from './issuer-keys.ts';
import { JWKS_RETRY_MS, JWT_CACHE_ENTRIES_MAX, JWT_CLOCK_TOLERANCE_S, type JwtSettings } from './jwt-settings.ts';

export interface JwtParts {
  settings: JwtSettings;
  fetchKeys: FetchKeys;
  clock: Clock;
  logger: Logger;
}

export interface JwtAuthentication {
  /** A promise only where it has to be verified; undefined when it is not valid. */
  authenticate(token: string): Principal | undefined | Promise<Principal | Refusal | undefined>;
}

interface Verified {
  principal: Principal;
  endMs: number;
  generation: number;
}

/** The beginning of every JWT: the base64url of `{"`. No opaque token begins so. */
const JWT_START = 'eyJ';
/** RFC 9068, section 4: with or without `application/`, in any case (RFC 7515, section 4.1.9). */
const ACCESS_TOKEN_TYPES: readonly unknown[] = ['at+jwt', 'application/at+jwt'];
const UNTYPED_TYPES: readonly unknown[] = ['jwt', 'application/jwt', undefined];
/** Header members that change what is signed, or that must be understood (RFC 7515, RFC 7516 and RFC 7797): no access token has any. */
const NOT_IN_HEADERS = ['crit', 'b64', 'zip', 'enc'] as const;
/** Claims of an ID token (OpenID Connect Core 1.0, sections 2 and 3.3.2.11; Hybrid Flow `s_hash`), and of a logout token (`events`). */
const NOT_OF_ACCESS_TOKENS = ['nonce', 'at_hash', 'c_hash', 's_hash', 'events'] as const;
/** Characters of the hash that name a JWT in logs and in the audit trail. */
const NAME_HEX = 16;
/** A claim that is not a valid owner becomes this and the beginning of its hash: 160 bits, so that no two claims become one owner. */
const HASHED_OWNER_PREFIX = 'jwt-';
const HASHED_OWNER_HEX = 40;
const OWNER_CLAIM_CHARS_MAX = 255;
const MS_PER_S = 1000;
/** Between two warnings about keys that cannot be used: anyone can send a token that names one. */
const WARNING_PAUSE_MS = 60_000;

/** Claims of issuers may hold whole objects of theirs. */
const JWT_DEPTH_MAX = 64;

/**
 * True when header and claims of a verified JWT have one meaning for every reader (RFC 8725, section 2.4; RFC 7519, section 4). JSON.parse
 * keeps the last of two equal names and other readers keep the first, and a decoder that replaces invalid UTF-8 makes one owner of several.
 */
const hasOneMeaning = (token: string): boolean =>
  token
    .split('.', 2)
    .every((part) => readStrictJson(Buffer.from(part, 'base64url'), { anyNumber: true, depthMax: JWT_DEPTH_MAX }).ok);

export const isJwt = (token: string): boolean => token.startsWith(JWT_START);

export function createJwtAuthentication({ settings, fetchKeys, clock, logger }: JwtParts): JwtAuthentication {
  const keys = new IssuerKeys({ fetchKeys, clock, logger });
  const known = new Map<string, Verified>();
  let nextWarningMs = Number.NEGATIVE_INFINITY;

  const verify = async (
    token: string,
  ): Promise<
    { payload: JWTPayload; protectedHeader: JWTHeaderParameters; generation: number } | Refusal | undefined
  > => {
    const { errors, jwtVerify } = await import('jose');
    let generation = -1;
    try {
      const findKey: JWTVerifyGetKey = async (...named) => {
        const found = await keys.find(...named);
        generation = found.generation;
        return found.key;
      };
      const { payload, protectedHeader } = await jwtVerify(token, findKey, {
        algorithms: [...settings.algorithms],
        issuer: settings.issuer,
        audience: settings.audience,
        requiredClaims: ['exp'],
        clockTolerance: JWT_CLOCK_TOLERANCE_S,
        currentDate: new Date(clock.nowMs()),
      });
      return { payload, protectedHeader, generation };
    } catch (error) {
      if (error instanceof KeysUnavailableError) {
        return refuse(
          'store_unavailable',
          'The keys by which a JWT is verified cannot be fetched from its issuer now. Wait as long as Retry-After says, then send the request again.',
          { retryAfterS: JWKS_RETRY_MS / MS_PER_S },
        );
      }
      if (error instanceof errors.JOSEError) logger.debug({ reason: error.code }, 'a JWT was refused');
      // A key of the issuer that cannot be used, such as a short one of RSA.
      else if (clock.monotonicMs() >= nextWarningMs) {
        nextWarningMs = clock.monotonicMs() + WARNING_PAUSE_MS;
        logger.warn({ err: error }, 'a key of the issuer of JWTs cannot be used');
      }
      return undefined;
    }
  };

  const look = async (token: string, name: string): Promise<Principal | Refusal | undefined> => {
    const verified = await verify(token);
    if (verified === undefined || 'ok' in verified) return verified;
    const { payload, protectedHeader, generation } = verified;
    const principal =
      hasOneMeaning(token) && fits(protectedHeader, payload, settings) && livesWithin(payload, settings, clock.nowMs())
        ? principalOf(payload, settings, name)
        : undefined;
    if (principal === undefined) return undefined;
    known.delete(name);
    for (const oldest of known.keys()) {
      if (known.size < JWT_CACHE_ENTRIES_MAX) break;
      known.delete(oldest);
    }
    known.set(name, { principal, endMs: (payload.exp as number) * MS_PER_S, generation });
    return principal;
  };

  return {
    authenticate: (token) => {
      const name = hash('sha256', token, 'hex');
      const found = known.get(name);
      if (found === undefined || found.generation !== keys.generation || !keys.fresh) return look(token, name);
      if (clock.nowMs() < found.endMs) return found.principal;
      known.delete(name);
      return undefined;
    },
  };
}

/** Checks that jose leaves to its caller. Members of a header can have any value, despite their types. */
function fits(header: JWTHeaderParameters, payload: JWTPayload, { types }: JwtSettings): boolean {
  if (NOT_IN_HEADERS.some((member) => header[member] !== undefined)) return false;
  const { typ, kid }: { typ?: unknown; kid?: unknown } = header;
  if (![typ, kid].every((member) => member === undefined || typeof member === 'string')) return false;
  const type = typeof typ === 'string' ? typ.toLowerCase() : undefined;
  if (ACCESS_TOKEN_TYPES.includes(type)) return types.includes('at+jwt');
  return UNTYPED_TYPES.includes(type) && types.includes('JWT') && isAccessToken(payload);
}

/**
 * True when a token whose type does not say so is an access token: it has a scope, which ID tokens do not have, and no claim that only
 * other tokens have. Keycloak names the kind in the claim `typ` (`Bearer`, `ID`), Amazon Cognito in `token_use` (`access`, `id`).
 */
function isAccessToken(payload: JWTPayload): boolean {
  if (NOT_OF_ACCESS_TOKENS.some((claim) => payload[claim] !== undefined)) return false;
  const { typ, token_use: use } = payload;
  if (typ !== undefined && (typeof typ !== 'string' || typ.toLowerCase() !== 'bearer')) return false;
  if (use !== undefined && use !== 'access') return false;
  return scopesOf(payload).some((scope) => scope !== '');
}

/** The tolerance is for the issuer's clock only: an expired token has expired. */
function livesWithin({ exp = 0, iat }: JWTPayload, { lifetimeMaxS }: JwtSettings, nowMs: number): boolean {
  const nowS = nowMs / MS_PER_S;
  if (exp <= nowS) return false;
  if (iat === undefined) return exp - nowS <= lifetimeMaxS;
  return Number.isFinite(iat) && iat <= nowS + JWT_CLOCK_TOLERANCE_S && exp - iat <= lifetimeMaxS;
}

function principalOf(payload: JWTPayload, { ownerClaim, scopes }: JwtSettings, name: string): Principal | undefined {
  const owner = ownerOf(payload[ownerClaim]);
  if (owner === undefined) return undefined;
  const { jti } = payload;
  const tokenName = typeof jti === 'string' && jti !== '' ? hash('sha256', jti, 'hex') : name;
  const asked = scopesOf(payload);
  return {
    tokenId: `jwt:${tokenName.slice(0, NAME_HEX)}`,
    owner,
    scopes: scopes.filter((scope: Scope) => asked.includes(scope)),
    quotaKey: `jwt:${owner}`,
  };
}

/** A claim with the form of an owner is that owner, the same as that of opaque tokens; anything else is named by its hash. */
function ownerOf(claim: unknown): string | undefined {
  if (typeof claim !== 'string' || claim === '' || claim.length > OWNER_CLAIM_CHARS_MAX) return undefined;
  // The hash would be that of another claim: an unpaired surrogate has no UTF-8.
  if (!claim.isWellFormed()) return undefined;
  // Otherwise one subject could be named like the hash of another.
  if (claim.startsWith(HASHED_OWNER_PREFIX)) return undefined;
  if (OWNER_PATTERN.test(claim)) return claim;
  return `${HASHED_OWNER_PREFIX}${hash('sha256', claim, 'hex').slice(0, HASHED_OWNER_HEX)}`;
}

/** `scope` of RFC 8693, or `scp` as some issuers have it, a text or a list. */
function scopesOf({ scope, scp }: JWTPayload): readonly unknown[] {
  const given = scope ?? scp;
  if (typeof given === 'string') return given.split(' ');
  return Array.isArray(given) ? given : [];
}
