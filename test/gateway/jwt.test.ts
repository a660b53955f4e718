/** JWTs of the operator's issuer: who they stand for, everything that is refused, and an issuer that changes its keys or is away. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { exportSPKI, type JWK } from 'jose';
import { issuerKeys } from '../../server/app/issuer-keys.ts';
import { createJwtAuthentication, type JwtAuthentication } from '../../server/gateway/access/jwt.ts';
import {
  JWKS_COOLDOWN_MS,
  JWKS_FRESH_MS,
  JWKS_RETRY_MS,
  JWKS_STALE_MS_MAX,
  JWT_ALGORITHMS,
  JWT_CLOCK_TOLERANCE_S,
  JWT_LIFETIME_S_DEFAULT,
  JWT_SCOPES_DEFAULT,
  JWT_TYPES,
  JWT_TYPES_DEFAULT,
  type JwtSettings,
} from '../../server/gateway/access/jwt-settings.ts';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import { AUDIENCE, type IssuedKey, Issuer, ISSUER, makeKey, signed, type TokenParts } from './support/issuer.ts';

const NOW_S = 1_795_000_000;
let atMs: number;
const clock = {
  nowMs: () => NOW_S * 1000 + atMs,
  nowNs: () => 0n,
  monotonicMs: () => atMs,
  setTimer: () => ({ cancel: () => undefined }),
};
const lines: unknown[] = [];
const logger = {
  error: (line: unknown) => lines.push(line),
  warn: (line: unknown) => lines.push(line),
  info: () => undefined,
  debug: () => undefined,
  child: () => logger,
} as never;

let issuer: Issuer;
let keys: Record<(typeof JWT_ALGORITHMS)[number], IssuedKey>;
let other: IssuedKey;
let jwts: JwtAuthentication;

const settings = (): JwtSettings => ({
  issuer: ISSUER,
  audience: AUDIENCE,
  keys: { kind: 'url', url: issuer.url },
  algorithms: JWT_ALGORITHMS,
  types: JWT_TYPES_DEFAULT,
  ownerClaim: 'sub',
  scopes: JWT_SCOPES_DEFAULT,
  lifetimeMaxS: JWT_LIFETIME_S_DEFAULT,
});
const open = (own: Partial<JwtSettings> = {}): JwtAuthentication =>
  createJwtAuthentication({
    settings: { ...settings(), ...own },
    fetchKeys: issuerKeys(settings().keys),
    clock,
    logger,
  });
const token = (parts: TokenParts = {}, key: IssuedKey = keys.EdDSA): Promise<string> => signed(key, NOW_S, parts);
const answer = async (parts: TokenParts = {}, key?: IssuedKey) => await jwts.authenticate(await token(parts, key));

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
/** Signed by hand, for what no library signs. */
function byHand(header: object, payload: object, signature: (text: string) => Buffer): string {
  const text = `${base64url(header)}.${base64url(payload)}`;
  return `${text}.${signature(text).toString('base64url')}`;
}
const claims = { iss: ISSUER, aud: AUDIENCE, sub: 'acme', iat: NOW_S, exp: NOW_S + 600, scope: 'transactions:read' };
const ownKey = generateKeyPairSync('ed25519');
const ownJwk = (): JWK => ({ ...(ownKey.publicKey.export({ format: 'jwk' }) as JWK), kid: 'own', alg: 'EdDSA' });
const ed25519 = (text: string): Buffer => sign(undefined, Buffer.from(text), ownKey.privateKey);

beforeAll(async () => {
  issuer = await Issuer.start();
  const made = await Promise.all(JWT_ALGORITHMS.map((alg) => makeKey(alg, alg)));
  keys = Object.fromEntries(made.map((key) => [key.alg, key])) as typeof keys;
  other = await makeKey('EdDSA', 'EdDSA');
});
afterAll(() => issuer.stop());
beforeEach(() => {
  atMs = 0;
  lines.length = 0;
  issuer.keys = [...Object.values(keys).map(({ jwk }) => jwk), ownJwk()];
  issuer.instead = undefined;
  issuer.asked = 0;
  jwts = open();
});

