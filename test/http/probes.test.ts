/** Probes: asked by address, by supervisors that know no name, and what they say of the build and of an end that is near. */
import { connect } from 'node:net';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { TestServer } from './support/server.ts';

const COMMIT = '3830eec6a1f2';
const server = new TestServer({ build: { version: '1.2.3', commit: COMMIT }, corsOrigins: ['https://app.test'] });
beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(() => server.gateway.reset());

const PROBES = ['/livez', '/readyz', '/metrics'];

function status(request: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () => socket.end(request));
    let text = '';
    socket.on('data', (bytes) => (text += bytes.toString()));
    socket.on('end', () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1])));
    socket.on('error', reject);
  });
}

describe('the probes', () => {
  test.each(PROBES)('%s answers under any host, with a query and as HEAD too', async (path) => {
    for (const Host of ['10.1.2.3:8080', 'evil.example', '[fd00::1]', 'not a host']) {
      expect((await server.ask({ path, headers: { Host }, token: null })).status).toBe(200);
    }
    expect((await server.ask({ path, method: 'HEAD', headers: { Host: '10.1.2.3' }, token: null })).status).toBe(200);
    expect(
      (await server.ask({ path: `${path}?verbose=1`, headers: { Host: '10.1.2.3' }, token: null, unchecked: true }))
        .status,
    ).toBe(400);
  });

  test.each(PROBES)('%s answers HTTP/1.0 without a host, and no HTTP/1.1', async (path) => {
    expect(await status(`GET ${path} HTTP/1.0\r\n\r\n`)).toBe(200);
    expect(await status(`GET ${path} HTTP/1.1\r\n\r\n`)).toBe(400);
  });

  test('are the only paths that do', async () => {
    for (const path of [
      '/',
      '/chain',
      '/docs',
      '/livez/',
      '/livezz',
      '/LIVEZ',
      '/metrics/',
      '/openapi.json',
      '/.well-known/api-catalog',
      '/rpc/health',
      '/rpc/../livez',
    ]) {
      expect([
        path,
        (await server.ask({ path, headers: { Host: '10.1.2.3' }, token: null, unchecked: true })).status,
      ]).toEqual([path, 421]);
      expect([path, await status(`GET ${path} HTTP/1.0\r\n\r\n`)]).toEqual([path, 400]);
    }
  });

  test('are not for pages of another origin, whatever the host', async () => {
    const ask = (Origin: string) =>
      server.ask({ path: '/metrics', headers: { Host: 'evil.example', Origin }, token: null });
    expect((await ask('http://evil.example')).status).toBe(403);
    expect((await ask('https://app.test')).status).toBe(200);
  });

  test('tell the build: /livez version and commit, /chain the version', async () => {
    expect((await server.ask({ path: '/livez' })).body).toEqual({ status: 'ok', version: '1.2.3', commit: COMMIT });
    expect((await server.ask({ path: '/chain' })).body).toMatchObject({
      version: '1.2.3',
      idleBlockIntervalMs: 60_000,
    });
  });
});

describe('a service that is about to stop', () => {
  test('answers 503 at /readyz, also when it was ready a moment ago, and serves everything else', async () => {
    const ending = await new TestServer().start();
    try {
      expect((await ending.ask({ path: '/readyz' })).status).toBe(200);
      ending.announceEnd();
      const { status: after, body } = await ending.ask({ path: '/readyz' });
      expect([after, body.code, body.checks.find(({ name }: { name: string }) => name === 'accepting')]).toEqual([
        503,
        'shutting_down',
        { name: 'accepting', ok: false, detail: 'the service is about to stop, and serves what comes until then' },
      ]);
      expect((await ending.ask({ path: '/livez' })).status).toBe(200);
      const chain = await ending.ask({ path: '/chain' });
      expect([chain.status, chain.headers.connection]).toEqual([200, 'close']);
      expect((await ending.ask({ path: '/transactions' })).status).toBe(200);
    } finally {
      await ending.stop();
    }
  });
});
