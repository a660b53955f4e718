/** HTTPS below requests: what HTTP promises about slow clients and broken bytes holds behind TLS, and a handshake is no way around it. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { connect as connectPlain, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect } from 'node:tls';
import express from 'express';
import { Connections } from '../../server/http/connections/connections.ts';
import { createHttpServer } from '../../server/http/index.ts';
import { selfSigned } from '../support/certificates.ts';
import { contract } from './support/contract-check.ts';
import { ownUses } from '../../server/http/shared/uses.ts';
import { realClock, TestServer } from './support/server.ts';

const REQUEST_MS_MAX = 200;

describe('a server with a certificate', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'txledger-https-'));
  const files = selfSigned(folder, 'alone', 'IP:127.0.0.1');
  const pair = { cert: readFileSync(files.cert, 'utf8'), key: readFileSync(files.key, 'utf8') };
  const ignore = (): void => undefined;
  const lines: string[] = [];
  const note = (_fields: object, line: string): void => void lines.push(line);
  const logger = { debug: note, info: note, warn: note, error: note };
  let server: Server;

  beforeAll(async () => {
    const connections = new Connections({
      connectionsMax: 100,
      shared: ownUses(100),
      connectionsPerAddressMax: 100,
      trustedProxies: [],
      clock: realClock,
    });
    server = createHttpServer(express(), {
      contract,
      logger,
      requestIdPrefix: 'test',
      connections,
      requestMsMax: REQUEST_MS_MAX,
      tls: pair,
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Everything that came until the server closed the connection. */
  async function said(bytes: string): Promise<string> {
    const socket = connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, ca: pair.cert });
    await once(socket, 'secureConnect');
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('error', ignore);
    socket.write(bytes);
    await once(socket, 'close');
    return text;
  }

  test('answers half a request with 408 and closes', async () => {
    expect(await said('GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nX: half')).toMatch(
      /^HTTP\/1\.1 408 [^]*application\/problem\+json[^]*request_timeout/,
    );
  });

  test('answers a header section that is too large with 431', async () => {
    expect(await said(`GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${'x'.repeat(32 * 1024)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 /,
    );
  });

  test.each([
    ['says nothing', ''],
    ['speaks HTTP', 'GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'],
    ['begins a handshake and stops', '\u0016\u0003\u0001\u0002\u0000'],
  ])('closes a connection that %s instead of shaking hands, and takes it for no request', async (_what, bytes) => {
    lines.length = 0;
    const socket = connectPlain((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', ignore);
    socket.resume();
    await once(socket, 'connect');
    socket.write(Buffer.from(bytes, 'latin1'));
    // The server's own count: a connection that only the client has closed would still be held.
    await once(socket, 'close');
    const open = await new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
    expect({ open, lines }).toEqual({ open: 0, lines: [] });
  });
});

describe('/.well-known/security.txt', () => {
  const servers: TestServer[] = [];
  const start = async (securityContact?: string, publicUrl?: string): Promise<TestServer> => {
    const server = await new TestServer({ securityContact, publicUrl }).start();
    servers.push(server);
    return server;
  };
  afterAll(() => Promise.all(servers.map((server) => server.stop())));
  const at = { path: '/.well-known/security.txt', token: null, unchecked: true } as const;

  test('names the contact of the configuration and a day within a year until which it is valid, without a token', async () => {
    const server = await start('https://ledger.example/security');
    const { status, headers, text } = await server.ask(at);
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'text/plain; charset=utf-8' });
    const fields = Object.fromEntries(
      text
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/: (.*)/s, 2)),
    ) as Record<string, string>;
    expect(fields).toEqual({
      Contact: 'https://ledger.example/security',
      Expires: expect.any(String),
      'Preferred-Languages': 'en',
    });
    const days = (Date.parse(fields['Expires'] ?? '') - Date.now()) / 86_400_000;
    expect(days > 150 && days < 365).toBe(true);
    expect((await server.ask({ ...at, method: 'POST' })).status).toBe(405);
  });

  test.each([
    ['https://ledger.example/', ['https://ledger.example/.well-known/security.txt']],
    [
      'https://example.org/ledger/',
      ['https://example.org/.well-known/security.txt', 'https://example.org/ledger/.well-known/security.txt'],
    ],
    ['http://127.0.0.1:8080/', []],
  ])('says where it belongs when the public address is %s: only https counts', async (publicUrl, expected) => {
    const { text } = await (await start('mailto:security@ledger.example', publicUrl)).ask(at);
    expect([...text.matchAll(/^Canonical: (.*)$/gm)].map(([, uri]) => uri)).toEqual(expected);
    // RFC 9116 section 2.5: each of these at most once, and the mandatory two exactly once.
    for (const field of ['Contact', 'Expires', 'Preferred-Languages'])
      expect(text.match(new RegExp(`^${field}: `, 'gm'))).toHaveLength(1);
  });

  test('does not exist where no contact is configured', async () => {
    const { status, body } = await (await start()).ask(at);
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'not_found' });
  });
});