describe('a JWT of the issuer', () => {
  test.each(JWT_ALGORITHMS)(
    'signed by %s stands for its subject, with a quota that all of an owner share',
    async (alg) => {
      const name = createHash('sha256').update('one').digest('hex').slice(0, 16);
      expect(await answer({}, keys[alg])).toEqual({
        tokenId: `jwt:${name}`,
        owner: 'acme',
        scopes: ['transactions:read', 'transactions:write'],
        quotaKey: 'jwt:acme',
      });
    },
  );

  test('is verified once, and then answered without a promise until it ends', async () => {
    const text = await token();
    const first = await jwts.authenticate(text);
    expect(jwts.authenticate(text)).toBe(first);
    atMs = 299_000;
    expect(jwts.authenticate(text)).toBe(first);
    const short = await token({ claims: { exp: NOW_S + 300 } });
    expect(await jwts.authenticate(short)).toBeDefined();
    atMs = 299_999;
    expect(jwts.authenticate(short)).toBeDefined();
    atMs = 300_000;
    expect(await jwts.authenticate(short)).toBeUndefined();
  });

  test.each([
    ['a text', { scope: 'transactions:read access:manage transactions:cancel-any unknown' }, ['transactions:read']],
    [
      'a list',
      { scope: undefined, scp: ['rpc:broadcast', 'transactions:write'] },
      ['transactions:write', 'rpc:broadcast'],
    ],
    ['a text named scp', { scope: undefined, scp: 'webhooks:manage' }, ['webhooks:manage']],
    ['absent', { scope: undefined }, []],
    ['no text', { scope: 7 }, []],
  ])('has of its scopes what JWTs may have: %s', async (_, given, scopes) => {
    expect(await answer({ claims: given })).toMatchObject({ scopes });
  });

  test('has what the operator gives JWTs, not what the issuer writes', async () => {
    jwts = open({ scopes: ['access:manage'] });
    expect(await answer({ claims: { scope: 'access:manage transactions:read' } })).toMatchObject({
      scopes: ['access:manage'],
    });
  });

  test('names its owner by the claim that the operator chose; what has no form of an owner is named by its hash', async () => {
    const hashed = `jwt-${createHash('sha256').update('auth0|Partner 7').digest('hex').slice(0, 40)}`;
    expect(await answer({ claims: { sub: 'auth0|Partner 7' } })).toMatchObject({ owner: hashed });
    expect(await answer({ claims: { sub: hashed } })).toBeUndefined();
    jwts = open({ ownerClaim: 'client_id' });
    expect(await answer({ claims: { client_id: 'globex' } })).toMatchObject({ owner: 'globex' });
    for (const client_id of [undefined, '', 7, ['globex'], 'x'.repeat(256)])
      expect(await answer({ claims: { client_id } })).toBeUndefined();
  });

  test.each(['at+jwt', 'application/at+jwt', 'AT+JWT'])('may say the type %s', async (typ) => {
    expect(await answer({ header: { typ } })).toBeDefined();
  });

  test.each(['JWT', 'application/jwt', undefined])(
    'has the type %s only where the operator says so, and is an access token then',
    async (typ) => {
      const accessToken = { header: { typ }, claims: { azp: 'client', auth_time: NOW_S, typ: 'Bearer' } };
      expect(await answer(accessToken)).toBeUndefined();
      jwts = open({ types: ['at+jwt', 'JWT'] });
      expect(await answer(accessToken)).toBeDefined();
      expect(await answer({ header: { typ }, claims: { scope: undefined, scp: ['transactions:read'] } })).toBeDefined();
      expect(await answer()).toBeDefined();
      jwts = open({ types: ['JWT'] });
      expect(await answer({ header: { typ: 'at+jwt' } })).toBeUndefined();
    },
  );

  test.each<Record<string, unknown>>([
    { scope: undefined },
    { scope: '' },
    { nonce: 'n-0S6_WzA2Mj' },
    { at_hash: 'MTIzNDU2Nzg5MDEyMzQ1Ng' },
    { c_hash: 'LDktKdoQak3Pk0cnXxCltA' },
    { s_hash: 'LDktKdoQak3Pk0cnXxCltA' },
    { typ: 'ID' },
    { token_use: 'id' },
    { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } },
  ])('an ID token or a logout token never passes, whatever the operator says: %j', async (claims) => {
    for (const typ of ['JWT', undefined]) {
      for (const types of [JWT_TYPES_DEFAULT, JWT_TYPES]) {
        jwts = open({ types });
        expect(await answer({ header: { typ }, claims })).toBeUndefined();
      }
    }
  });

  test('without an id is named by its own hash, which is not the token', async () => {
    const text = await token({ claims: { jti: undefined } });
    expect(await jwts.authenticate(text)).toMatchObject({
      tokenId: `jwt:${createHash('sha256').update(text).digest('hex').slice(0, 16)}`,
    });
  });

  test('may come from a clock that is a little ahead', async () => {
    const ahead = NOW_S + JWT_CLOCK_TOLERANCE_S - 1;
    expect(await answer({ claims: { iat: ahead, nbf: ahead } })).toBeDefined();
  });

  test('may have claims of its issuer that are 60 levels deep', async () => {
    let deep: unknown = 'x';
    for (let level = 0; level < 60; level += 1) deep = { deep };
    expect(await answer({ claims: { deep } })).toBeDefined();
    for (let level = 0; level < 5; level += 1) deep = { deep };
    expect(await answer({ claims: { deep } })).toBeUndefined();
  });

  test('may name several audiences', async () => {
    expect(await answer({ claims: { aud: ['https://other.example', AUDIENCE] } })).toBeDefined();
  });
});

