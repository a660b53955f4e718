/** HEAD is answered wherever GET is: the same status and headers, no body, the same token and the same cost. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { contract } from './support/contract-check.ts';
import { EventLog } from './support/event-log.ts';
import { TestServer, type Answer, type Ask } from './support/server.ts';
import { SENDER, TX_HASH } from './support/stub-gateway.ts';

const server = new TestServer({
  explorer: { development: undefined },
  securityContact: 'mailto:security@ledger.example',
  corsOrigins: ['https://app.test'],
});
beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(() => server.gateway.reset());

/** What differs between any two answers. */
const OF_ITS_OWN = new Set(['date', 'x-request-id', 'ratelimit']);
/** Their text is another each time. */
const CHANGES = new Set(['/metrics']);

function headersOf({ headers }: Answer, path: string): object {
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => !OF_ITS_OWN.has(name) && !(CHANGES.has(path) && name === 'content-length'),
    ),
  );
}

const READ = Object.entries(contract.document.paths)
  .filter(([path, item]) => 'get' in item && !path.startsWith('/rpc/broadcast_'))
  .map(([path]) =>
    path
      .replace('{address}', SENDER)
      .replace('{txHash}', TX_HASH)
      .replaceAll(/\{[^}]+\}/g, 'unknown'),
  );
const PAGES = [
  '/',
  '/explorer/app.js',
  '/docs',
  '/docs/errors',
  '/docs/errors.md',
  '/docs/nothing',
  '/llms.txt',
  '/changelog.atom',
  '/workflows',
  '/.well-known/security.txt',
];

async function both(ask: Ask): Promise<[Answer, Answer]> {
  return [await server.ask({ ...ask, unchecked: true }), await server.ask({ ...ask, method: 'HEAD', unchecked: true })];
}

describe('HEAD', () => {
  test.each([...READ, ...PAGES].map((path) => [path]))(
    'of %s has the status and headers of GET, and no body',
    async (path) => {
      const [get, head] = await both({ path });
      expect({ status: head.status, headers: headersOf(head, path), text: head.text }).toEqual({
        status: get.status,
        headers: headersOf(get, path),
        text: '',
      });
      expect(get.status).not.toBe(405);
    },
  );

  test.each<[string, Ask]>([
    ['without a token', { path: '/transactions', token: null }],
    ['with a token that lacks the scope', { path: '/webhooks', token: 'txl_read_secret' }],
    ['with a query that does not fit', { path: '/transactions?limit=0' }],
    ['of what is not there', { path: `/transactions/${'0'.repeat(64)}` }],
    ['of a path that is not there', { path: '/nowhere' }],
    ['of a page by an allowed origin', { path: '/chain', headers: { Origin: 'https://app.test' } }],
    ['of a contract that the client has', { path: '/openapi.json', headers: { 'If-None-Match': '*' } }],
    ['of a form that is not there', { path: '/chain', headers: { Accept: 'text/html' } }],
    ['of a method of the chain that is not there', { path: '/rpc/nothing' }],
  ])('%s is answered as GET is', async (_, ask) => {
    const [get, head] = await both(ask);
    expect({ status: head.status, headers: headersOf(head, ''), text: head.text }).toEqual({
      status: get.status,
      headers: headersOf(get, ''),
      text: '',
    });
  });

  test('of a statement as CSV ends with the headers, whatever its length', async () => {
    const head = await server.ask({
      method: 'HEAD',
      path: `/accounts/${SENDER}/entries`,
      headers: { Accept: 'text/csv' },
      unchecked: true,
    });
    expect([head.status, head.headers['content-type'], head.text]).toEqual([
      200,
      'text/csv; charset=utf-8; header=present',
      '',
    ]);
  });

  test('of a stream of events begins none', async () => {
    const log = EventLog.behind(server.gateway, 0);
    const head = await server.ask({
      method: 'HEAD',
      path: '/events',
      headers: { Accept: 'text/event-stream' },
      unchecked: true,
    });
    expect([head.status, head.headers['content-type'], head.headers['x-accel-buffering'], head.text]).toEqual([
      200,
      'text/event-stream',
      'no',
      '',
    ]);
    expect(await server.registry.metrics()).toMatch(/^event_streams 0$/m);
    const wrong = await server.ask({
      method: 'HEAD',
      path: '/events?limit=5',
      headers: { Accept: 'text/event-stream' },
      unchecked: true,
    });
    expect(wrong.status).toBe(400);
    log.close();
  });

  test('costs what GET costs', async () => {
    const limited = await new TestServer({
      rateLimits: { perToken: { requests: 100, windowS: 1000 }, perClient: { requests: 100, windowS: 1000 } },
    }).start();
    try {
      const left = async (method: string): Promise<number> => {
        const { headers } = await limited.ask({
          method,
          path: '/rpc/block_search?query=%22block.height=1%22',
          token: null,
          unchecked: true,
        });
        return Number(/r=(\d+)/.exec(String(headers['ratelimit']))?.[1]);
      };
      const [first, second] = [await left('HEAD'), await left('GET')];
      expect(first).toBe(50);
      expect(second).toBeLessThan(10);
    } finally {
      await limited.stop();
    }
  });

  test.each(['/transactions/check', '/rpc'])('of %s, which has no GET, is 405', async (path) => {
    const head = await server.ask({ method: 'HEAD', path, unchecked: true });
    expect([head.status, head.headers.allow, head.text]).toEqual([405, 'POST', '']);
  });

  test.each(['async', 'sync', 'commit', 'evidence'])(
    'of a broadcast (%s) is 405 and pays nothing, with any token or none',
    async (kind) => {
      const path = kind === 'evidence' ? '/rpc/broadcast_evidence?evidence=0x00' : `/rpc/broadcast_tx_${kind}?tx=0x00`;
      const before = server.gateway.calls.filter(({ method }) => method === 'rpc').length;
      for (const token of ['txl_full_secret', null]) {
        const head = await server.ask({ method: 'HEAD', path, token, unchecked: true });
        expect([head.status, head.headers.allow, head.text]).toEqual([405, 'GET, POST', '']);
      }
      expect(server.gateway.calls.filter(({ method }) => method === 'rpc').length).toBe(before);
      expect((await server.ask({ path, unchecked: true })).status).not.toBe(405);
    },
  );

  test('is named by the Allow of what has GET', async () => {
    const allow = async (path: string): Promise<unknown> =>
      (await server.ask({ method: 'PATCH', path, unchecked: true })).headers.allow;
    expect(
      await Promise.all(
        ['/chain', '/transactions', `/transactions/${TX_HASH}`, '/docs', '/', '/rpc/health'].map(allow),
      ),
    ).toEqual(['GET, HEAD', 'GET, HEAD, POST', 'GET, HEAD, DELETE', 'GET, HEAD', 'GET, HEAD', 'GET, HEAD, POST']);
  });
});
