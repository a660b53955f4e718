/**
 * Behind a proxy that serves the API below the path of PUBLIC_URL, whether it takes the path off or leaves it: references, pages, the contract
 * and the explorer's files lead nowhere but below that path.
 */
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { TestServer } from './support/server.ts';
import { TOKEN, TRANSFER, TX_HASH } from './support/stub-gateway.ts';

const PREFIX = '/ledger';
const headers = { Authorization: `Bearer ${TOKEN}` };

describe.each([
  ['takes the path off', true],
  ['leaves the path', false],
])('behind a proxy that %s', (_, isStripped) => {
  let server: TestServer;
  let origin = '';
  /** Requests that left the prefix: another service has them. */
  const outside: string[] = [];
  const proxy = createServer((incoming, outgoing) => {
    const { url = '' } = incoming;
    if (!url.startsWith(PREFIX)) {
      outside.push(url);
      return void outgoing.writeHead(404).end();
    }
    const path = isStripped ? url.slice(PREFIX.length) || '/' : url;
    const onward = httpRequest(
      { host: '127.0.0.1', port: server.port, method: incoming.method, path, headers: incoming.headers, agent: false },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.pipe(outgoing);
      },
    );
    incoming.pipe(onward);
  });
  const base = (): string => `${origin}${PREFIX}/`;

  beforeAll(async () => {
    await new Promise<void>((resolve) => {
      proxy.listen(0, '127.0.0.1', resolve);
    });
    origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    server = await new TestServer({
      publicUrl: base(),
      explorer: { development: undefined },
      securityContact: 'mailto:security@ledger.example',
    }).start();
  });
  afterAll(async () => {
    proxy.closeAllConnections();
    await new Promise((resolve) => {
      proxy.close(resolve);
    });
    await server.stop();
  });
  beforeEach(() => server.gateway.reset());

  test('Location and the types of problems are below the path, and lead to what they name', async () => {
    const answer = await fetch(`${base()}transactions`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(TRANSFER),
    });
    expect(answer.headers.get('location')).toBe(`${base()}transactions/${TX_HASH}`);
    expect((await fetch(answer.headers.get('location') ?? '', { headers })).status).toBe(200);
    const { type } = (await (await fetch(`${base()}transactions?limit=0`, { headers })).json()) as { type: string };
    expect(type).toBe(`${base()}docs/errors#invalid_request`);
    expect((await fetch(type)).status).toBe(200);
  });

  test.each(['openapi.json', 'openapi.client.json'])(
    'servers of /%s begins with the public URL, and so does what a tool calls',
    async (name) => {
      const { servers, paths } = (await (await fetch(`${base()}${name}`)).json()) as {
        servers: { url: string }[];
        paths: object;
      };
      expect(servers[0]?.url).toBe(`${origin}${PREFIX}`);
      expect(Object.keys(paths)).toContain('/chain');
      expect((await fetch(`${servers[0]?.url}/chain`)).status).toBe(200);
    },
  );

  test('so does that of /openapi.yaml', async () => {
    expect(await (await fetch(`${base()}openapi.yaml`)).text()).toContain(`\nservers:\n  - url: ${origin}${PREFIX}\n`);
  });

  test('the catalogue and security.txt name their places below the path', async () => {
    const catalog = await fetch(`${base()}.well-known/api-catalog`);
    expect(catalog.headers.get('link')).toContain(`<${base()}.well-known/api-catalog>`);
    const hrefs = [...(await catalog.text()).matchAll(/"href": "([^"]+)"/g)].map(([, href = '']) => href);
    for (const href of hrefs)
      expect([href, (await fetch(href)).status]).toEqual([expect.stringContaining(base()), 200]);
  });

  test('every link of the explorer, of the pages of /docs and of /llms.txt stays below the path and is answered', async () => {
    const seen = new Set<string>();
    const wanted = [base(), `${base()}docs`, `${base()}llms.txt`];
    const isPage = (url: string): boolean =>
      [
        base(),
        `${base()}docs`,
        `${base()}docs/signing`,
        `${base()}docs/transactions`,
        `${base()}docs/vectors`,
        `${base()}llms.txt`,
      ].includes(url);
    for (let url = wanted.shift(); url !== undefined; url = wanted.shift()) {
      if (seen.has(url)) continue;
      seen.add(url);
      const answer = await fetch(url, { method: isPage(url) ? 'GET' : 'HEAD' });
      expect([url, answer.status]).toEqual([url, 200]);
      if (!isPage(url)) continue;
      const text = await answer.text();
      const found = [...text.matchAll(/(?:href|src)="([^"]+)"|\]\(([^)\s]+)\)/g)].map(
        ([, attribute, markdown]) => attribute ?? markdown ?? '',
      );
      for (const reference of found.filter((each) => !/^(?:https?|mailto|data):/.test(each))) {
        const target = new URL(reference.replaceAll('&amp;', '&'), url);
        expect(target.href.startsWith(base())).toBe(true);
        wanted.push(target.href.split('#')[0] ?? '');
      }
    }
    expect(seen.size).toBeGreaterThan(30);
  });

  test('what the script of the explorer asks for is relative, so it stays below the path too', async () => {
    const script = await (await fetch(`${base()}explorer/app.js`)).text();
    expect([...script.matchAll(/fetch\(\s*["'`](\/[^"'`]*)/g)].map(([, path]) => path)).toEqual([]);
  });

  test('the path without its last slash leads to the one with it', async () => {
    const answer = await fetch(`${origin}${PREFIX}`, { redirect: 'manual' });
    // A proxy that takes the path off asks for `/`, and has to lead there itself.
    if (isStripped) expect(answer.status).toBe(200);
    else
      expect([answer.status, answer.headers.get('location'), answer.headers.get('contract-version')]).toEqual([
        308,
        `${PREFIX}/`,
        expect.any(String),
      ]);
  });

  test('nothing has left the path', () => expect(outside).toEqual([]));

  test('the root answers as well, and a path that only begins like the prefix does not', async () => {
    expect((await server.ask({ path: '/chain' })).status).toBe(200);
    expect((await server.ask({ path: '/ledgers/chain', unchecked: true })).status).toBe(404);
    expect((await server.ask({ path: '/ledger/ledger/chain', unchecked: true })).status).toBe(404);
  });
});

describe('of a path that is written to mislead a proxy', () => {
  const server = new TestServer({ publicUrl: 'https://example.org/ledger/' });
  beforeAll(() => server.start());
  afterAll(() => server.stop());
  /** As it is written: a URL of the standard library would tidy it up. */
  const ask = (
    path: string,
    more: Record<string, string> = {},
  ): Promise<[status: number | undefined, location: string | undefined]> =>
    new Promise((resolve, reject) => {
      httpRequest(
        { host: '127.0.0.1', port: server.port, path, headers: { ...headers, ...more }, agent: false },
        (answer) => {
          answer.resume();
          resolve([answer.statusCode, answer.headers.location]);
        },
      )
        .on('error', reject)
        .end();
    });

  test.each([
    '/ledger/ledger/chain',
    '/ledger//chain',
    '/ledger/%2e%2e/chain',
    '/%6cedger/chain',
    '/ledger%2fchain',
    '/LEDGER/chain',
    '//ledger/chain',
    '/ledger/../chain',
    '/ledger;x/chain',
  ])('%s is no other spelling of /chain, with an upgrade neither', async (path) => {
    expect(await ask('/ledger/chain')).toEqual([200, undefined]);
    expect(await ask(path)).toEqual([404, undefined]);
    expect(await ask(path, { Connection: 'Upgrade', Upgrade: 'h2c' })).toEqual([404, undefined]);
  });

  test.each([['/ledger'], ['/ledger?next=//evil.example'], ['/ledger?\\evil.example']])(
    '%s leads to the base path and nowhere else, whatever the Host',
    async (path) => {
      for (const host of ['127.0.0.1', 'evil.example'])
        expect(await ask(path, { Host: host, 'X-Forwarded-Host': 'evil.example' })).toEqual([308, '/ledger/']);
    },
  );

  test('a Host that is not allowed gets no reference to itself', async () => {
    expect(await ask('/ledger/chain', { Host: 'evil.example' })).toEqual([421, undefined]);
    expect(await ask('//evil.example/..')).toEqual([404, undefined]);
  });
});
