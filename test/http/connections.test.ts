/** The bounds of connections: their number, unread bytes, requests sent ahead; and the end of those whose peer does nothing. */
import { once } from 'node:events';
import { createServer, request, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import { connect, type AddressInfo, Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';

import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Response } from 'express';
import { Counter } from 'prom-client';

import type { RpcOutcome } from '../../server/gateway/rpc/port.ts';
import { type Exchange, exchangeOf } from '../../server/http/exchange.ts';
import { connectionOf, Connections, sharedMemory, SharedUses } from '../../server/http/index.ts';
import {
  BATCH_RESULT_BYTES_MAX,
  BODY_BYTES_MAX,
  BODY_STEP_BYTES,
  CONNECTIONS_KEPT_FREE,
  CONNECTIONS_NEVER_TAKEN,
  CONNECTIONS_OF_THREADS,
  IDLE_KEPT_MS,
  PIPELINED_PER_CONNECTION_MAX,
  REQUEST_BEGUN_MS_MAX,
  SMALL_ANSWER_BYTES_MAX,
  UNREAD_KEPT_MS,
} from '../../server/http/limits.ts';
import {
  ANONYMOUS,
  BATCH,
  CLASSES,
  PAGE,
  type RequestClass,
  ROW,
  SEARCH as SEARCHES,
  STREAM,
} from '../../server/http/limits/classes.ts';
import { SEARCHES_PER_CALLER_MAX, SEARCHES_WAITING_PER_CALLER_MAX } from '../../server/http/limits/searches.ts';
import { contractFaults } from './support/contract-check.ts';
import { ownUses, PLACE } from '../../server/http/shared/uses.ts';
import { realClock, TestServer } from './support/server.ts';
import { RawConnection } from './support/socket.ts';
import { TOKEN, TRANSFER } from './support/stub-gateway.ts';

const MIB = 1024 * 1024;
/** Nothing that these tests wait for takes this long. */
const NEVER_MS = 60_000;
/** What answers to one address may hold where it has no token. */
const SHARE = ANONYMOUS.unsentBytesPerCallerMax;
const SEARCH = '/rpc/block_search?query=%22block.height%20%3E%201%22';

let server: TestServer;
const open: Socket[] = [];

afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await server.stop();
});

async function start(options: ConstructorParameters<typeof TestServer>[0] = {}): Promise<void> {
  server = await new TestServer({ validateResponses: false, development: false, ...options }).start();
}