describe('no JWT is taken', () => {
  test.each<[string, TokenParts]>([
    ['of another issuer', { claims: { iss: 'https://evil.example/' } }],
    ['without an issuer', { claims: { iss: undefined } }],
    ['for another audience', { claims: { aud: 'https://other.example' } }],
    ['without an audience', { claims: { aud: undefined } }],
    ['that has ended', { claims: { iat: NOW_S - 60, exp: NOW_S } }],
    ['that has ended within the tolerance of clocks', { claims: { iat: NOW_S - 60, exp: NOW_S - 1 } }],
    ['without an end', { claims: { exp: undefined } }],
    ['whose end is no number', { claims: { exp: 'tomorrow' } }],
    ['of the future', { claims: { nbf: NOW_S + JWT_CLOCK_TOLERANCE_S + 1 } }],
    ['made in the future', { claims: { iat: NOW_S + JWT_CLOCK_TOLERANCE_S + 1 } }],
    ['that lives for too long', { claims: { exp: NOW_S + JWT_LIFETIME_S_DEFAULT + 1 } }],
    [
      'that lives for too long and does not say since when',
      { claims: { iat: undefined, exp: NOW_S + JWT_LIFETIME_S_DEFAULT + 1 } },
    ],
    ['without a subject', { claims: { sub: undefined } }],
    ['of another type', { header: { typ: 'dpop+jwt' } }],
    ['without a type', { header: { typ: undefined } }],
    ['with a key that the issuer does not have', { header: { kid: 'invented' } }],
  ])('%s', async (_, parts) => {
    expect(await answer(parts)).toBeUndefined();
  });

  test('signed by another key under the name of a known one', async () => {
    expect(await answer({}, other)).toBeUndefined();
  });

  test('that is not signed', async () => {
    for (const alg of ['none', 'None', 'NONE', ''])
      expect(
        await jwts.authenticate(byHand({ alg, typ: 'at+jwt', kid: 'own' }, claims, () => Buffer.alloc(0))),
      ).toBeUndefined();
  });

  test('signed with the public key as if it were a secret', async () => {
    const pem = await exportSPKI(keys.RS256.publicKey);
    for (const secret of [pem, pem.trim(), JSON.stringify(keys.RS256.jwk)]) {
      expect(
        await jwts.authenticate(
          byHand({ alg: 'HS256', typ: 'at+jwt', kid: 'RS256' }, claims, (text) =>
            createHmac('sha256', secret).update(text).digest(),
          ),
        ),
      ).toBeUndefined();
    }
    // Nor where the issuer has a secret in its key set by mistake.
    issuer.keys = [{ kty: 'oct', k: Buffer.from('secret').toString('base64url'), kid: 'oct', alg: 'HS256' }];
    jwts = open();
    expect(
      await jwts.authenticate(
        byHand({ alg: 'HS256', typ: 'at+jwt', kid: 'oct' }, claims, (text) =>
          createHmac('sha256', 'secret').update(text).digest(),
        ),
      ),
    ).toBeUndefined();
  });

  test('by an algorithm that the operator left out', async () => {
    jwts = open({ algorithms: ['ES256'] });
    expect(await answer({}, keys.EdDSA)).toBeUndefined();
    expect(await answer({}, keys.ES256)).toBeDefined();
  });

  test('by a key of RSA that is too short, and the log says so once', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    issuer.keys = [{ ...(publicKey.export({ format: 'jwk' }) as JWK), kid: 'short', alg: 'RS256' }];
    jwts = open();
    const text = byHand({ alg: 'RS256', typ: 'at+jwt', kid: 'short' }, claims, (signedText) =>
      sign('sha256', Buffer.from(signedText), privateKey),
    );
    expect([await jwts.authenticate(text), await jwts.authenticate(text)]).toEqual([undefined, undefined]);
    expect(lines).toHaveLength(1);
  });

  test('with a header that must be understood, or that changes what is signed', async () => {
    const header = { alg: 'EdDSA', typ: 'at+jwt', kid: 'own' };
    expect(await jwts.authenticate(byHand(header, claims, ed25519))).toBeDefined();
    for (const further of [
      { crit: ['exp'], exp: 1 },
      { crit: [] },
      { crit: ['b64'], b64: true },
      { crit: ['b64'], b64: false },
      { b64: false },
      { crit: ['unknown'], unknown: 1 },
      { zip: 'DEF' },
      { enc: 'A128GCM' },
    ]) {
      expect(await jwts.authenticate(byHand({ ...header, ...further }, claims, ed25519))).toBeUndefined();
    }
  });

  test.each([null, 5, true, ['at+jwt'], { a: 1 }])(
    'whose header has a typ or a kid that is no text: %j',
    async (value) => {
      jwts = open({ types: JWT_TYPES });
      for (const member of ['typ', 'kid']) {
        const header = { alg: 'EdDSA', typ: 'at+jwt', kid: 'own', [member]: value };
        issuer.keys = [ownJwk()];
        expect(await jwts.authenticate(byHand(header, claims, ed25519))).toBeUndefined();
      }
    },
  );

  test.each([null, 5, true, ['x'], { a: 1 }, '', 1e300])(
    'that is answered with an error, whatever its claims are: %j',
    async (value) => {
      for (const types of [JWT_TYPES_DEFAULT, JWT_TYPES]) {
        jwts = open({ types });
        for (const typ of ['at+jwt', 'JWT']) {
          for (const claim of [...Object.keys(claims), 'jti', 'nbf', 'scp', 'typ', 'token_use']) {
            const header = { alg: 'EdDSA', typ, kid: 'own' };
            const given = { ...claims, ...(claim === 'scp' && { scope: undefined }), [claim]: value };
            const found = await jwts.authenticate(byHand(header, given, ed25519));
            expect(found === undefined || 'tokenId' in found).toBe(true);
          }
        }
      }
    },
  );

  test('in which a name is there twice, however it is spelled, or that is no text', async () => {
    const header = JSON.stringify({ alg: 'EdDSA', typ: 'at+jwt', kid: 'own' });
    const body = JSON.stringify({ ...claims, note: '"sub": {}, \\', list: [{ a: 1 }, { a: 2, sub: 'x' }] });
    const signedText = (...parts: (string | Buffer)[]): string => {
      const text = parts.map((part) => Buffer.from(part as string).toString('base64url')).join('.');
      return `${text}.${ed25519(text).toString('base64url')}`;
    };
    const more = (text: string, member: string): string => text.replace('{', `{${member},`);
    expect(await jwts.authenticate(signedText(header, body))).toMatchObject({ owner: 'acme' });
    // An issuer spells numbers as it likes.
    const numbers = more(body, '"n":[1.0,-0,2e3,12345678901234567890]');
    expect(await jwts.authenticate(signedText(header, numbers))).toMatchObject({ owner: 'acme' });
    for (const parts of [
      [more(header, '"typ":"JWT"'), body],
      [more(header, '"alg":"none"'), body],
      [more(header, '"t\\u0079p":"JWT"'), body],
      [header, more(body, '"sub":"admin"')],
      [header, more(body, '"s\\u0075b":"admin"')],
      [header, more(body, '"sub" : "admin"')],
      [header, more(body, '"act":{"sub":"a","sub":"b"}')],
      [header, Buffer.concat([Buffer.from('{"x":"'), Buffer.of(0xff), Buffer.from(`",${body.slice(1)}`)])],
    ] as const)
      expect(await jwts.authenticate(signedText(...parts))).toBeUndefined();
  });

  test('whose subject is no Unicode text: its hash would be that of another', async () => {
    expect(await answer({ claims: { sub: 'a\ud800' } })).toBeUndefined();
  });

  test('that is none: another JWT inside, a list of claims, parts left out, bytes changed', async () => {
    const good = await token();
    const [head = '', body = '', signature = ''] = good.split('.');
    const header = { alg: 'EdDSA', typ: 'at+jwt', kid: 'own' };
    const text = `${base64url({ ...header, cty: 'JWT' })}.${Buffer.from(good).toString('base64url')}`;
    const nested = `${text}.${ed25519(text).toString('base64url')}`;
    const listed = byHand(header, [claims], ed25519);
    const changed = `${head}.${base64url({ ...claims, sub: 'globex' })}.${signature}`;
    for (const wrong of [
      nested,
      listed,
      changed,
      `${head}.${body}`,
      `${head}.${body}.`,
      `${head}..${signature}`,
      `${good}.${signature}`,
      `${good}A`,
      'eyJ',
      `eyJ${'A'.repeat(4000)}`,
    ]) {
      expect(await jwts.authenticate(wrong)).toBeUndefined();
    }
  });
});

