/** What a target can do to the sender, with real sockets on loopback: each costs a bounded time and a bounded number of bytes, and has a name. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClock } from '../../server/app/environment.ts';
import { ANSWER_BYTES_MAX, ANSWER_MS_MAX, EXCERPT_BYTES_MAX } from '../../server/app/webhooks/answer-reader.ts';
import {
  HttpSender,
  type HttpSenderOptions,
  NOT_REACHED,
  retryAfterMs,
} from '../../server/app/webhooks/http-sender.ts';
import type { SendOutcome } from '../../server/gateway/webhooks/delivery/ports.ts';
import type { Resolve } from '../../server/app/webhooks/resolver.ts';
import { type CertificateFiles, selfSigned, signedBy } from '../support/certificates.ts';

const MIB = 2 ** 20;
const CONNECT_MS = 300;
const SEND_MS = 400;

type Handler = (request: http.IncomingMessage, response: http.ServerResponse) => void;

const open: net.Server[] = [];
const sockets = new Set<net.Socket>();
/** What the operator's log says. */
const logged: object[] = [];
let folder: string;
let authority: CertificateFiles;
let sender: HttpSender;

function senderWith(parts: Partial<HttpSenderOptions> = {}): HttpSender {
  const resolve: Resolve = async () => [{ address: '127.0.0.1', family: 4 }];
  return new HttpSender({
    rules: { loopback: true, allowed: [] },
    resolve,
    clock: createClock(),
    logger: { info: (fields, message) => void logged.push({ ...fields, message }) },
    userAgent: 'test',
    limits: { connectMs: CONNECT_MS, sendMs: SEND_MS },
    ...parts,
  });
}

async function listening(server: net.Server, host = '127.0.0.1'): Promise<number> {
  open.push(server);
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
}

const receiver = (handler: Handler): Promise<number> => listening(http.createServer(handler));

const tlsReceiver = ({ cert, key }: CertificateFiles): Promise<number> =>
  listening(
    https.createServer(
      { cert: readFileSync(cert), key: readFileSync(key) },
      (_request, response) => void response.writeHead(204).end(),
    ),
  );

const send = (url: string, by: HttpSender = sender): Promise<SendOutcome> =>
  by.send(
    {
      endpointId: 'wh_1',
      owner: 'acme',
      url,
      headers: { 'webhook-id': '7-0', 'content-type': 'application/json' },
      body: '{"id":"7-0"}',
    },
    new AbortController().signal,
  );

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'txledger-sender-'));
  authority = selfSigned(folder, 'authority');
  sender = senderWith();
});

afterAll(() => {
  sender.close();
  for (const socket of sockets) socket.destroy();
  for (const server of open) server.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a message arrives whole, with its headers, and connections are kept', async () => {
  const seen: { body: string; id: string | undefined; port: number | undefined }[] = [];
  const port = await receiver((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      seen.push({ body, id: request.headers['webhook-id'] as string, port: request.socket.remotePort });
      response.writeHead(204).end();
    });
  });
  for (let i = 0; i < 3; i++)
    expect(await send(`http://127.0.0.1:${port}/hooks?a=1`)).toMatchObject({ ok: true, httpStatus: 204 });
  expect(seen.map(({ body, id }) => [body, id])).toEqual(Array.from({ length: 3 }, () => ['{"id":"7-0"}', '7-0']));
  expect(new Set(seen.map((one) => one.port)).size).toBe(1);
});

test('a kept connection that the receiver has closed is no failure', async () => {
  let requests = 0;
  const port = await receiver((request, response) => {
    requests += 1;
    if (requests === 2) request.socket.destroy();
    else response.writeHead(200).end('ok');
  });
  expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ ok: true });
  expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ ok: true, answer: 'ok' });
  expect(requests).toBe(3);
});

test('a redirect to a private address is not followed', async () => {
  let requests = 0;
  const inner = await receiver((_request, response) => {
    requests += 1;
    response.end('secret');
  });
  for (const [status, to] of [
    [302, 'http://10.0.0.1/'],
    [307, `http://127.0.0.1:${inner}/`],
    [308, 'http://169.254.169.254/latest/meta-data'],
  ] as const) {
    const port = await receiver((_request, response) => response.writeHead(status, { location: to }).end());
    expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({
      ok: false,
      code: 'redirected',
      httpStatus: status,
    });
  }
  expect(requests).toBe(0);
});