const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${more}\r\n`;

/** A peer that sends these bytes and neither reads nor closes, and the server's end of it. */
async function silent(bytes: string, localAddress = '127.0.0.1'): Promise<{ peer: Socket; serverSide: Socket }> {
  const arrives = once(server.server, 'connection') as Promise<[Socket]>;
  const peer = connect({ port: server.port, host: '127.0.0.1', localAddress, allowHalfOpen: true });
  open.push(peer);
  peer.on('error', () => undefined);
  peer.pause();
  await once(peer, 'connect');
  const [serverSide] = await arrives;
  if (bytes !== '') peer.write(bytes);
  return { peer, serverSide };
}

function raw(): RawConnection {
  const connection = new RawConnection(server.port);
  open.push(connection.socket);
  return connection;
}

const longAnswer = (bytes: number) => async (): Promise<RpcOutcome> => ({
  ok: true,
  json: JSON.stringify('x'.repeat(bytes)),
});

/** Resolves with the answer once the server has written it. */
async function answered(ask: () => unknown): Promise<ServerResponse> {
  const arrives = once(server.server, 'request') as Promise<[unknown, ServerResponse]>;
  ask();
  const [, response] = await arrives;
  while (!response.writableEnded) await new Promise((resolve) => setImmediate(resolve));
  return response;
}

async function metric(name: string): Promise<number> {
  const { text } = await server.ask({ path: '/metrics' });
  return Number(new RegExp(`^${name.replaceAll(/[{}"]/g, String.raw`\$&`)} (\\d+)$`, 'm').exec(text)?.[1]);
}

describe('an answer that is not read', () => {
  test('is dropped with its connection when the kernel takes nothing of it for a while, and what waited is free again', async () => {
    await start({ noProgressMsMax: 300 });
    server.gateway.onRpc = longAnswer(16 * MIB);
    const { peer, serverSide } = await silent('');
    await answered(() => peer.write(get('/rpc/block')));
    expect(server.connections.unsentBytes).toBeGreaterThanOrEqual(16 * MIB);
    await once(serverSide, 'close');
    expect(server.connections.unsentBytes).toBe(0);
    expect(await metric('http_connections_cut_off_total{reason="no_progress"}')).toBe(1);
    // Dropped by the kernel too: the peer does not find what was left when it reads after all.
    let received = 0;
    peer.on('data', (chunk: Buffer) => (received += chunk.length)).resume();
    await new Promise((resolve) => peer.once('close', resolve));
    expect(received).toBeLessThan(16 * MIB);
  });

  test('is sent to its end when it is read slowly but steadily, however long that takes', async () => {
    const noProgressMsMax = 1_200;
    await start({ noProgressMsMax });
    server.gateway.onRpc = longAnswer(24 * MIB);
    const startedMs = performance.now();
    const { peer } = await silent(get('/rpc/block', 'Connection: close\r\n'));
    let received = 0;
    peer.on('data', (chunk: Buffer) => {
      received += chunk.length;
      // So much is read each time that the kernel has room for more, and the whole takes longer than the limit.
      if (Math.floor(received / MIB) === Math.floor((received - chunk.length) / MIB)) return;
      peer.pause();
      setTimeout(() => peer.resume(), 70);
    });
    peer.resume();
    await once(peer, 'end');
    expect(received).toBeGreaterThan(24 * MIB);
    expect(performance.now() - startedMs).toBeGreaterThan(noProgressMsMax);
    expect(await metric('http_connections_cut_off_total{reason="no_progress"}')).toBe(0);
  });

  test('counts against the share of its address, beyond which long answers are refused and short ones are not', async () => {
    await start({ noProgressMsMax: NEVER_MS });
    const long = 8 * MIB;
    server.gateway.onRpc = longAnswer(long);
    const held: Socket[] = [];
    for (let bytes = 0; bytes + long <= SHARE - 1024; bytes += long) {
      const { peer, serverSide } = await silent('');
      held.push(serverSide);
      await answered(() => peer.write(get('/rpc/block')));
    }
    const refused = await server.ask({ path: '/rpc/block', token: null, unchecked: true });
    expect(refused).toMatchObject({
      status: 503,
      headers: { 'retry-after': '1' },
      body: { error: { code: -32603, data: expect.stringContaining('wait to be read') } },
    });
    expect((await server.ask({ path: '/chain' })).status).toBe(200);
    server.gateway.onRpc = longAnswer(1024);
    expect((await server.ask({ path: '/rpc/block', token: null, unchecked: true })).status).toBe(200);
    // Another address has a share of its own.
    server.gateway.onRpc = longAnswer(long);
    const { peer } = await silent('', '127.0.0.2');
    const other = await answered(() => peer.write(get('/rpc/block')));
    expect(other.statusCode).toBe(200);
    // A share comes back as soon as a peer is gone.
    const [first] = held;
    first?.destroy();
    await once(first!, 'close');
    await new Promise((resolve) => setImmediate(resolve));
    expect((await server.ask({ path: '/rpc/block', token: null, unchecked: true })).status).toBe(200);
  });

  describe('and was asked for with a token', () => {
    const ofOwner = (owner: string): string => get('/rpc/block', `Authorization: Bearer txl_${owner}_secret\r\n`);
    const statusFrom = async (owner: string, localAddress: string): Promise<number> => {
      const { peer } = await silent('', localAddress);
      return (await answered(() => peer.write(ofOwner(owner)))).statusCode;
    };

    beforeEach(async () => {
      await start({ noProgressMsMax: NEVER_MS });
      server.gateway.onAuthenticate = async (token) => {
        const owner = token.split('_')[1] ?? '';
        return { tokenId: `of ${owner}`, owner, scopes: ['transactions:read'] };
      };
      server.gateway.onRpc = longAnswer(PAGE.unsentBytesPerCallerMax - MIB);
    });

    test('counts against the share of its owner, from however many addresses', async () => {
      const statuses: number[] = [];
      for (const last of [1, 2, 3, 4, 5]) statuses.push(await statusFrom('one', `127.0.0.${last}`));
      expect(statuses).toEqual([200, 503, 503, 503, 503]);
      // What one has used up is missed by nobody else.
      expect(await statusFrom('other', '127.0.0.5')).toBe(200);
    });

    test('leaves to each owner behind one address a share of its own', async () => {
      const statuses: number[] = [];
      for (const owner of ['one', 'two', 'three', 'one']) statuses.push(await statusFrom(owner, '127.0.0.1'));
      expect(statuses).toEqual([200, 200, 200, 503]);
    });

    test('is given back to whose share it was, whoever is found to have asked meanwhile', async () => {
      let decide = (): void => {};
      const asked = new Promise<void>((resolve) => {
        server.gateway.onRpc = () =>
          new Promise((answer) => {
            decide = () => answer({ ok: true, json: '{}' });
            resolve();
          });
      });
      const arrives = once(server.server, 'request') as Promise<[unknown, Response]>;
      const { peer } = await silent(ofOwner('one'));
      const [, response] = await arrives;
      await asked;
      const exchange = exchangeOf(response) as Exchange;
      expect(exchange.reserve(MIB)).toBe(true);
      exchange.principal = undefined;
      exchange.class = ANONYMOUS;
      expect(exchange.reserve(MIB)).toBe(true);
      decide();
      await once(peer.resume(), 'data');
      peer.destroy();
      while (server.connections.figures.open > 0) await new Promise((resolve) => setTimeout(resolve, 5));
      expect(server.connections.unsentBytes).toBe(0);
      expect(server.connections.addresses).toBe(0);
    });
  });

  test('of a batch with a broadcast tells what the broadcast did, whatever waits, and which other calls found no room', async () => {
    await start({ noProgressMsMax: NEVER_MS });
    const held = PAGE.unsentBytesPerCallerMax - 2 * MIB;
    server.connections.hold('dev', held, PAGE);
    server.gateway.onRpc = longAnswer(1.5 * MIB);
    const calls = [
      { method: 'block', params: {} },
      { method: 'block', params: {} },
      { method: 'broadcast_tx_sync', params: { tx: 'AA==' } },
    ];
    const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })));
    const { status, body: answered } = await server.ask({ method: 'POST', path: '/rpc', body, unchecked: true });
    expect(status).toBe(200);
    const outcomes = (answered as { result?: string; error?: { data: string } }[]).map(
      ({ result, error }) => error?.data ?? result?.length,
    );
    expect(outcomes).toEqual([1.5 * MIB, expect.stringContaining('wait to be read'), 1.5 * MIB]);
    expect(server.connections.unsentBytes).toBe(held);
  });

  test('of payments is kept apart: no other class of requests uses up what theirs may have, batches neither', async () => {
    await start({ noProgressMsMax: NEVER_MS });
    const fill = (other: RequestClass): void => {
      for (const address of ['127.0.0.1', '192.0.2.1']) server.connections.hold(address, other.unsentBytesMax, other);
    };
    for (const other of [ROW, PAGE, STREAM, SEARCHES, ANONYMOUS]) fill(other);
    const payMany = (count: number) => {
      const body = { transactions: Array.from({ length: count }, () => TRANSFER) };
      return server.ask({ method: 'POST', path: '/transactions/batch', body });
    };
    // More than a small answer.
    const many = SMALL_ANSWER_BYTES_MAX / BATCH_RESULT_BYTES_MAX + 1;
    expect((await payMany(many)).status).toBe(200);
    fill(BATCH);
    expect((await payMany(many)).status).toBe(503);
    expect((await payMany(1)).status).toBe(200);
    const pay = await server.ask({ method: 'POST', path: '/transactions', body: JSON.stringify(TRANSFER) });
    expect(pay.status).toBe(202);
    const broadcast = { jsonrpc: '2.0', id: 1, method: 'broadcast_tx_sync', params: { tx: 'AA==' } };
    server.gateway.onRpc = longAnswer(10);
    expect(
      (await server.ask({ method: 'POST', path: '/rpc', body: JSON.stringify(broadcast), unchecked: true })).status,
    ).toBe(200);
  });

  test('in a full class does not refuse a row, a small page or a small batch to others, however it was filled', async () => {
    await start({ noProgressMsMax: NEVER_MS });
    for (const full of [ROW, PAGE, BATCH, ANONYMOUS]) server.connections.hold('other', full.unsentBytesMax, full);
    const statuses = async (): Promise<number[]> => {
      const asked: number[] = [];
      for (const path of ['/accounts/' + TRANSFER.from, '/transactions'])
        asked.push((await server.ask({ path })).status);
      asked.push((await server.ask({ path: '/chain', token: null })).status);
      return asked;
    };
    expect(await statuses()).toEqual([200, 200, 200]);
    // Who lets as much wait as may be sent in any case is refused.
    for (const full of [ROW, PAGE]) server.connections.hold('dev', SMALL_ANSWER_BYTES_MAX + 1, full);
    expect(await statuses()).toEqual([503, 503, 200]);
  });

  describe('and a long body that is sent slowly', () => {
    const long = 1024 * 1024;
    const head = (path: string, more = ''): string =>
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n${more}Content-Length: ${long}\r\n\r\n`;
    const TOKENED = `Authorization: Bearer ${TOKEN}\r\n`;
    const held = (bytes: number) => async (): Promise<void> => {
      while (server.connections.unsentBytes !== bytes) await new Promise((resolve) => setTimeout(resolve, 5));
    };

    test.each(['/rpc', '/rpc/abci_query', '/rpc/broadcast_tx_sync', '/transactions/batch'])(
      'to %s has room for what it sent, not for what it announced, and takes none from answers',
      async (path) => {
        await start({ noProgressMsMax: NEVER_MS });
        const { peer } = await silent(head(path, TOKENED));
        const sent = BODY_BYTES_MAX + 1;
        const seen = jest.spyOn(server.connections, 'tryHold');
        peer.write(Buffer.alloc(BODY_BYTES_MAX, 0x20));
        await server.ask({ path: '/chain' });
        expect(server.connections.unsentBytes).toBe(0);
        peer.write(' ');
        await held(BODY_BYTES_MAX + BODY_STEP_BYTES)();
        peer.write(Buffer.alloc(long - 1 - sent, 0x20));
        await held(long)();
        expect(new Set(seen.mock.calls.map(([caller, , of]) => [caller, CLASSES.indexOf(of)].join(' ')))).toEqual(
          new Set([`dev ${CLASSES.indexOf(BATCH)}`]),
        );
        peer.destroy();
        await held(0)();
      },
    );

    test('is refused alone when there is no room for its next step', async () => {
      await start({ noProgressMsMax: NEVER_MS });
      const peers = Math.floor(SHARE / long);
      for (let at = 0; at < peers; at += 1) await silent(head('/rpc') + ' '.repeat(long - 1));
      await held(peers * long)();
      const late = raw().send(head('/rpc') + ' '.repeat(BODY_BYTES_MAX));
      expect((await raw().send(get('/chain')).answer())?.status).toBe(200);
      expect((await late.send(' ').answer())?.status).toBe(503);
      for (const socket of open.splice(0)) socket.destroy();
      await held(0)();
    });
  });

  test('larger than a share goes out when nothing else waits for that address', async () => {
    await start({ noProgressMsMax: NEVER_MS });
    server.gateway.onRpc = longAnswer(SHARE + MIB);
    expect((await server.ask({ path: '/rpc/block', unchecked: true })).status).toBe(200);
  });

  test('counts behind a trusted proxy against the client that the proxy names, a search too, and no client is remembered after it', async () => {
    await start({ noProgressMsMax: NEVER_MS, trustedProxies: ['127.0.0.1'] });
    server.gateway.onRpc = longAnswer(7.5 * MIB);
    const search = (client: string): string => get(SEARCH, `X-Forwarded-For: ${client}\r\n`);
    const { peer } = await silent('');
    await answered(() => peer.write(search('203.0.113.1')));
    const askAs = (client: string) =>
      server.ask({ path: SEARCH, headers: { 'X-Forwarded-For': client }, token: null, unchecked: true });
    // 7.5 MiB wait: with the page that a further search has room for, more than the share of 8.
    expect((await askAs('203.0.113.1')).status).toBe(503);
    for (let i = 2; i < 20; i++) expect((await askAs(`203.0.113.${i}`)).status).toBe(200);
    for (const socket of open.splice(0)) socket.destroy();
    while (server.connections.figures.open > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(server.connections.unsentBytes).toBe(0);
    expect(server.connections.addresses).toBe(0);
  });

  test('of the list is refused by a problem that fits the contract', async () => {
    await start({ noProgressMsMax: NEVER_MS });
    const address = 'dev';
    server.connections.hold(address, PAGE.unsentBytesMax, PAGE);
    const refused = await server.ask({ path: '/transactions' });
    expect(refused).toMatchObject({
      status: 503,
      headers: { 'retry-after': '1' },
      body: { code: 'server_busy', retriable: true },
    });
    expect(server.gateway.calls.map(({ method }) => method)).not.toContain('list');
    // Metrics are longer than what is always sent once many routes have answered.
    const many = new Counter({ name: 'many', help: 'x', labelNames: ['label'], registers: [server.registry] });
    for (let i = 0; i < 2_000; i++) many.inc({ label: 'x'.repeat(40) + i });
    for (const path of ['/livez', '/readyz', '/metrics']) expect((await server.ask({ path })).status).toBe(200);
    server.connections.hold(address, -PAGE.unsentBytesMax, PAGE);
    expect((await server.ask({ path: '/transactions' })).status).toBe(200);
  });
});

describe('searches', () => {
  test('are refused before they are made when too many wait, or there is no room for a page', async () => {
    await start();
    let release = (): void => {};
    const held = new Promise<RpcOutcome>((resolve) => {
      release = () => resolve({ ok: true, json: '{}' });
    });
    server.gateway.onRpc = () => held;
    const taken = SEARCHES_PER_CALLER_MAX + SEARCHES_WAITING_PER_CALLER_MAX;
    const answered: (number | undefined)[] = [];
    const all = Array.from({ length: 20 }, async () => {
      answered.push((await raw().send(get(SEARCH)).answer())?.status);
    });
    // Those beyond what may run and wait are refused at once.
    while (answered.length < all.length - taken) await new Promise((resolve) => setImmediate(resolve));
    expect(answered).toEqual(answered.map(() => 503));
    expect(server.gateway.calls.filter(({ method }) => method === 'rpc')).toHaveLength(SEARCHES_PER_CALLER_MAX);
    // What waits for its turn holds nothing.
    expect(server.connections.unsentBytes).toBe(SEARCHES_PER_CALLER_MAX * MIB);
    release();
    await Promise.all(all);
    expect(answered.slice(all.length - taken)).toEqual(Array.from({ length: taken }, () => 200));
    expect(server.connections.unsentBytes).toBe(0);
    const before = server.gateway.calls.length;
    server.connections.hold('dev', SEARCHES.unsentBytesPerCallerMax, SEARCHES);
    expect((await server.ask({ path: SEARCH, unchecked: true })).status).toBe(503);
    expect(server.gateway.calls.length).toBe(before);
    server.connections.hold('dev', -SEARCHES.unsentBytesPerCallerMax, SEARCHES);
    expect((await server.ask({ path: SEARCH, unchecked: true })).status).toBe(200);
  });

  test('keep no room for a client that went away before they began', async () => {
    await start();
    let decide = (): void => {};
    const plain = server.gateway.onAuthenticate;
    const asked = new Promise<void>((resolve) => {
      server.gateway.onAuthenticate = (token) => {
        resolve();
        return new Promise<void>((decided) => (decide = decided)).then(() => plain(token));
      };
    });
    const { peer, serverSide } = await silent(get(SEARCH, `Authorization: Bearer ${TOKEN}\r\n`));
    await asked;
    peer.resetAndDestroy();
    await new Promise((resolve) => serverSide.once('close', resolve));
    decide();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(server.connections.unsentBytes).toBe(0);
    expect(server.gateway.calls).toEqual([]);
  });

  test('of a JSON-RPC batch end with what one answer may hold, and say which call to send alone', async () => {
    await start();
    server.gateway.onRpc = longAnswer(1.5 * MIB);
    const body = Array.from({ length: 6 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'block', params: {} }));
    const answer = await server.ask({ method: 'POST', path: '/rpc', body: JSON.stringify(body), unchecked: true });
    const outcomes = (answer.body as { id: number; result?: string; error?: { code: number; data: string } }[]).map(
      ({ result, error }) => error?.data ?? result?.length,
    );
    expect(outcomes).toEqual([
      1.5 * MIB,
      1.5 * MIB,
      1.5 * MIB,
      ...Array.from({ length: 3 }, () => expect.stringContaining('send this request alone')),
    ]);
  });
});

describe('requests sent ahead', () => {
  test('are served one after the other, each when the answer before it was taken', async () => {
    await start();
    const releases: (() => void)[] = [];
    let asked = (): void => {};
    server.gateway.onRpc = () =>
      new Promise((resolve) => {
        releases.push(() => resolve({ ok: true, json: String(releases.length) }));
        asked();
      });
    const next = () => new Promise<void>((resolve) => (asked = resolve));
    const first = next();
    const connection = raw().send(get('/rpc/block').repeat(40));
    await first;
    const order: string[] = [];
    for (let i = 0; i < 40; i++) {
      expect(releases).toHaveLength(i + 1);
      const following = i < 39 ? next() : undefined;
      releases[i]?.();
      order.push((await connection.answer())?.body ?? '');
      await following;
    }
    expect(order.map((body) => (JSON.parse(body) as { result: number }).result)).toEqual(
      Array.from({ length: 40 }, (_, i) => i + 1),
    );
    expect(server.connections.pipelined).toBe(0);
    // The connection is as good as before.
    server.gateway.onRpc = longAnswer(10);
    expect((await connection.send(get('/rpc/block')).answer())?.status).toBe(200);
  });

  test('hold one long answer in memory, not all of them', async () => {
    await start({ noProgressMsMax: NEVER_MS });
    server.gateway.onRpc = longAnswer(16 * MIB);
    const { peer } = await silent('');
    await answered(() => peer.write(get('/rpc/block').repeat(40)));
    await server.ask({ path: '/chain' });
    expect(server.gateway.calls.filter(({ method }) => method === 'rpc')).toHaveLength(1);
    expect(server.connections.unsentBytes).toBeLessThan(17 * MIB);
  });

  test('with bodies, of which the last comes in pieces, all arrive', async () => {
    await start();
    server.gateway.onRpc = async (_method, args) => ({ ok: true, json: JSON.stringify(args) });
    const bodies = [1, 2, 3].map((height) => JSON.stringify({ height: String(height) }));
    const post = (body: string) =>
      `POST /rpc/block HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const bytes = bodies.map(post).join('');
    const connection = raw().send(bytes.slice(0, -8));
    const answers = [await connection.answer(), await connection.answer()];
    connection.send(bytes.slice(-8));
    answers.push(await connection.answer());
    expect(answers.map((answer) => (JSON.parse(answer?.body ?? '') as { result: unknown }).result)).toEqual([
      { height: 1 },
      { height: 2 },
      { height: 3 },
    ]);
  });

  test('that are broken behind one whose answer is on its way are refused after it', async () => {
    await start({ requestMsMax: 300 });
    let release = (): void => {};
    const plain = server.gateway.onChain;
    server.gateway.onChain = () => new Promise<void>((resolve) => (release = resolve)).then(plain);
    const late = once(server.server, 'clientError');
    const connection = raw().send(
      `${get('/chain')}POST /rpc/block HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    );
    await late;
    release();
    expect((await connection.answer())?.status).toBe(200);
    expect((await connection.problem()).status).toBe(408);
    await connection.closed();
  });

  test('in too great a number end the connection', async () => {
    await start();
    server.gateway.onChain = () => new Promise(() => undefined);
    const connection = raw().send(get('/chain').repeat(PIPELINED_PER_CONNECTION_MAX + 2));
    await connection.closed();
    expect(server.gateway.calls).toHaveLength(1);
    expect(server.connections.pipelined).toBe(0);
    expect(await metric('http_connections_cut_off_total{reason="pipelined"}')).toBe(1);
  });
});

describe('connections beyond their number', () => {
  test('of one address are answered 503 and closed, and others are served', async () => {
    await start({ connectionsPerAddressMax: 2 });
    const taken = await silent('');
    await silent('');
    const refused = raw();
    const answer = await refused.answer();
    expect(answer).toMatchObject({ status: 503, headers: { connection: 'close', 'retry-after': '1' } });
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({ code: 'server_busy', retriable: true });
    for (const operation of ['GET /livez', 'POST /transactions', 'GET /rpc/status', 'POST /rpc']) {
      expect(contractFaults(operation, 503, answer?.headers ?? {}, Buffer.from(answer?.body ?? ''))).toEqual([]);
    }
    await refused.closed();
    const other = await silent(get('/chain'), '127.0.0.2');
    const [first] = (await once(other.peer.resume(), 'data')) as [Buffer];
    expect(first.toString()).toMatch(/^HTTP\/1.1 200 /);
    // A place is free as soon as one has gone.
    taken.peer.destroy();
    await once(taken.serverSide, 'close');
    expect((await raw().send(get('/chain')).answer())?.status).toBe(200);
    expect(server.connections.figures).toMatchObject({ refused: 1, open: 3 });
  });

  test('of all addresses are refused too, and those of a trusted proxy only then', async () => {
    await start({ connectionsMax: 4, connectionsPerAddressMax: 1, trustedProxies: ['127.0.0.0/30'] });
    for (let i = 0; i < 4; i++) await silent('');
    expect((await raw().answer())?.status).toBe(503);
  });

  test('that send a request with their first bytes get the refusal nevertheless', async () => {
    await start({ connectionsMax: 1 });
    await silent('');
    const refused = raw().send(get('/chain') + 'x'.repeat(100_000));
    expect((await refused.answer())?.status).toBe(503);
    expect(server.gateway.calls).toEqual([]);
  });
});

describe('connections on which nothing is asked', () => {
  let laterMs: number;
  let connections: Connections;
  let shared: SharedUses;
  let plain: Server;
  let waiting: ServerResponse[];
  let arrived: Socket[];

  const ofThread = (max: number): Connections =>
    new Connections({
      connectionsMax: max,
      connectionsPerAddressMax: max,
      shared,
      trustedProxies: [],
      clock: { ...realClock, monotonicMs: () => realClock.monotonicMs() + laterMs },
    });

  /** Takes `max` connections; `isUpgraded`: those that count as websockets, by the order in which they come. */
  async function listen(max: number, isUpgraded: (at: number) => boolean, uses = ownUses(max)): Promise<void> {
    server = await new TestServer({}).start();
    laterMs = 0;
    shared = uses;
    connections = ofThread(max);
    waiting = [];
    plain = createServer((asked, answer) =>
      connectionOf(asked.socket)?.take(asked, answer, (_, response) => void waiting.push(response)),
    );
    connections.guard(plain, () => 'HTTP/1.1 503 Service Unavailable\r\n\r\n');
    arrived = [];
    plain.on('connection', (socket: Socket) => {
      const connection = connectionOf(socket);
      if (connection !== undefined) connection.isUpgraded = isUpgraded(arrived.length);
      arrived.push(socket);
    });
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
  }

  afterEach(() => {
    plain.closeAllConnections();
    plain.close();
  });

  async function join(localAddress = '127.0.0.1'): Promise<Socket> {
    const { port } = plain.address() as AddressInfo;
    const peer = connect({ port, host: '127.0.0.1', localAddress });
    peer.on('error', () => undefined);
    open.push(peer);
    const before = arrived.length;
    while (arrived.length === before) await new Promise((resolve) => setTimeout(resolve, 1));
    return peer;
  }

  test('make room for others while places are few; those that are answered on, and websockets, do not', async () => {
    const max = 16;
    await listen(max, (at) => at === 0);
    const peers: Socket[] = [];
    for (let at = 0; at < max - 1; at += 1) peers.push(await join());
    peers[1]?.write(get('/'));
    while (waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    laterMs = IDLE_KEPT_MS + 1;
    const gone = once(peers[2] as Socket, 'close');
    const late = await join();
    await gone;
    expect(connections.figures.cut.idle).toBe(1);
    expect([peers[0], peers[1], late].map((peer) => peer?.destroyed)).toEqual([false, false, false]);
    expect(connections.figures.refused).toBe(0);
  });

  test('are ended and counted once, however many arrive before they are closed', async () => {
    const max = 32;
    const [few, idle] = [max * CONNECTIONS_KEPT_FREE, max * CONNECTIONS_KEPT_FREE - 1];
    await listen(max, (at) => at >= idle);
    for (let at = 0; at < max - few; at += 1) await join();
    laterMs = IDLE_KEPT_MS + 1;
    const peers = Array.from({ length: few }, () => new Socket());
    for (const peer of peers) plain.emit('connection', peer);
    expect(connections.figures.cut.idle).toBe(idle);
    for (const peer of peers) peer.destroy();
  });

  describe('and all places are taken', () => {
    const MAX = 64;
    const MANY = ['127.0.0.2', '127.0.0.3'];
    const took = async (bytes: number): Promise<void> => {
      while (arrived.reduce((sum, socket) => sum + socket.bytesRead, 0) < bytes)
        await new Promise((resolve) => setTimeout(resolve, 1));
    };

    /** Two addresses take all places, each connection sending this. */
    async function fill(sent: string): Promise<Socket[]> {
      await listen(MAX, () => false);
      const peers: Socket[] = [];
      for (let at = 0; at < MAX; at += 1) {
        const peer = await join(MANY[at % 2]);
        if (sent !== '') peer.write(sent);
        peer.resume();
        peers.push(peer);
      }
      await took(MAX * sent.length);
      return peers;
    }

    const KINDS: [string, string, boolean, number][] = [
      ['that sent nothing', '', false, 0],
      ['that were answered just now', get('/'), true, 0],
      ['with half a header', 'GET / HTTP/1.1\r\nHo', false, REQUEST_BEGUN_MS_MAX],
      [
        'with half a body',
        'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{',
        false,
        REQUEST_BEGUN_MS_MAX,
      ],
    ];
    test.each(KINDS)('by few addresses %s, others get theirs from these', async (_, sent, isAnswered, afterMs) => {
      const peers = await fill(sent);
      if (isAnswered) {
        for (const response of waiting) response.end();
        while (waiting.some(({ closed }) => !closed)) await new Promise((resolve) => setTimeout(resolve, 1));
      }
      laterMs = afterMs;
      const others: Socket[] = [];
      for (let at = 0; at < 8; at += 1) others.push(await join(`127.0.1.${at % 4}`));
      expect(connections.figures).toMatchObject({ refused: 0, open: MAX, cut: { idle: 8 } });
      expect(others.map(({ destroyed }) => destroyed)).toEqual(others.map(() => false));
      while (peers.filter(({ destroyed }) => destroyed).length < 8)
        await new Promise((resolve) => setTimeout(resolve, 1));
      expect(MANY.map((_, at) => peers.filter((peer, of) => of % 2 === at && !peer.destroyed).length)).toEqual([
        MAX / 2 - 4,
        MAX / 2 - 4,
      ]);
    });

    test('those with a whole request stay, until they are answered', async () => {
      await fill(get('/'));
      laterMs = REQUEST_BEGUN_MS_MAX;
      const refused = await join('127.0.1.1');
      await once(refused.resume(), 'close');
      expect(connections.figures).toMatchObject({ refused: 1, cut: { idle: 0 } });
      waiting[0]?.end();
      while (waiting[0]?.closed === false) await new Promise((resolve) => setTimeout(resolve, 1));
      await join('127.0.1.1');
      expect(connections.figures).toMatchObject({ refused: 1, cut: { idle: 1 }, open: MAX });
    });

    test('those whose answers are not read go when nothing of these was taken for a while', async () => {
      const few = 8;
      await listen(few, () => false);
      for (let at = 0; at < few; at += 1) (await join(MANY[at % 2])).write(get('/'));
      while (waiting.length < few) await new Promise((resolve) => setTimeout(resolve, 1));
      for (const response of waiting) response.end(Buffer.alloc(8 * MIB));
      for (const socket of arrived) connectionOf(socket)?.watchUnsent();
      // Each is found with a whole request.
      await once((await join('127.0.1.1')).resume(), 'close');
      expect(connections.figures).toMatchObject({ refused: 1, cut: { idle: 0 } });
      laterMs = UNREAD_KEPT_MS;
      while (!arrived.some((socket) => connectionOf(socket)?.isUnread))
        await new Promise((resolve) => setTimeout(resolve, 1));
      await join('127.0.1.1');
      expect(connections.figures).toMatchObject({ refused: 1, open: few, cut: { idle: 1 } });
    });

    test('the place of one that goes passes to the arrival, and no other thread finds it free in between', async () => {
      await fill('');
      const found: string[] = [];
      for (const socket of arrived) {
        const destroy = socket.destroy.bind(socket);
        socket.destroy = () => {
          found.push(shared.take(PLACE.connection, '192.0.2.1', MAX, MAX));
          return destroy();
        };
      }
      await join('127.0.1.1');
      expect(found).toEqual(['all']);
      expect(connections.figures).toMatchObject({ refused: 0, open: MAX, cut: { idle: 1 } });
    });

    test('by another thread, arrivals at this one find its own, and make room in them', async () => {
      const own = (MAX * CONNECTIONS_OF_THREADS) / 2;
      await listen(MAX, () => false, new SharedUses(sharedMemory({ threads: 2, connectionsMax: MAX })));
      const other = ofThread(MAX);
      const elsewhere = createServer();
      other.guard(elsewhere, () => '');
      const peers = Array.from({ length: MAX }, () => new Socket());
      for (const peer of peers) elsewhere.emit('connection', peer);
      expect(other.figures).toMatchObject({ open: MAX - own, refused: own });
      for (let at = 0; at < own; at += 1) await join(MANY[0]);
      for (let at = 0; at < 8; at += 1) await join(`127.0.1.${at % 4}`);
      expect(connections.figures).toMatchObject({ refused: 0, open: own, cut: { idle: 8 } });
      // Given back, they are free for any thread but for those of the other one.
      for (const peer of peers) peer.destroy();
      while (other.figures.open > 0) await new Promise((resolve) => setTimeout(resolve, 1));
      for (let at = 0; at < MAX - 2 * own; at += 1) await join(MANY[1]);
      expect(connections.figures).toMatchObject({ refused: 0, open: MAX - own });
      expect(shared.connections).toBe(MAX);
    });

    test('no address loses one to another that has as many, or the few that are always its own', async () => {
      await listen(2 * CONNECTIONS_NEVER_TAKEN, () => false);
      for (let at = 0; at < 2 * CONNECTIONS_NEVER_TAKEN; at += 1) await join(MANY[at % 2]);
      await once((await join('127.0.1.1')).resume(), 'close');
      expect(connections.figures).toMatchObject({ refused: 1, cut: { idle: 0 } });
      laterMs = IDLE_KEPT_MS;
      await join('127.0.1.1');
      expect(connections.figures).toMatchObject({ refused: 1 });
      expect(connections.figures.cut.idle).toBeGreaterThan(0);
    });
  });
});

describe('through a trusted proxy', () => {
  /** Sends a request over a connection of its own and resolves with the status; what does not end stays open. */
  const statusAs = (client: string, ask: string, headers: Record<string, string> = {}): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const asked = request(
        {
          port: server.port,
          host: '127.0.0.1',
          path: ask,
          agent: false,
          headers: { Authorization: `Bearer ${TOKEN}`, 'X-Forwarded-For': client, ...headers },
        },
        ({ statusCode }) => resolve(statusCode),
      );
      asked.on('socket', (socket) => open.push(socket));
      asked.on('upgrade', () => resolve(101));
      asked.on('error', reject);
      asked.end();
    });

  test.each([1, 2])(
    'a client has as many requests in flight as it could have connections, with %d thread',
    async (threads) => {
      const shared = threads === 1 ? undefined : new SharedUses(sharedMemory({ threads, connectionsMax: 100 }));
      await start({
        trustedProxies: ['127.0.0.1'],
        connectionsMax: 100,
        connectionsPerAddressMax: 2,
        ...(shared && { shared }),
      });
      const waiting: (() => void)[] = [];
      server.gateway.onRpc = () => new Promise((resolve) => waiting.push(() => resolve({ ok: true, json: '{}' })));
      /** Resolves when the request is being worked on. */
      const began = async (client: string): Promise<{ status: Promise<number | undefined> }> => {
        const before = waiting.length;
        const status = statusAs(client, '/rpc/status');
        while (waiting.length === before) await new Promise((resolve) => setImmediate(resolve));
        return { status };
      };
      const first = [await began('203.0.113.1'), await began('203.0.113.1')];
      // What a client writes into the header itself changes nothing: the last address is the proxy's.
      expect(await statusAs('198.51.100.9, 203.0.113.1', '/chain')).toBe(503);
      expect(await statusAs('203.0.113.1', '/livez')).toBe(200);
      expect(await statusAs('203.0.113.2', '/chain')).toBe(200);
      await began('2001:db8:1:2::1');
      await began('2001:db8:1:2::ffff');
      expect(await statusAs('2001:db8:1:2:3::4', '/chain')).toBe(503);
      expect(await statusAs('2001:db8:1:3::1', '/chain')).toBe(200);
      for (const end of waiting) end();
      for (const { status } of first) expect(await status).toBe(200);
      while ((await statusAs('203.0.113.1', '/chain')) !== 200) await new Promise((resolve) => setImmediate(resolve));
      for (const socket of open.splice(0)) socket.destroy();
      while (server.connections.figures.open > 0) await new Promise((resolve) => setTimeout(resolve, 10));
      expect(server.connections.addresses).toBe(0);
    },
  );

  test('a client has its number of streams and of websockets, and no other pays for it', async () => {
    await start({
      trustedProxies: ['127.0.0.1'],
      websocketsPerClientMax: 2,
      eventStreams: { all: 100, perAddress: 2, perToken: 100 },
    });
    const stream = (client: string) => statusAs(client, '/events', { Accept: 'text/event-stream' });
    const socket = (client: string) =>
      statusAs(client, '/rpc/websocket', {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
      });
    for (const [ask, taken, full] of [
      [stream, 200, 429],
      [socket, 101, 429],
    ] as const) {
      const statuses = [];
      for (const client of ['203.0.113.1', '203.0.113.1', '203.0.113.1', '203.0.113.2'])
        statuses.push(await ask(client));
      expect(statuses).toEqual([taken, taken, full, taken]);
    }
  });
});

describe('a connection whose peer never closes', () => {
  const UPGRADE =
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

  const KINDS = {
    'half a request': 'GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n',
    'no request': '',
    'broken bytes': 'nonsense\r\n\r\n',
    'headers that are too large': `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    'a tunnel': 'CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n',
    'a websocket of another host': get('/rpc/websocket', UPGRADE).replace('127.0.0.1', 'evil.example'),
    'a request that closes': get('/livez', 'Connection: close\r\n'),
    'half a body, refused already': `POST /transactions HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer x${TOKEN}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
  };

  test('is gone a second after our end of it, whatever it sent', async () => {
    await start({ requestMsMax: 200 });
    const left = new Set(Object.keys(KINDS));
    for (const [kind, bytes] of Object.entries(KINDS)) {
      const { serverSide } = await silent(bytes);
      if (serverSide.destroyed) left.delete(kind);
      else serverSide.once('close', () => left.delete(kind));
    }
    // What stays, stays forever: the test would end by its own limit, and name nothing.
    for (const endMs = performance.now() + 10_000; left.size > 0 && performance.now() < endMs;)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect([...left]).toEqual([]);
    expect(server.connections.figures.open).toBe(0);
  });

  test('and of which there is no room for another is gone too', async () => {
    await start({ connectionsMax: 1 });
    await silent('');
    const { serverSide } = await silent('');
    await once(serverSide, 'close');
    expect(server.connections.figures.open).toBe(1);
  });

  test('but has ended its side is closed on ours, with an answer under way or without', async () => {
    await start();
    server.gateway.onChain = () => new Promise(() => undefined);
    const idle = await silent('');
    idle.peer.end();
    await once(idle.serverSide, 'close');
    const asked = once(server.server, 'request');
    const busy = await silent(get('/chain'));
    await asked;
    busy.peer.end();
    await once(busy.serverSide, 'close');
  });
});

describe('the same over TLS', () => {
  /** A secret that both sides know needs no certificate. */
  const PSK = { ciphers: 'PSK-AES128-GCM-SHA256', maxVersion: 'TLSv1.2' } as const;
  const KEY = Buffer.alloc(16, 1);
  const LONG = 24 * MIB;
  let secure: HttpsServer;
  let connections: Connections;

  let laterMs = 0;

  async function startSecure(noProgressMsMax: number, max = 2): Promise<void> {
    await start();
    laterMs = 0;
    connections = new Connections({
      connectionsMax: max,
      shared: ownUses(max),
      connectionsPerAddressMax: max,
      trustedProxies: [],
      clock: { ...realClock, monotonicMs: () => realClock.monotonicMs() + laterMs },
      noProgressMsMax,
    });
    secure = createHttpsServer({ ...PSK, pskCallback: () => KEY });
    connections.guard(secure, () => 'never sent');
    secure.on('request', (asked, answer) =>
      connectionOf(asked.socket)?.take(asked, answer, (request, response) => {
        response.writeHead(200, { 'content-length': LONG }).end('x'.repeat(LONG));
        connections.hold('peer', LONG, ANONYMOUS);
        response.once('close', () => connections.hold('peer', -LONG, ANONYMOUS));
        connectionOf(request.socket)?.watchUnsent();
      }),
    );
    await new Promise<void>((resolve) => {
      secure.listen(0, '127.0.0.1', resolve);
    });
  }

  afterEach(() => {
    secure.closeAllConnections();
    secure.close();
  });

  async function client(localAddress = '127.0.0.1'): Promise<TLSSocket> {
    const { port } = secure.address() as AddressInfo;
    const socket = connectTls({
      socket: connect({ port, host: '127.0.0.1', localAddress }),
      ...PSK,
      pskCallback: () => ({ psk: KEY, identity: 'test' }),
      checkServerIdentity: () => undefined,
    });
    open.push(socket);
    socket.on('error', () => undefined);
    await once(socket, 'secureConnect');
    return socket;
  }

  test('a steady reader is served to its end, and one that stops is cut off', async () => {
    await startSecure(1_200);
    const steady = await client();
    let received = 0;
    steady.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (Math.floor(received / MIB) === Math.floor((received - chunk.length) / MIB)) return;
      steady.pause();
      setTimeout(() => steady.resume(), 70);
    });
    steady.write(get('/', 'Connection: close\r\n'));
    await once(steady, 'end');
    expect(received).toBeGreaterThan(LONG);
    const stopped = await client();
    stopped.pause();
    const arrives = once(secure, 'request') as Promise<[unknown, ServerResponse]>;
    stopped.write(get('/'));
    const [, response] = await arrives;
    expect(connections.unsentBytes).toBe(LONG);
    await once(response, 'close');
    expect(connections.figures).toMatchObject({ unsentBytes: 0, cut: { no_progress: 1 } });
  });

  test('idle connections, and handshakes that do not go on, make room for another address', async () => {
    const [shakes, idle] = [2, CONNECTIONS_NEVER_TAKEN];
    await startSecure(NEVER_MS, shakes + idle);
    const { port } = secure.address() as AddressInfo;
    const begun: Socket[] = [];
    for (let at = 0; at < shakes; at += 1) {
      const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' });
      open.push(socket.resume());
      socket.on('error', () => undefined);
      begun.push(socket);
    }
    while (connections.figures.open < shakes) await new Promise((resolve) => setTimeout(resolve, 5));
    const secured: TLSSocket[] = [];
    for (let at = 0; at < idle; at += 1) secured.push((await client('127.0.0.2')).resume());
    const gone = (sockets: Socket[]): number => sockets.filter(({ destroyed }) => destroyed).length;
    const settle = async (count: number): Promise<void> => {
      while (gone([...begun, ...secured]) < count) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    await client();
    await settle(1);
    expect([gone(begun), gone(secured)]).toEqual([0, 1]);
    // The two that are the address's own stay, until it holds more again.
    for (const socket of secured) socket.destroy();
    while (connections.figures.open > shakes + 1) await new Promise((resolve) => setTimeout(resolve, 5));
    begun.push(connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' }).resume());
    open.push(begun.at(-1) as Socket);
    while (connections.figures.open < shakes + idle) await new Promise((resolve) => setTimeout(resolve, 5));
    laterMs = REQUEST_BEGUN_MS_MAX;
    await client('127.0.0.3');
    await settle(idle + 1);
    expect(gone(begun)).toBe(1);
    expect(connections.figures).toMatchObject({ open: shakes + idle, refused: 0, cut: { idle: 2 } });
  });

  test('a connection too many is reset before its handshake', async () => {
    await startSecure(NEVER_MS);
    await client();
    await client();
    const socket = connect((secure.address() as AddressInfo).port, '127.0.0.1');
    open.push(socket);
    socket.on('error', () => undefined);
    await new Promise((resolve) => socket.once('close', resolve));
    expect(connections.figures).toMatchObject({ open: 2, refused: 1 });
  });
});