describe('the keys of the issuer', () => {
  test('are fetched once, and again when they are old', async () => {
    for (let at = 0; at < 3; at += 1) await answer({ claims: { jti: `${at}` } });
    expect(issuer.asked).toBe(1);
    atMs = JWKS_FRESH_MS;
    await answer();
    expect(await answer()).toBeDefined();
    expect(issuer.asked).toBe(2);
  });

  test('that are new are found, and those that were withdrawn end what they signed', async () => {
    const before = await token();
    expect(await jwts.authenticate(before)).toBeDefined();
    const next = await makeKey('ES256', 'next');
    issuer.keys = [next.jwk];
    atMs = JWKS_COOLDOWN_MS;
    expect(await answer({}, next)).toBeDefined();
    expect(issuer.asked).toBe(2);
    expect(await jwts.authenticate(before)).toBeUndefined();
  });

  test('that are invented make one fetch in a while, however many come', async () => {
    await answer();
    for (const at of [0, JWKS_COOLDOWN_MS, JWKS_COOLDOWN_MS + 1]) {
      atMs = at;
      for (const kid of ['a', 'b', 'c', 'd']) expect(await answer({ header: { kid } })).toBeUndefined();
    }
    expect(issuer.asked).toBe(2);
  });

  test('hold for a while when the issuer is away, and no one is let in without them after that', async () => {
    const text = await token({ claims: { exp: NOW_S + JWT_LIFETIME_S_DEFAULT } });
    expect(await jwts.authenticate(text)).toBeDefined();
    issuer.instead = { status: 500, body: 'away' };
    atMs = JWKS_STALE_MS_MAX - 1;
    expect(await jwts.authenticate(text)).toMatchObject({ owner: 'acme' });
    atMs = JWKS_STALE_MS_MAX + JWKS_RETRY_MS;
    expect(await jwts.authenticate(text)).toMatchObject({
      ok: false,
      code: 'store_unavailable',
      retryAfterS: JWKS_RETRY_MS / 1000,
    });
    issuer.instead = undefined;
    atMs += JWKS_RETRY_MS;
    expect(await jwts.authenticate(text)).toMatchObject({ owner: 'acme' });
  });

  test.each([
    ['an error', { status: 503, body: '' }],
    ['no JSON', { status: 200, body: 'keys' }],
    ['no key set', { status: 200, body: '{"keys":{}}' }],
    [
      'too many keys',
      { status: 200, body: JSON.stringify({ keys: Array.from({ length: 101 }, () => ({ kty: 'OKP' })) }) },
    ],
    ['too much', { status: 200, body: `{"keys":[],"more":"${'x'.repeat(300_000)}"}` }],
    ['a redirect', { status: 302, body: '', headers: { Location: '/elsewhere' } }],
  ])('of an issuer that answers %s are asked for again only after a pause', async (_, instead) => {
    issuer.instead = instead;
    for (let at = 0; at < 3; at += 1)
      expect(await answer({ claims: { jti: `${at}` } })).toMatchObject({ ok: false, code: 'store_unavailable' });
    expect(issuer.asked).toBe(1);
    expect(lines).toHaveLength(1);
    issuer.instead = undefined;
    atMs = JWKS_RETRY_MS;
    expect(await answer()).toMatchObject({ owner: 'acme' });
  });
});

