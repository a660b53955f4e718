/** Who may ask: tokens and scopes, rate limits, hosts and origins. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { readOperations } from '../../server/http/contract/operations.ts';
import { clientKey } from '../../server/http/rate-limit.ts';
import { contract } from './support/contract-check.ts';
import { TestServer } from './support/server.ts';
import { SENDER, TOKENS, TRANSFER, TX_HASH } from './support/stub-gateway.ts';
import { TOKEN_ID } from './support/access-answers.ts';
import { WEBHOOK_ID } from './support/webhook-answers.ts';

const server = new TestServer({
  corsOrigins: ['https://app.example.org'],
  allowedHosts: ['127.0.0.1', 'ledger.test:8443', '[::1]'],
});
beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(() => server.gateway.reset());

const write = { method: 'POST', path: '/transactions', body: TRANSFER };
const operations = readOperations(contract.document);
/** Those that are not a transfer. */
const BODIES: Record<string, object> = {
  submitCancel: { signature: TRANSFER.signature },
  submitTransactionBatch: { transactions: [TRANSFER] },
  createWebhook: { url: 'https://shop.example/' },
  updateWebhook: {},
  rotateWebhookSecret: {},
  replayWebhook: { after: '1' },
  createToken: { owner: 'acme', scopes: ['transactions:read'] },
  updateToken: {},
  rotateToken: {},
  bindAddress: { owner: 'acme' },
};
const pathOf = (path: string): string =>
  path
    .replace('{webhookId}', WEBHOOK_ID)
    .replace('{tokenId}', TOKEN_ID)
    .replace('{txHash}', TX_HASH)
    .replace('{address}', SENDER)
    .replace(/accounts$/, `accounts?address=${SENDER}`);

describe('tokens', () => {
  test('the scheme is read without regard to case, as RFC 9110 says', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const answer = await server.ask({
        ...write,
        token: null,
        headers: { Authorization: `${scheme} txl_full_secret` },
      });
      expect(answer.status).toBe(202);
    }
  });

  test('a 401 names the scheme, and says invalid_token only when a token was sent', async () => {
    expect((await server.ask({ ...write, token: null })).headers['www-authenticate']).toBe('Bearer realm="txledger"');
    expect((await server.ask({ ...write, token: 'txl_unknown' })).headers['www-authenticate']).toBe(
      'Bearer realm="txledger", error="invalid_token"',
    );
  });

  test('a 403 names the scope that is missing', async () => {
    const answer = await server.ask({ ...write, token: 'txl_read_secret' });
    expect(answer.headers['www-authenticate']).toBe(
      'Bearer realm="txledger", error="insufficient_scope", scope="transactions:write"',
    );
    expect(answer.body.code).toBe('insufficient_scope');
  });

  test('a token that cannot be one is refused without asking the gateway', async () => {
    let asked = 0;
    server.gateway.onAuthenticate = async (token) => {
      asked += 1;
      return TOKENS[token];
    };
    for (const token of ['', 'a b', 'a,b', 'x'.repeat(5000)])
      expect((await server.ask({ ...write, token })).status).toBe(401);
    expect(asked).toBe(0);
  });

  test('every operation demands exactly the scopes that the contract names, and no more', async () => {
    for (const { method, path, scopes, id, body } of operations.filter(
      (operation) => !operation.path.startsWith('/rpc'),
    )) {
      const ask = { method, path: pathOf(path), ...(body ? { body: BODIES[id] ?? TRANSFER } : {}) };
      const without = await server.ask({ ...ask, token: null });
      expect({ id, status: without.status }).toEqual({ id, status: scopes === undefined ? 200 : 401 });
      if (scopes === undefined) continue;
      server.gateway.onAuthenticate = async () => ({
        tokenId: 't',
        owner: 'o',
        scopes: [
          'transactions:read',
          'transactions:write',
          'transactions:cancel-any',
          'rpc:broadcast',
          'webhooks:manage',
          'access:manage',
        ].filter((scope) => !scopes.includes(scope as never)) as never,
      });
      expect({ id, status: (await server.ask(ask)).status }).toEqual({ id, status: 403 });
      server.gateway.onAuthenticate = async () => ({ tokenId: 't', owner: 'o', scopes });
      expect((await server.ask(ask)).status).toBeLessThan(300);
      server.gateway.reset();
    }
    expect(
      operations
        .filter((operation) => operation.scopes !== undefined)
        .map((operation) => operation.id)
        .toSorted(),
    ).toEqual([
      'bindAddress',
      'cancelTransaction',
      'checkTransaction',
      'createToken',
      'createWebhook',
      'deleteWebhook',
      'getAccount',
      'getReceipt',
      'getRpcBroadcastEvidence',
      'getRpcBroadcastTxAsync',
      'getRpcBroadcastTxCommit',
      'getRpcBroadcastTxSync',
      'getToken',
      'getTransaction',
      'getWebhook',
      'listAccounts',
      'listBoundAddresses',
      'listEntries',
      'listEvents',
      'listTokens',
      'listTransactions',
      'listWebhookDeliveries',
      'listWebhooks',
      'postRpcBroadcastEvidence',
      'postRpcBroadcastTxAsync',
      'postRpcBroadcastTxCommit',
      'postRpcBroadcastTxSync',
      'replayWebhook',
      'revokeToken',
      'rotateToken',
      'rotateWebhookSecret',
      'submitCancel',
      'submitTransaction',
      'submitTransactionBatch',
      'testWebhook',
      'unbindAddress',
      'updateToken',
      'updateWebhook',
    ]);
  });

  test.each([
    ['createWebhook', { method: 'POST', path: '/webhooks', body: { url: 'https://shop.example/hook' } }],
    ['updateWebhook', { method: 'PATCH', path: `/webhooks/${WEBHOOK_ID}`, body: { enabled: true } }],
    ['replayWebhook', { method: 'POST', path: `/webhooks/${WEBHOOK_ID}/replay`, body: { after: '1' } }],
  ])('%s shows payments, so a token for webhooks alone is refused', async (id, ask) => {
    for (const [has, lacks] of [
      ['webhooks:manage', 'transactions:read'],
      ['transactions:read', 'webhooks:manage'],
    ] as const) {
      server.gateway.onAuthenticate = async () => ({ tokenId: 't', owner: 'o', scopes: [has] });
      const answer = await server.ask(ask);
      expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
      expect(answer.body.detail).toBe(
        `The token lacks the scope ${lacks}, which ${id} needs. Use a token that has it.`,
      );
      expect(answer.headers['www-authenticate']).toContain('scope="webhooks:manage transactions:read"');
    }
    server.gateway.reset();
  });

  test('the token is judged before anything of the body is', async () => {
    const garbage = { method: 'POST', path: '/transactions', body: '{{{', headers: { 'Content-Type': 'text/plain' } };
    expect((await server.ask({ ...garbage, token: null })).status).toBe(401);
    expect((await server.ask({ ...garbage, token: 'txl_read_secret' })).status).toBe(403);
    expect((await server.ask(garbage)).status).toBe(415);
  });
});