test('a target that takes the connection and says nothing is given up', async () => {
  const port = await receiver(() => undefined);
  const outcome = await send(`http://127.0.0.1:${port}/`);
  expect(outcome).toMatchObject({ ok: false, code: 'timeout' });
  expect(outcome.durationMs).toBeLessThan(SEND_MS * 5);
});

test('a head that drips is given up at the same moment', async () => {
  const port = await listening(
    net.createServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write('x: y\r\n'), 20);
      socket.on('close', () => clearInterval(drip)).on('error', () => undefined);
    }),
  );
  expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({ ok: false, code: 'timeout' });
});

test('a body that drips holds up the next message for a second at most', async () => {
  const port = await receiver((_request, response) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(drip));
  });
  const outcome = await send(`http://127.0.0.1:${port}/`);
  expect(outcome).toMatchObject({ ok: true, httpStatus: 200 });
  expect(outcome.durationMs).toBeGreaterThanOrEqual(ANSWER_MS_MAX - 50);
  expect(outcome.durationMs).toBeLessThan(ANSWER_MS_MAX * 3);
});

test('of an answer of a gigabyte a few kilobytes are read, and one is kept', async () => {
  let written: Promise<number> | undefined;
  const port = await receiver((request, response) => {
    const { socket } = request;
    written = new Promise((resolve) => socket.on('close', () => resolve(socket.bytesWritten)));
    response.writeHead(500, { 'content-length': 1024 * MIB });
    const chunk = Buffer.alloc(64 * 1024, 'x');
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more).on('error', () => undefined);
    more();
  });
  const outcome = await send(`http://127.0.0.1:${port}/`);
  expect(outcome).toMatchObject({
    ok: false,
    code: 'status_code',
    httpStatus: 500,
    answer: 'x'.repeat(EXCERPT_BYTES_MAX),
  });
  // What the kernel takes for a socket that nobody reads is its own affair; a gigabyte it is not.
  expect(await written).toBeLessThan(16 * MIB);
  expect(ANSWER_BYTES_MAX).toBe(64 * 1024);
});

test('an answer that changes the protocol, or that is none but for hints, is a failure and holds up nothing', async () => {
  const answering = (head: string): Promise<number> =>
    listening(
      net.createServer((socket) => {
        socket.once('data', () => socket.write(head)).on('error', () => undefined);
      }),
    );
  const upgrades = await answering('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n');
  expect(await send(`http://127.0.0.1:${upgrades}/`)).toMatchObject({
    ok: false,
    code: 'status_code',
    httpStatus: 101,
  });
  const hints = await answering('HTTP/1.1 103 Early Hints\r\n\r\n');
  expect(await send(`http://127.0.0.1:${hints}/`)).toMatchObject({ ok: false, code: 'timeout' });
});

test('a head of a megabyte is not read', async () => {
  const port = await listening(
    net.createServer(
      (socket) => void socket.on('error', () => undefined).write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(MIB)}\r\n\r\n`),
    ),
  );
  expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({
    ok: false,
    code: 'connection_failed',
    detail: expect.stringContaining('HPE_HEADER_OVERFLOW'),
  });
});

test('a reset, a refused connection and bytes that are no HTTP are failures', async () => {
  const reset = await listening(net.createServer((socket) => socket.once('data', () => socket.resetAndDestroy())));
  const noise = await listening(
    net.createServer((socket) => void socket.on('error', () => undefined).end('220 mail.example ESMTP\r\n')),
  );
  const closed = net.createServer();
  const nobody = await listening(closed);
  await new Promise((resolve) => closed.close(resolve));
  for (const port of [reset, noise, nobody])
    expect(await send(`http://127.0.0.1:${port}/`, senderWith())).toMatchObject({
      ok: false,
      code: 'connection_failed',
    });
});