test('a token that was verified while its key was withdrawn is verified again, and refused', async () => {
  let set = [keys.EdDSA.jwk];
  jwts = createJwtAuthentication({ settings: settings(), fetchKeys: async () => ({ keys: set }), clock, logger });
  expect(await answer()).toMatchObject({ owner: 'acme' });
  set = [other.jwk];
  atMs = JWKS_FRESH_MS;
  // With the keys of before, which are fetched again meanwhile.
  const text = await token({ claims: { jti: 'stolen', exp: NOW_S + 3600 } });
  expect(await jwts.authenticate(text)).toMatchObject({ owner: 'acme' });
  await new Promise(setImmediate);
  expect(await jwts.authenticate(text)).toBeUndefined();
});

describe('keys from a file', () => {
  let folder: string;
  let file: string;
  const write = (text: string, mode = 0o644): void => {
    writeFileSync(file, text);
    chmodSync(file, mode);
  };
  beforeEach(async () => {
    folder = await temporaryFolder('jwks');
    file = path.join(folder, 'jwks.json');
    write(JSON.stringify({ keys: [keys.EdDSA.jwk] }));
    jwts = createJwtAuthentication({
      settings: settings(),
      fetchKeys: issuerKeys({ kind: 'file', path: file }),
      clock,
      logger,
    });
  });
  afterAll(removeTemporaryFolders);

  test('hold, and are read again when they are no longer fresh or one is missing', async () => {
    const first = await token({ claims: { exp: NOW_S + 3600 } });
    expect(await jwts.authenticate(first)).toMatchObject({ owner: 'acme' });
    write(JSON.stringify({ keys: [{ ...other.jwk, kid: 'next' }] }));
    atMs = JWKS_COOLDOWN_MS;
    expect(await answer({}, { ...other, kid: 'next' })).toMatchObject({ owner: 'acme' });
    expect(await jwts.authenticate(first)).toBeUndefined();
  });

  test.each<[string, RegExp, () => void]>([
    ['others can write', /others can write .*its mode is 0666, expected 0644/, () => write('{"keys":[]}', 0o666)],
    ['is too large', /is larger than 262144 bytes/, () => write(`{"keys":[],"more":"${'x'.repeat(300_000)}"}`)],
    ['is a folder', /is no plain file/, () => (rmSync(file), mkdirSync(file))],
    ['is a pipe that no one writes', /is no plain file/, () => (rmSync(file), execFileSync('mkfifo', [file]))],
    ['is not there', /ENOENT/, () => rmSync(file)],
    ['is no key set', /there is no list "keys"/, () => write('[]')],
  ])('that %s let no one in, and no one wait', async (_, told, change) => {
    change();
    expect(await answer()).toMatchObject({ ok: false, code: 'store_unavailable' });
    expect(String((lines[0] as { err: Error }).err.message)).toMatch(told);
  });
});