describe('hosts and origins', () => {
  test.each(['127.0.0.1', '127.0.0.1:8080', 'LEDGER.test:8443', '[::1]', '[::1]:9'])(
    'Host %s is answered',
    async (host) => {
      expect((await server.ask({ headers: { Host: host } })).status).toBe(200);
    },
  );
  test.each(['ledger.test', 'ledger.test:8444', '::1', '[::1]x', '127.0.0.1:', '127.0.0.1:99999999'])(
    'Host %s is not',
    async (host) => {
      expect((await server.ask({ headers: { Host: host } })).status).toBe(421);
    },
  );

  test('the host is judged before the path, and pages are no exception', async () => {
    for (const path of ['/', '/docs', '/nowhere', '/chain']) {
      const answer = await server.ask({ path, headers: { Host: 'evil.example' }, operation: 'GET /livez' });
      expect(answer.status).toBe(421);
    }
  });

  test('an Origin of the service itself is let in, whatever ends TLS in front of it, and gets no CORS headers', async () => {
    for (const [origin, host] of [
      ['http://127.0.0.1:8080', '127.0.0.1:8080'],
      ['https://ledger.test:8443', 'ledger.test:8443'],
      ['https://127.0.0.1', '127.0.0.1:443'],
    ] as const) {
      const answer = await server.ask({ headers: { Host: host, Origin: origin } });
      expect(answer.status).toBe(200);
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    }
  });

  test('an Origin in CORS_ORIGINS may call and read, also errors', async () => {
    for (const path of ['/chain', '/nowhere']) {
      const answer = await server.ask({ path, headers: { Origin: 'https://app.example.org' } });
      expect(answer.headers['access-control-allow-origin']).toBe('https://app.example.org');
      expect(answer.headers.vary).toBe('Origin');
      expect(answer.headers['access-control-expose-headers']).toContain('X-Request-Id');
    }
  });

  test('its preflight is answered with the methods of the path; anybody else gets 405', async () => {
    const preflight = { method: 'OPTIONS', path: '/transactions', token: null };
    const headers = { Origin: 'https://app.example.org', 'Access-Control-Request-Method': 'POST' };
    const answer = await server.ask({ ...preflight, headers });
    expect(answer.status).toBe(204);
    expect(answer.headers['access-control-allow-methods']).toBe('GET, HEAD, POST');
    expect(answer.headers['access-control-allow-headers']).toContain('Authorization');
    expect(answer.headers).not.toHaveProperty('content-length');
    expect(
      (
        await server.ask({
          ...preflight,
          headers: { Origin: 'http://127.0.0.1', Host: '127.0.0.1:80', 'Access-Control-Request-Method': 'POST' },
        })
      ).status,
    ).toBe(405);
    expect((await server.ask(preflight)).status).toBe(405);
  });

  test('an option that is no origin stops the start', () => {
    expect(() => new TestServer({ corsOrigins: ['app.example.org'] })).toThrow(/Not an origin/);
    expect(() => new TestServer({ trustedProxies: ['nonsense'] })).toThrow(/nonsense/);
  });
});

