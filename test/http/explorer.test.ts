/** The explorer as HTTP serves it: files, caches, policy, and who learns what a development server knows. How it looks and works: test/browser. */
import { readdirSync, readFileSync } from 'node:fs';
import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import { gunzipSync, gzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { mayLearnDevelopment } from '../../server/http/explorer/development.ts';
import { requestLogMemory } from '../../server/http/explorer/request-log.ts';
import { TestServer } from './support/server.ts';

const GENERATED = new URL('../../generated/explorer/', import.meta.url);
/** Everything that a reader's browser loads, as it travels. */
const GZIP_BYTES_MAX = 60_000;
const KNOWN = {
  token: 'txl_0123456789abcdef_secret',
  accounts: [{ name: 'dev-0', address: 'txlt1x', seed: '00'.repeat(32) }],
};

const development = new TestServer({
  explorer: { development: { ...KNOWN, requests: requestLogMemory(), isPublic: false } },
});
const publicDevelopment = new TestServer({
  explorer: { development: { ...KNOWN, requests: requestLogMemory(), isPublic: true } },
});
const production = new TestServer({ explorer: { development: undefined } });
const servers = [development, publicDevelopment, production];
beforeAll(() => Promise.all(servers.map((server) => server.start())));
afterAll(() => Promise.all(servers.map((server) => server.stop())));

const files = ['/', '/explorer/app.js', '/explorer/app.css'];

function fetchBytes(
  server: TestServer,
  path: string,
  headers: OutgoingHttpHeaders,
): Promise<{ status: number; headers: OutgoingHttpHeaders; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({ host: '127.0.0.1', port: server.port, path, headers, agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, bytes: Buffer.concat(chunks) }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

describe('the files of the explorer', () => {
  test.each(files)('%s runs and loads nothing but what this service serves', async (path) => {
    const { status, headers } = await production.ask({ path, token: null, unchecked: true });
    expect(status).toBe(200);
    const policy = String(headers['content-security-policy']);
    expect(policy.split('; ').sort()).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "img-src 'self' data:",
      "script-src 'self'",
      "style-src 'self'",
    ]);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    });
  });

  test.each(files)('%s travels as gzip to those who take it, and not at all to those who have it', async (path) => {
    const plain = await fetchBytes(production, path, {});
    const packed = await fetchBytes(production, path, { 'Accept-Encoding': 'br;q=0.1, gzip' });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true);
    expect([plain.headers['content-encoding'], plain.headers['vary'], plain.headers['cache-control']]).toEqual([
      undefined,
      'Accept-Encoding',
      'no-cache',
    ]);
    expect(
      (await fetchBytes(production, path, { 'Accept-Encoding': 'gzip;q=0, identity' })).headers['content-encoding'],
    ).toBeUndefined();
    const again = await fetchBytes(production, path, {
      'If-None-Match': `"other", W/${String(plain.headers['etag'])}`,
    });
    expect([again.status, again.bytes.length, again.headers['etag']]).toEqual([304, 0, plain.headers['etag']]);
  });

  test('the page names its files relative to itself, so that it works below a path', async () => {
    const { text } = await production.ask({ path: '/', token: null, unchecked: true });
    const links = [...text.matchAll(/(?:href|src)="(?!data:)([^"]+)"/g)].map(([, link = '']) => link);
    expect(links).toEqual(expect.arrayContaining(['explorer/app.js', 'explorer/app.css', 'docs']));
    expect(links.filter((link) => /^(\/|https?:)/.test(link))).toEqual([]);
    expect(text).not.toMatch(/<script>|<style>|\son\w+=|\sstyle=/);
  });

  test(`are at most ${GZIP_BYTES_MAX} bytes in all, as they travel`, () => {
    const bytes = readdirSync(GENERATED).reduce(
      (sum, name) => sum + gzipSync(readFileSync(new URL(name, GENERATED))).length,
      0,
    );
    expect(bytes).toBeLessThan(GZIP_BYTES_MAX);
  });

  test('answer to GET alone', async () => {
    for (const path of files)
      expect((await production.ask({ method: 'POST', path, token: null, unchecked: true })).status).toBe(405);
  });
});

describe('what a development server knows', () => {
  const ask = (server: TestServer, headers: OutgoingHttpHeaders = {}) =>
    server.ask({ path: '/explorer/development.json', token: null, unchecked: true, headers });

  test('the explorer on this machine learns it, and nothing keeps it', async () => {
    const { status, body, headers } = await ask(development, {
      'Sec-Fetch-Site': 'same-origin',
      'Sec-Fetch-Mode': 'cors',
    });
    expect({ status, body, cache: headers['cache-control'], reads: headers['cross-origin-resource-policy'] }).toEqual({
      status: 200,
      body: KNOWN,
      cache: 'no-store',
      reads: 'same-origin',
    });
  });

  test('no production server has it, and its page does not ask', async () => {
    expect((await ask(production)).status).toBe(404);
    const page = await production.ask({ path: '/', token: null, unchecked: true });
    expect(page.text).toContain('data-mode="production"');
    expect((await development.ask({ path: '/', token: null, unchecked: true })).text).toContain(
      'data-mode="development"',
    );
    expect((await publicDevelopment.ask({ path: '/', token: null, unchecked: true })).text).toContain(
      'data-mode="public-development"',
    );
  });

  test('it is in no page, where it could be kept', async () => {
    for (const path of files)
      expect((await development.ask({ path, token: null, unchecked: true })).text).not.toContain(KNOWN.token);
  });

  test.each([
    ['behind a proxy', { 'X-Forwarded-For': '203.0.113.7' }],
    ['behind a proxy of the standard', { Forwarded: 'for=203.0.113.7' }],
    ['behind a proxy that names itself', { Via: '1.1 proxy' }],
    ['by a name that is not of this machine', { Host: 'ledger.test' }],
    ['for a page of another origin', { 'Sec-Fetch-Site': 'cross-site' }],
    ['for a page of another port', { 'Sec-Fetch-Site': 'same-site' }],
    ['as a page of its own', { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'navigate' }],
    ['as a script', { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'no-cors' }],
  ])('it is not given %s', async (_how, headers) => {
    const { status, text } = await ask(development, headers);
    expect([status, text.includes(KNOWN.token)]).toEqual([404, false]);
  });

  test('it is not given to a page of another origin, whatever it sends', async () => {
    const { status, text } = await ask(development, { Origin: 'http://evil.example' });
    expect([status, text.includes(KNOWN.token)]).toEqual([403, false]);
  });

  test('it is not given to another machine', () => {
    const host = { host: '127.0.0.1:8080' };
    expect(
      ['127.0.0.1', '::1', '::ffff:127.0.0.1', '192.0.2.1', '::ffff:192.0.2.1', undefined].map((address) =>
        mayLearnDevelopment(host, address),
      ),
    ).toEqual([true, true, true, false, false, false]);
    expect(
      ['localhost', '[::1]:80', '127.0.0.1', 'localhost.evil.example', '127.0.0.1.evil.example', undefined].map(
        (name) => mayLearnDevelopment(name === undefined ? {} : { host: name }, '127.0.0.1'),
      ),
    ).toEqual([true, true, true, false, false, false]);
  });
});
