/** The network side of the engine over CometBFT nodes: real connections on loopback to servers that answer, hang, break, or say too much. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { CALLS_PER_NODE_MAX, CONNECTIONS_PER_NODE_MAX } from '../../server/engine/cometbft/limits.ts';
import { SocketNodePort } from '../../server/engine/cometbft/nodes/socket-node-port.ts';
import type { Clock } from '../../server/engine/ports.ts';
import { realClock } from './support/real-clock.ts';

const LIMITS = { timeoutMs: 5_000, answerBytesMax: 1_000_000 };

const servers: Server[] = [];
const ports: SocketNodePort[] = [];
const sockets = new Set<Socket>();

afterEach(async () => {
  for (const port of ports.splice(0)) port.close();
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

function open(clock: Clock = realClock): SocketNodePort {
  const port = new SocketNodePort(clock);
  ports.push(port);
  return port;
}

async function listen(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => answer(request, response, Buffer.concat(chunks).toString()));
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

describe('a call', () => {
  test('posts JSON and takes the body of the answer whatever its status, over a connection that is kept', async () => {
    let connections = 0;
    const { url, server } = await listen((request, response, body) => {
      response.writeHead(500, { 'cache-control': 'public, max-age=86400' });
      response.end(`${request.method} ${request.headers['content-type']} ${body}`);
    });
    server.on('connection', () => (connections += 1));
    const port = open();
    for (let i = 0; i < 3; i++)
      expect(await port.call(url, `{"i":"ü${i}"}`, LIMITS)).toBe(`POST application/json {"i":"ü${i}"}`);
    expect(connections).toBe(1);
  });

  test('is given up when answers of many calls at once pass what may be read together, and leaves room when it ends', async () => {
    // None of them ends before one was given up: together they are read, whatever the machine does meanwhile.
    const half = 'x'.repeat(300_000);
    const begun: ServerResponse[] = [];
    let isHeld = true;
    const { url } = await listen((_request, response) => {
      response.write(half);
      if (isHeld) begun.push(response);
      else response.end(half);
    });
    const port = new SocketNodePort(realClock, 1_000_000);
    ports.push(port);
    const calls = Array.from({ length: 6 }, () =>
      port.call(url, '{}', LIMITS).then(
        () => 'read',
        (error: { kind: string }) => error.kind,
      ),
    );
    expect(await Promise.race(calls)).toBe('busy');
    isHeld = false;
    for (const response of begun) response.end(half);
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['read', 'busy']));
    for (let i = 0; i < 3; i++) expect((await port.call(url, '{}', LIMITS)).length).toBe(600_000);
  });

  test('to nobody is refused', async () => {
    const { url, server } = await listen(() => undefined);
    await new Promise((resolve) => server.close(resolve));
    await expect(open().call(url, '{}', LIMITS)).rejects.toMatchObject({ name: 'NodeFailure', kind: 'refused' });
  });

  test('that is never answered is given up after its time', async () => {
    const { url } = await listen(() => undefined);
    await expect(open().call(url, '{}', { ...LIMITS, timeoutMs: 50 })).rejects.toMatchObject({
      kind: 'lost',
      message: 'no answer within 50 ms',
    });
  });

  test("that is given up on a kept connection is not sent again behind the caller's back", async () => {
    let requests = 0;
    const { url, server } = await listen((_, response) => {
      requests += 1;
      if (requests === 1) response.end('{}');
    });
    const port = open();
    await port.call(url, '{}', LIMITS);
    const closed = new Promise((resolve) => [...sockets][0]?.once('close', resolve));
    await expect(port.call(url, '{}', { ...LIMITS, timeoutMs: 50 })).rejects.toThrow('no answer within 50 ms');
    await closed;
    // One that came from nowhere would have to open a connection, and would be here before this one.
    let others = 0;
    server.on('connection', () => (others += 1));
    await expect(port.call(url, '{}', { ...LIMITS, timeoutMs: 50 })).rejects.toThrow('no answer within 50 ms');
    expect([requests, others]).toEqual([3, 1]);
  });

  test('whose answer never ends is given up too, and its connection is not used again', async () => {
    const { url } = await listen((_, response) => response.write('{'));
    await expect(open().call(url, '{}', { ...LIMITS, timeoutMs: 50 })).rejects.toMatchObject({ kind: 'lost' });
  });

  test('whose answer is too long is cut off as soon as it is', async () => {
    let sent = 0;
    const { url } = await listen((_, response) => {
      const chunk = Buffer.alloc(64 * 1024, 'a');
      const more = (): void => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length;
      };
      response.on('drain', more);
      more();
    });
    await expect(open().call(url, '{}', LIMITS)).rejects.toMatchObject({
      kind: 'too_large',
      message: 'the answer is longer than 1000000 bytes',
    });
    // What the system holds between the two is all that is sent beyond the bound.
    expect(sent).toBeLessThan(20_000_000);
  });

  test('that breaks in the middle is lost, once as it is sent and once as it is answered', async () => {
    const { url } = await listen((request, response, body) => {
      if (body === 'early') request.socket.destroy();
      else response.write('{', () => request.socket.destroy());
    });
    await expect(open().call(url, 'early', LIMITS)).rejects.toMatchObject({ kind: 'lost' });
    await expect(open().call(url, 'late', LIMITS)).rejects.toMatchObject({ kind: 'lost' });
  });

  test('on a kept connection that the node closed meanwhile goes out again on a new one, once', async () => {
    let answered = 0;
    const { url } = await listen((request, response, body) => {
      // From the second request on the connection is reset as the request comes.
      if (answered > 0 && body === 'stale') {
        answered = 0;
        request.socket.resetAndDestroy();
      } else {
        answered += 1;
        response.end(body);
      }
    });
    const port = open();
    expect(await port.call(url, 'first', LIMITS)).toBe('first');
    expect(await port.call(url, 'stale', LIMITS)).toBe('stale');
  });

  test('waits while the connections to its node are all in use, and is refused when too many wait', async () => {
    const held: ServerResponse[] = [];
    const { url, server } = await listen((_, response) => held.push(response));
    let connections = 0;
    server.on('connection', () => (connections += 1));
    const port = open();
    const calls = Array.from({ length: CALLS_PER_NODE_MAX }, () =>
      port.call(url, '{}', { ...LIMITS, timeoutMs: 60_000 }),
    );
    await expect(port.call(url, '{}', LIMITS)).rejects.toMatchObject({ kind: 'busy' });
    const work = { isOver: false };
    const all = Promise.all(calls).then(() => (work.isOver = true));
    while (!work.isOver) {
      for (const response of held.splice(0)) response.end('ok');
      await new Promise((resolve) => setImmediate(resolve));
    }
    await all;
    expect(connections).toBe(CONNECTIONS_PER_NODE_MAX);
    const last = port.call(url, '{}', LIMITS);
    while (held.length === 0) await new Promise((resolve) => setImmediate(resolve));
    held[0]?.end('ok');
    expect(await last).toBe('ok');
  });
});

describe('the websocket', () => {
  /** A node's websocket, and what a subscriber hears of it. */
  async function subscribe(onConnection: (socket: WebSocket) => void, clock?: Clock) {
    const { url, server } = await listen(() => undefined);
    const sockets = new WebSocketServer({ server, path: '/websocket' });
    sockets.on('connection', onConnection);
    const heights: number[] = [];
    let end: (reason: string) => void = () => undefined;
    const ended = new Promise<string>((resolve) => (end = resolve));
    const subscription = open(clock).subscribe(url, { onHeight: (height) => void heights.push(height), onEnd: end });
    return { heights, ended, subscription, sockets };
  }
  const header = (height: number) =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      result: { data: { type: 'tendermint/event/NewBlockHeader', value: { header: { height: String(height) } } } },
    });

  test('asks for headers and tells their heights, until the node closes it', async () => {
    const asked: string[] = [];
    const { heights, ended } = await subscribe((socket) => {
      socket.on('message', (data: Buffer) => {
        asked.push(data.toString());
        socket.send('{"jsonrpc":"2.0","id":1,"result":{}}');
        socket.send(header(7));
        socket.send(header(8), () => socket.close());
      });
    });
    expect(await ended).toBe('the node closed it');
    expect(heights).toEqual([7, 8]);
    expect(asked.map((text) => JSON.parse(text))).toEqual([
      { jsonrpc: '2.0', id: 1, method: 'subscribe', params: { query: "tm.event='NewBlockHeader'" } },
    ]);
  });

  test.each([
    [
      'a refusal',
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error","data":"max_subscription_clients 100 reached"}}',
      /max_subscription_clients/,
    ],
    ['no JSON', '<html>', /refuses the subscription/],
    ['more than a header', 'x'.repeat(2 * 1024 * 1024), /Max payload/],
  ])('ends at %s', async (_, message, reason) => {
    const { ended } = await subscribe((socket) => socket.send(message));
    expect(await ended).toMatch(reason);
  });

  test('ends when there is nobody', async () => {
    const { url, server } = await listen(() => undefined);
    await new Promise((resolve) => server.close(resolve));
    const reason = await new Promise((resolve) => open().subscribe(url, { onHeight: () => undefined, onEnd: resolve }));
    expect(reason).toMatch(/ECONNREFUSED/);
  });

  test('ends when a ping is not answered, and lives on while they are', async () => {
    const timers: (() => void)[] = [];
    const setTimer: Clock['setTimer'] = (fn) => {
      timers.push(fn);
      return { cancel: () => undefined };
    };
    const clock: Clock = { ...realClock, setTimer };
    let silent = false;
    const { heights, ended, sockets } = await subscribe((socket) => {
      // Answers are written by the library; a silent peer is one whose are held back.
      const pong = socket.pong.bind(socket);
      socket.pong = ((...args: Parameters<typeof pong>) => (silent ? undefined : pong(...args))) as typeof socket.pong;
    }, clock);
    const pinged = () => new Promise((resolve) => [...sockets.clients][0]?.once('ping', resolve));
    while (timers.length === 0) await new Promise((resolve) => setImmediate(resolve));
    for (let i = 1; i <= 3; i++) {
      const seen = pinged();
      timers.shift()?.();
      await seen;
      // What is sent after the answer arrives after it.
      for (const client of sockets.clients) client.send(header(i));
      while (heights.length < i) await new Promise((resolve) => setImmediate(resolve));
    }
    silent = true;
    const seen = pinged();
    timers.shift()?.();
    await seen;
    timers.shift()?.();
    expect(await ended).toBe('the node did not answer a ping');
  });

  test('that is closed tells nothing more', async () => {
    let connected: (socket: WebSocket) => void = () => undefined;
    const connection = new Promise<WebSocket>((resolve) => (connected = resolve));
    const { heights, ended, subscription } = await subscribe(connected);
    const socket = await connection;
    const gone = new Promise((resolve) => socket.once('close', () => resolve('gone')));
    socket.send(header(1));
    subscription.close();
    expect(await Promise.race([gone, ended])).toBe('gone');
    expect(heights).toEqual([]);
  });
});