describe('rate limits', () => {
  const limited = new TestServer({
    validateResponses: false,
    trustedProxies: ['127.0.0.1'],
    rateLimits: { perToken: { requests: 3, windowS: 600 }, perClient: { requests: 5, windowS: 900 } },
  });
  beforeAll(() => limited.start());
  afterAll(() => limited.stop());
  const from = (address: string, token: string | null = 'txl_full_secret') =>
    limited.ask({ path: token === null ? '/chain' : '/transactions', token, headers: { 'X-Forwarded-For': address } });

  test('each answer tells quota and rest, and the one past the quota says when to come back', async () => {
    const first = await from('10.0.0.1');
    expect(first.headers['ratelimit-policy']).toBe('"token";q=3;w=600, "client";q=5;w=900');
    expect(first.headers.ratelimit).toMatch(/^"token";r=2;t=200, "client";r=4;t=180$/);
    await from('10.0.0.1');
    expect((await from('10.0.0.1')).status).toBe(200);
    const refused = await from('10.0.0.1');
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited', retriable: true } });
    // One unit comes back every 200 s.
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(190);
    expect(refused.headers.ratelimit).toMatch(/^"token";r=0;/);
  });

  test('another token of the same client goes on until the client has used its own quota', async () => {
    expect((await from('10.0.0.1', 'txl_read_secret')).status).toBe(200);
    expect((await from('10.0.0.1', 'txl_read_secret')).status).toBe(429);
    expect((await from('10.0.0.2', 'txl_read_secret')).status).toBe(200);
  });

  test('public operations count by client; probes are never limited', async () => {
    for (let count = 0; count < 5; count += 1) expect((await from('10.0.0.3', null)).status).toBe(200);
    const refused = await from('10.0.0.3', null);
    expect(refused.status).toBe(429);
    expect(refused.headers['ratelimit-policy']).toBe('"client";q=5;w=900');
    for (const path of ['/livez', '/readyz'])
      expect((await limited.ask({ path, token: null, headers: { 'X-Forwarded-For': '10.0.0.3' } })).status).toBe(200);
  });

  test('a token that does not hold costs the address that sent it more than one that does, and is then not even looked up', async () => {
    let asked = 0;
    limited.gateway.onAuthenticate = async () => {
      asked += 1;
      return undefined;
    };
    const statuses: number[] = [];
    for (let count = 0; count < 4; count += 1) statuses.push((await from('10.0.0.4', 'txl_unknown')).status);
    expect({ statuses, asked }).toEqual({ statuses: [401, 429, 429, 429], asked: 1 });
    limited.gateway.reset();
  });

  test('X-Forwarded-For counts for nothing unless the peer is a trusted proxy', async () => {
    const direct = new TestServer({
      validateResponses: false,
      rateLimits: { perToken: { requests: 100, windowS: 600 }, perClient: { requests: 2, windowS: 600 } },
    });
    await direct.start();
    const statuses: number[] = [];
    for (const address of ['10.0.0.1', '10.0.0.2', '10.0.0.3'])
      statuses.push((await direct.ask({ headers: { 'X-Forwarded-For': address } })).status);
    expect(statuses).toEqual([200, 200, 429]);
    await direct.stop();
  });

  test('IPv6 clients count by their /64, IPv4 ones alike in either notation', () => {
    expect(clientKey('2001:db8:1:2:3:4:5:6')).toBe(clientKey('2001:DB8:1:2::'));
    expect(clientKey('2001:db8:1:2::')).not.toBe(clientKey('2001:db8:1:3::'));
    expect(clientKey('::ffff:10.0.0.1')).toBe('10.0.0.1');
    expect(clientKey('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
    expect(clientKey('::1')).toBe('0:0:0:0::/64');
    fc.assert(
      fc.property(fc.ipV6(), fc.ipV6(), (a, b) => {
        const network = (address: string): string => new URL(`http://[${address}]`).hostname;
        if (network(a) === network(b)) expect(clientKey(a)).toBe(clientKey(b));
      }),
    );
  });
});
