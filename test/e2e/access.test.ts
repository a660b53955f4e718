/** One server with an issuer of JWTs beside it: tokens and bindings managed by the API, JWTs wherever a token is taken. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import {
  AUDIENCE,
  type IssuedKey,
  Issuer,
  ISSUER,
  makeKey,
  signed,
  type TokenParts,
} from '../gateway/support/issuer.ts';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import { chainOf } from './support/chain.ts';
import { call, freePort, READY_MS_MAX, Server, txledger } from './support/server.ts';

/** Promised after the end of a token, for what lives on. */
const END_MS_MAX = 5000;

let issuer: Issuer;
let key: IssuedKey;
let server: Server;
let manager: string;
const jwt = (claims: TokenParts['claims'] = {}): Promise<string> =>
  signed(key, Math.floor(Date.now() / 1000), { claims: { jti: crypto.randomUUID(), ...claims } });
const at = (path: string): string => `${server.baseUrl}${path}`;
const json = (method: string, body: object): RequestInit => ({
  method,
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});

beforeAll(async () => {
  [issuer, key] = [await Issuer.start(), await makeKey('EdDSA', 'first')];
  issuer.keys = [key.jwk];
  server = new Server({
    dataDir: await temporaryFolder('access'),
    port: await freePort(),
    variables: {
      BLOCK_INTERVAL_MS: '50',
      HTTP_THREADS: '2',
      RPC_ACCESS: 'token',
      TXLEDGER_RATE_PER_TOKEN_PER_S: '1000',
      TXLEDGER_JWT_ISSUER: ISSUER,
      TXLEDGER_JWT_AUDIENCE: AUDIENCE,
      TXLEDGER_JWT_JWKS_URL: issuer.url,
    },
  });
  await server.start();
  const scopes = ['access:manage', 'transactions:read', 'transactions:write'].flatMap((scope) => ['--scope', scope]);
  manager = (await txledger(['token', 'create', '--owner', 'portal', ...scopes], server.storeVariables)).stdout.trim();
}, READY_MS_MAX);
afterAll(async () => {
  await server.stop('SIGKILL');
  await issuer.stop();
  await removeTemporaryFolders();
});

describe('the API of tokens', () => {
  test('is closed to the development token, which the explorer has', async () => {
    const { token } = await server.development();
    expect(await call(at('/access/tokens'), { token })).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope' },
    });
  });

  test('makes a token with limits, shows them in its answers, replaces it and ends it', async () => {
    const made = await call(at('/access/tokens'), {
      token: manager,
      ...json('POST', { owner: 'acme', scopes: ['transactions:read'], limits: { ratePerSecond: 10 } }),
    });
    expect(made).toMatchObject({
      status: 201,
      body: { owner: 'acme', scopes: ['transactions:read'], limits: { ratePerSecond: 10 } },
    });
    const { tokenId, token } = made.body;
    expect(new URL(made.headers.get('location') ?? '', at('/access/tokens')).href).toBe(
      at(`/access/tokens/${tokenId}`),
    );
    const used = await call(at('/transactions'), { token });
    expect([used.status, used.headers.get('ratelimit-policy')]).toEqual([200, '"token";q=20;w=2, "client";q=4000;w=2']);
    // A window of 20 units, of which one is used.
    const burst = await Promise.all(Array.from({ length: 40 }, () => call(at('/transactions'), { token })));
    expect(burst.some(({ status }) => status === 429)).toBe(true);
    expect(
      await call(at(`/access/tokens/${tokenId}`), { token: manager, ...json('PATCH', { limits: {} }) }),
    ).toMatchObject({ status: 200, body: { tokenId } });

    const rotated = await call(at(`/access/tokens/${tokenId}/rotate`), {
      token: manager,
      ...json('POST', { overlapSeconds: 0 }),
    });
    expect(rotated).toMatchObject({ status: 201, body: { made: { owner: 'acme' }, replaced: { tokenId } } });
    const next = rotated.body.made;
    expect(new URL(rotated.headers.get('location') ?? '', at(`/access/tokens/${tokenId}/rotate`)).href).toBe(
      at(`/access/tokens/${next.tokenId}`),
    );
    expect((await call(at('/transactions'), { token: next.token })).headers.get('ratelimit-policy')).toContain(
      '"token";q=2000;w=2',
    );
    expect((await call(at(`/access/tokens/${next.tokenId}`), { token: manager, method: 'DELETE' })).status).toBe(204);
    const endMs = performance.now() + END_MS_MAX;
    let status = 200;
    while (status !== 401 && performance.now() < endMs)
      ({ status } = await call(at('/transactions'), { token: next.token }));
    expect(status).toBe(401);
  });

  test('gives nothing that its token lacks, and is on record beside the command line', async () => {
    const refused = await call(at('/access/tokens'), {
      token: manager,
      ...json('POST', { owner: 'acme', scopes: ['transactions:cancel-any'] }),
    });
    expect(refused).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    expect(refused.headers.get('www-authenticate')).toContain('scope="transactions:cancel-any"');
    const { accounts } = await server.development();
    const address = accounts[9]!.address;
    expect(
      await call(at(`/access/addresses/${address}`), { token: manager, ...json('PUT', { owner: 'acme' }) }),
    ).toMatchObject({ status: 200, body: { address, owner: 'acme' } });
    expect(await call(at('/access/addresses?owner=acme'), { token: manager })).toMatchObject({
      status: 200,
      body: { addresses: [{ address }] },
    });
    expect((await call(at(`/access/addresses/${address}`), { token: manager, method: 'DELETE' })).status).toBe(204);
    const { entries } = JSON.parse(
      (await txledger(['audit', 'list', '--limit', '100', '--json'], server.storeVariables)).stdout,
    );
    const actor = `token:${manager.split('_')[1]}`;
    const actions = entries
      .filter((entry: { actor: string }) => entry.actor === actor)
      .map(({ action }: { action: string }) => action);
    expect(actions.toSorted()).toEqual([
      'address.bind',
      'address.unbind',
      'token.create',
      'token.revoke',
      'token.rotate',
      'token.update',
    ]);
  });
});

