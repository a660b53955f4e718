/** Reads the variables of JWTs (TXLEDGER_JWT_*). @module */
import path from 'node:path';
import {
  JWT_ALGORITHMS,
  JWT_LIFETIME_S_DEFAULT,
  JWT_LIFETIME_S_MAX,
  JWT_LIFETIME_S_MIN,
  JWT_OWNER_CLAIM_DEFAULT,
  JWT_SCOPES_DEFAULT,
  JWT_TYPES,
  JWT_TYPES_DEFAULT,
  type JwtAlgorithm,
  type JwtSettings,
  type JwtType,
} from '../gateway/access/jwt-settings.ts';
import { SCOPES, type Scope } from '../gateway/types.ts';
import type { ConfigReader } from './config-reader.ts';
import { isLoopback } from './loopback.ts';

export const JWT_VARIABLES = [
  'TXLEDGER_JWT_ISSUER',
  'TXLEDGER_JWT_AUDIENCE',
  'TXLEDGER_JWT_JWKS_URL',
  'TXLEDGER_JWT_JWKS_FILE',
  'TXLEDGER_JWT_ALGORITHMS',
  'TXLEDGER_JWT_TYPES',
  'TXLEDGER_JWT_OWNER_CLAIM',
  'TXLEDGER_JWT_SCOPES',
  'TXLEDGER_JWT_LIFETIME_MAX_S',
] as const;

const TEXT_CHARACTERS_MAX = 1024;
const printable = (text: string): string | undefined =>
  text.length <= TEXT_CHARACTERS_MAX && /^[!-~]+$/.test(text) ? text : undefined;
const among =
  <T extends string>(choices: readonly T[]) =>
  (text: string): T | undefined =>
    choices.find((choice) => choice === text);

/** Undefined if no JWTs are accepted: TXLEDGER_JWT_ISSUER turns them on. */
export function readJwtConfig(read: ConfigReader, cwd: string): JwtSettings | undefined {
  const given = JWT_VARIABLES.filter((name) => read.text(name) !== undefined);
  if (given.length === 0) return undefined;
  const issuer = required(
    read,
    'TXLEDGER_JWT_ISSUER',
    'the `iss` of the JWTs that are taken, such as https://login.example/',
  );
  const audience = required(
    read,
    'TXLEDGER_JWT_AUDIENCE',
    'what `aud` of the JWTs names this service as, such as https://ledger.example',
  );
  return {
    issuer,
    audience,
    keys: readKeys(read, cwd),
    algorithms: read.list<JwtAlgorithm>(
      'TXLEDGER_JWT_ALGORITHMS',
      among(JWT_ALGORITHMS),
      `some of ${JWT_ALGORITHMS.join(', ')}`,
      JWT_ALGORITHMS,
    ),
    types: read.list<JwtType>(
      'TXLEDGER_JWT_TYPES',
      among(JWT_TYPES),
      `some of ${JWT_TYPES.join(', ')}; JWT also takes tokens without a type`,
      JWT_TYPES_DEFAULT,
    ),
    ownerClaim: read.value(
      'TXLEDGER_JWT_OWNER_CLAIM',
      printable,
      'the name of a claim, such as client_id',
      JWT_OWNER_CLAIM_DEFAULT,
    ),
    scopes: read.list<Scope>('TXLEDGER_JWT_SCOPES', among(SCOPES), `some of ${SCOPES.join(', ')}`, JWT_SCOPES_DEFAULT),
    lifetimeMaxS: read.integer(
      'TXLEDGER_JWT_LIFETIME_MAX_S',
      { min: JWT_LIFETIME_S_MIN, max: JWT_LIFETIME_S_MAX, unit: 'seconds' },
      JWT_LIFETIME_S_DEFAULT,
    ),
  };
}

function required(read: ConfigReader, name: string, expected: string): string {
  if (read.text(name) === undefined) read.fault(name, expected);
  return read.value(name, printable, expected, '');
}

/** Exactly one source of keys is allowed: two sources could give two different key sets. */
function readKeys(read: ConfigReader, cwd: string): JwtSettings['keys'] {
  const file = read.value(
    'TXLEDGER_JWT_JWKS_FILE',
    (text) => (/\p{Cc}/u.test(text) ? undefined : text),
    "the path of a file with the issuer's key set",
    undefined as string | undefined,
  );
  const expected =
    "the https URL of the issuer's key set, such as https://login.example/.well-known/jwks.json; http only to this machine";
  const url = read.value('TXLEDGER_JWT_JWKS_URL', parseKeysUrl, expected, '');
  if (file !== undefined) {
    if (url !== '')
      read.fault(
        'TXLEDGER_JWT_JWKS_FILE',
        'nothing, or TXLEDGER_JWT_JWKS_URL unset: the two could hold different keys',
      );
    return { kind: 'file', path: path.resolve(cwd, file) };
  }
  if (read.text('TXLEDGER_JWT_JWKS_URL') === undefined)
    read.fault('TXLEDGER_JWT_JWKS_URL', `${expected}; or TXLEDGER_JWT_JWKS_FILE`);
  return { kind: 'url', url };
}

/** Keys over plain HTTP could be replaced on the way, so they are accepted only from this machine. */
function parseKeysUrl(text: string): string | undefined {
  if (!URL.canParse(text) || text.length > TEXT_CHARACTERS_MAX) return undefined;
  const { protocol, hostname, username, password, hash, href } = new URL(text);
  if (username !== '' || password !== '' || hash !== '') return undefined;
  const isOwn = protocol === 'http:' && isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'));
  return protocol === 'https:' || isOwn ? href : undefined;
}
