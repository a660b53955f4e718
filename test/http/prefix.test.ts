/**
 * Behind a proxy that serves the API below a path and takes that path off, as nginx does with `location /ledger/ { proxy_pass http://ledger/; }`:
 * the service knows nothing of the path, and every reference in its answers is right all the same. And the version on each of them.
 */
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { problemType } from '../../server/http/problem/problem.ts';
import { contract } from './support/contract-check.ts';
import { TestServer } from './support/server.ts';
import { SENDER, TOKEN, TRANSFER, TX_HASH } from './support/stub-gateway.ts';

const PREFIX = '/ledger';
const server = new TestServer();

const proxy = createServer((incoming, outgoing) => {
  if (incoming.url?.startsWith(`${PREFIX}/`) !== true) return void outgoing.writeHead(404).end();
  const onward = httpRequest(
    {
      host: '127.0.0.1',
      port: server.port,
      method: incoming.method,
      path: incoming.url.slice(PREFIX.length),
      headers: incoming.headers,
      agent: false,
    },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(outgoing);
    },
  );
  incoming.pipe(onward);
});
let origin = '';

beforeAll(async () => {
  await server.start();
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve);
  });
  origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
afterAll(async () => {
  proxy.closeAllConnections();
  await new Promise((resolve) => {
    proxy.close(resolve);
  });
  await server.stop();
});
beforeEach(() => server.gateway.reset());

const headers = { Authorization: `Bearer ${TOKEN}` };

describe('behind a path prefix', () => {
  test('Location leads to the transaction', async () => {
    const answer = await fetch(`${origin}${PREFIX}/transactions`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(TRANSFER),
    });
    expect(answer.status).toBe(202);
    const found = await fetch(new URL(answer.headers.get('location') ?? '', answer.url), { headers });
    expect([found.status, ((await found.json()) as { txHash: string }).txHash]).toEqual([200, TX_HASH]);
  });

  test.each([
    ['POST', '/transactions', 415],
    ['GET', '/transactions?limit=0', 400],
    ['GET', `/transactions/${'0'.repeat(63)}`, 400],
    ['PUT', `/accounts/${SENDER}`, 405],
    ['POST', '/rpc//broadcast_tx_sync/', 415],
    ['GET', '/a/b//c/?d=/e/f', 404],
  ])('the type of the problem of %s %s leads to its place on the page of errors', async (method, path, status) => {
    const answer = await fetch(`${origin}${PREFIX}${path}`, {
      method,
      headers: { ...headers, ...(status === 415 ? { 'Content-Type': 'text/plain' } : {}) },
      ...(method === 'POST' ? { body: 'x' } : {}),
    });
    expect(answer.status).toBe(status);
    const { type, code } = (await answer.json()) as { type: string; code: string };
    const explained = new URL(type, answer.url);
    expect(explained.href).toBe(`${origin}${PREFIX}/docs/errors#${code}`);
    expect(await (await fetch(explained)).text()).toContain(`id="${code}"`);
  });

  test('both are absolute where the operator named the public URL', async () => {
    const named = new TestServer({ publicUrl: 'https://ledger.example/api/' });
    await named.start();
    try {
      const accepted = await named.ask({ method: 'POST', path: '/transactions', body: TRANSFER });
      expect(accepted.headers.location).toBe(`https://ledger.example/api/transactions/${TX_HASH}`);
      expect((await named.ask({ path: '/transactions?limit=0' })).body.type).toBe(
        'https://ledger.example/api/docs/errors#invalid_request',
      );
    } finally {
      await named.stop();
    }
  });

  test('a request that could not be read has no URL that its problem could be relative to', () => {
    expect(problemType('request_timeout')).toBe('/docs/errors#request_timeout');
  });
});

describe('Contract-Version', () => {
  const { version } = contract.document.info;
  const paths = [
    '/',
    '/docs',
    '/docs/errors',
    '/chain',
    '/livez',
    '/readyz',
    '/metrics',
    '/openapi.json',
    '/openapi.yaml',
    '/rpc/health',
    '/nowhere',
    '/transactions',
    `/transactions/${TX_HASH}`,
  ];

  test.each(paths.flatMap((path) => ['GET', 'PUT', 'OPTIONS'].map((method) => [method, path] as const)))(
    'is on the answer to %s %s',
    async (method, path) => {
      const answer = await server.ask({ method, path, unchecked: true });
      expect({ status: answer.status, version: answer.headers['contract-version'] }).toEqual({
        status: answer.status,
        version,
      });
    },
  );

  test('is on the answer to bytes that are no request', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(server.port, '127.0.0.1', () => socket.end('NOT HTTP\r\n\r\n'));
      let text = '';
      socket.on('data', (bytes) => (text += bytes.toString()));
      socket.on('end', () => resolve(text));
      socket.on('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain(`\r\nContract-Version: ${version}\r\n`);
  });

  test('is declared, as required, for every answer of every operation', () => {
    for (const [path, item] of Object.entries(contract.document.paths)) {
      for (const operation of Object.values(item) as {
        responses?: Record<string, { $ref?: string; headers?: object }>;
      }[]) {
        for (const [status, response] of Object.entries(operation.responses ?? {})) {
          const declared =
            response.$ref === undefined
              ? response
              : (contract.document.components['responses']?.[response.$ref.split('/').at(-1) ?? ''] as {
                  headers?: object;
                });
          expect({ path, status, headers: Object.keys(declared.headers ?? {}) }).toEqual({
            path,
            status,
            headers: expect.arrayContaining(['Contract-Version']),
          });
        }
      }
    }
  });
});