test('a certificate has to be valid, of the name, and of an authority', async () => {
  const good = signedBy(authority, folder, 'good', 'DNS:receiver.example');
  const wrongName = signedBy(authority, folder, 'wrong', 'DNS:other.example');
  const expired = signedBy(authority, folder, 'expired', 'DNS:receiver.example', { days: -1 });
  const own = selfSigned(folder, 'own', 'DNS:receiver.example');
  const outcomes: unknown[] = [];
  for (const certificate of [good, wrongName, expired, own]) {
    // A busy machine takes its time for a handshake.
    const by = senderWith({ authorities: [readFileSync(authority.cert, 'utf8')], limits: {} });
    const outcome = await send(`https://receiver.example:${await tlsReceiver(certificate)}/`, by);
    outcomes.push(outcome.ok ? outcome.httpStatus : [outcome.code, outcome.detail.match(/[A-Z_]{8,}/)?.[0]]);
    by.close();
  }
  expect(outcomes).toEqual([
    204,
    ['tls_failed', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['tls_failed', 'CERT_HAS_EXPIRED'],
    ['tls_failed', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ]);
});

test('no variable turns the verification of certificates off', async () => {
  const own = selfSigned(folder, 'own-again', 'DNS:receiver.example');
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  try {
    expect(await send(`https://receiver.example:${await tlsReceiver(own)}/`, senderWith())).toMatchObject({
      ok: false,
      code: 'tls_failed',
    });
  } finally {
    delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
  }
});

test('a target that never finishes its handshake is given up before one that never answers', async () => {
  const port = await listening(net.createServer((socket) => void socket.on('error', () => undefined)));
  expect(await send(`https://receiver.example:${port}/`, senderWith())).toMatchObject({
    ok: false,
    code: 'connection_failed',
    detail: expect.stringContaining('within 0.3 seconds'),
  });
});

test('a name is judged by every address it has, at every connection', async () => {
  const port = await receiver((_request, response) => void response.writeHead(200, { connection: 'close' }).end());
  const answers = [
    ['127.0.0.1'],
    ['10.0.0.1'],
    ['127.0.0.1', '192.168.0.1'],
    ['::ffff:169.254.169.254'],
    ['127.0.0.1'],
  ];
  let asked = 0;
  const by = senderWith({
    resolve: async () =>
      (answers[asked++] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  });
  const outcomes = [];
  for (let i = 0; i < answers.length; i++) {
    const outcome = await send(`http://rebinding.localhost:${port}/`, by);
    outcomes.push(outcome.ok ? outcome.httpStatus : outcome.code);
  }
  // The first answer of the name was the one that was connected to: one question for each connection.
  expect(outcomes).toEqual([200, 'connection_failed', 'connection_failed', 'connection_failed', 200]);
  expect(asked).toBe(answers.length);
  by.close();
});

test('an unknown name, a private address and a private target that does not answer cannot be told apart', async () => {
  const closed = net.createServer();
  const port = await listening(closed);
  await new Promise((resolve) => closed.close(resolve));
  const notTls = await listening(net.createServer((socket) => void socket.on('error', () => undefined).end('no TLS')));
  const silent = await listening(net.createServer((socket) => void socket.on('error', () => undefined)));
  const notFound = Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' });
  const addresses: Readonly<Record<string, string[]>> = {
    'empty.example': [],
    'metadata.example': ['169.254.169.254'],
    'db.internal': ['10.0.0.7'],
    'both.example': ['93.184.215.14', '10.0.0.7'],
    'mine.internal': ['127.0.0.1'],
  };
  const by = senderWith({
    rules: {
      loopback: false,
      allowed: [port, notTls, silent].flatMap((at) => [
        { owner: 'acme', host: 'mine.internal', port: at },
        { owner: 'acme', host: '127.0.0.0/8', port: at },
      ]),
    },
    resolve: (host) => {
      if (host === 'slow.example') return new Promise(() => undefined);
      const found = addresses[host];
      if (found === undefined) return Promise.reject(notFound);
      return Promise.resolve(found.map((address) => ({ address, family: 4 })));
    },
  });
  logged.length = 0;
  const urls = [
    'https://unknown.example/',
    'https://slow.example/',
    'https://empty.example/',
    'https://metadata.example/',
    'https://db.internal/',
    'https://both.example/',
    'https://10.0.0.7/',
    // Allowed, and nothing that speaks TLS is there.
    `https://mine.internal:${port}/`,
    `https://127.0.0.1:${port}/`,
    `https://mine.internal:${notTls}/`,
    `https://mine.internal:${silent}/`,
    // Not allowed at this port.
    'https://mine.internal:443/',
    'https://127.0.0.1/',
  ];
  for (const url of urls) {
    const { durationMs, ...outcome } = await send(url, by);
    expect([url, outcome]).toEqual([url, { ok: false, code: 'connection_failed', detail: NOT_REACHED }]);
    expect(durationMs).toBeGreaterThanOrEqual(CONNECT_MS - 1);
    expect(durationMs).toBeLessThan(CONNECT_MS * 2);
    by.forget('wh_1');
  }
  by.close();
  const told = logged.map((line) => (line as { cause: string }).cause);
  expect(told).toHaveLength(urls.length);
  for (const [at, cause] of [
    [0, 'ENOTFOUND'],
    [1, 'within 0.3 seconds'],
    [3, 'a link-local address, 169.254.169.254'],
    [4, 'a private address, 10.0.0.7'],
    [7, 'ECONNREFUSED'],
    [11, 'a loopback address'],
  ] as const)
    expect(told[at]).toContain(cause);
});

test('of the answer of a private target the status alone is kept, also on a kept connection', async () => {
  const certificate = signedBy(authority, folder, 'private', 'DNS:mine.internal,IP:127.0.0.1');
  const port = await listening(
    https.createServer(
      { cert: readFileSync(certificate.cert), key: readFileSync(certificate.key) },
      (request, response) => void response.writeHead(request.url === '/ok' ? 200 : 500).end('secret of the inside'),
    ),
  );
  const allowedTo = (owner: string, host: string) =>
    senderWith({
      rules: { loopback: false, allowed: [{ owner, host, port }] },
      authorities: [readFileSync(authority.cert, 'utf8')],
      // Enough for a handshake on a busy machine.
      limits: { connectMs: 2000 },
    });
  for (const host of ['mine.internal', '127.0.0.1']) {
    const by = allowedTo('acme', host);
    for (const round of [1, 2]) {
      const ok = await send(`https://${host}:${port}/ok`, by);
      expect([host, round, ok]).toMatchObject([host, round, { ok: true, httpStatus: 200 }]);
      expect(ok.answer).toBeUndefined();
    }
    const failed = await send(`https://${host}:${port}/fails`, by);
    expect(failed).toMatchObject({ ok: false, code: 'status_code', httpStatus: 500 });
    expect(failed.answer).toBeUndefined();
    by.close();
    const other = allowedTo('bob', host);
    expect(await send(`https://${host}:${port}/ok`, other)).toMatchObject({ ok: false, code: 'connection_failed' });
    other.close();
  }
});

test('addresses that are written into the URL are judged without a question', async () => {
  const production = senderWith({
    rules: { loopback: false, allowed: [] },
    resolve: () => Promise.reject(new Error('nothing is to be resolved')),
  });
  for (const url of [
    'https://127.0.0.1/',
    'https://10.1.2.3/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/',
    'https://0x7f.1/',
  ]) {
    expect([url, await send(url, production)]).toMatchObject([url, { ok: false, detail: NOT_REACHED }]);
  }
  expect(await send('http://93.184.215.14/', production)).toMatchObject({ ok: false, code: 'url_refused' });
});

test('IPv6 targets are reached', async () => {
  const server = http.createServer((_request, response) => void response.writeHead(204).end());
  const port = await listening(server, '::1');
  // A machine that others keep busy has time for it: here nothing is to end late.
  const limits = { connectMs: 5000, sendMs: 5000 };
  expect(await send(`http://[::1]:${port}/`, senderWith({ limits }))).toMatchObject({ ok: true });
  const resolve: HttpSenderOptions['resolve'] = async () => [{ address: '::1', family: 6 }];
  expect(await send(`http://six.localhost:${port}/`, senderWith({ limits, resolve }))).toMatchObject({ ok: true });
});

test('a request in flight ends when the service stops', async () => {
  const port = await receiver(() => undefined);
  const stopping = new AbortController();
  const outcome = sender.send(
    { endpointId: 'wh_2', owner: 'acme', url: `http://127.0.0.1:${port}/`, headers: {}, body: '{}' },
    stopping.signal,
  );
  setImmediate(() => stopping.abort());
  expect(await outcome).toMatchObject({ ok: false, code: 'stopped' });
});

test('Retry-After is read in seconds and as a date', () => {
  const nowMs = Date.parse('2026-11-22T12:00:00Z');
  expect(retryAfterMs('120', nowMs)).toBe(120_000);
  expect(retryAfterMs('Sun, 22 Nov 2026 12:01:00 GMT', nowMs)).toBe(60_000);
  expect(retryAfterMs('Sun, 22 Nov 2026 11:00:00 GMT', nowMs)).toBe(0);
  for (const nonsense of ['soon', '-1', '1e9', undefined]) expect(retryAfterMs(nonsense, nowMs)).toBeUndefined();
});