describe('a JWT of the issuer', () => {
  test('submits, reads, and is named in the trail and in the log without being there', async () => {
    const token = await jwt();
    const chain = chainOf(server, await server.development());
    const sent = await call(at('/transactions'), { token, ...json('POST', chain.signed(0, 1, 1n, 0)) });
    expect(sent.status).toBe(202);
    expect(sent.headers.get('ratelimit-policy')).toContain('"token";q=2000;w=2');
    expect((await call(at('/transactions?limit=1'), { token })).body.transactions).toHaveLength(1);
    const submission = JSON.parse(
      (await txledger(['audit', 'submission', sent.body.txHash, '--json'], server.storeVariables)).stdout,
    );
    expect(submission).toMatchObject({ owner: 'acme', tokenId: expect.stringMatching(/^jwt:[0-9a-f]{16}$/) });
    expect(server.output).toContain(submission.tokenId);
    expect(server.output).not.toContain(token.split('.')[2]);
  });

  test('is refused as any other token is', async () => {
    for (const token of [
      await jwt({ iss: 'https://evil.example/' }),
      await jwt({ scope: 'access:manage' }).then((text) => `${text.slice(0, -4)}AAAA`),
      `eyJ${'A'.repeat(6000)}`,
    ]) {
      const refused = await call(at('/transactions'), { token });
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
        401,
        'Bearer realm="txledger", error="invalid_token"',
      ]);
    }
    expect(
      await call(at('/access/tokens'), { token: await jwt({ scope: 'access:manage transactions:read' }) }),
    ).toMatchObject({ status: 403 });
  });

  test('serves the RPC as Bearer and as the password of Basic', async () => {
    const token = await jwt({ scope: 'transactions:read rpc:broadcast' });
    expect((await call(at('/rpc/status'))).status).toBe(401);
    expect((await call(at('/rpc/status'), { token })).status).toBe(200);
    expect(
      (
        await call(at('/rpc/status'), {
          headers: { authorization: `Basic ${Buffer.from(`:${token}`).toString('base64')}` },
        })
      ).status,
    ).toBe(200);
  });

  test('manages webhooks of its owner', async () => {
    const token = await jwt({ scope: 'webhooks:manage transactions:read' });
    const post = json('POST', { url: 'https://shop.example/hook' });
    expect((await call(at('/webhooks'), { token, ...post })).status).toBe(201);
    expect((await call(at('/webhooks'), { token: await jwt({ scope: 'webhooks:manage' }), ...post })).status).toBe(403);
    expect(
      await call(at('/webhooks'), { token: await jwt({ scope: 'webhooks:manage', sub: 'globex' }) }),
    ).toMatchObject({ status: 200, body: { webhooks: [] } });
  });

  test('ends its event stream and its websocket when it ends', async () => {
    const exp = Math.floor(Date.now() / 1000) + 3;
    const token = await jwt({ exp });
    const authorization = `Bearer ${token}`;
    const stream = await fetch(at('/events'), { headers: { accept: 'text/event-stream', authorization } });
    expect(stream.status).toBe(200);
    const socket = new WebSocket(at('/rpc/websocket').replace('http', 'ws'), { headers: { authorization } });
    await once(socket, 'open');
    const [[code]] = await Promise.all([once(socket, 'close'), stream.text()]);
    expect(code).toBe(1008);
    expect(Date.now()).toBeGreaterThanOrEqual(exp * 1000);
    expect(Date.now()).toBeLessThan(exp * 1000 + END_MS_MAX);
    expect((await call(at('/transactions'), { token })).status).toBe(401);
  });
});
