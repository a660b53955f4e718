/** What open websockets may cost: places, frames, bytes in both directions, events; and a token that stops to hold. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { EventEmitter, once } from 'node:events';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Principal, Refusal } from '../../server/gateway/types.ts';
import {
  SMALL_ANSWER_BYTES_MAX,
  WS_MESSAGE_BYTES_MAX,
  WS_QUERIES_PER_PULL_MAX,
  WS_STALLED_MS_MAX,
  WS_SUBSCRIPTIONS_PER_CONNECTION_MAX,
} from '../../server/http/limits.ts';
import { ANONYMOUS, callerOf } from '../../server/http/limits/classes.ts';
import type { HttpOptions } from '../../server/http/options.ts';
import { Backlog, type Reader } from '../../server/http/rpc/websocket/backlog.ts';
import { Connection, type ConnectionParts } from '../../server/http/rpc/websocket/connection.ts';
import { ScriptedChain } from './support/scripted-chain.ts';
import { realClock, TestServer } from './support/server.ts';
import { RawConnection } from './support/socket.ts';
import { TOKEN, TOKENS } from './support/stub-gateway.ts';

const servers: TestServer[] = [];
const sockets: WebSocket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate();
  for (const server of servers.splice(0)) await server.stop();
});

async function serve(options: Partial<HttpOptions> = {}): Promise<TestServer> {
  const server = await new TestServer({ trustedProxies: ['127.0.0.1'], validateResponses: false, ...options }).start();
  servers.push(server);
  return server;
}

function socketTo(server: TestServer, { token, from = '10.0.0.1' }: { token?: string; from?: string } = {}): WebSocket {
  const headers = { 'x-forwarded-for': from, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/rpc/websocket`, { headers });
  socket.on('error', () => undefined);
  sockets.push(socket);
  return socket;
}

async function open(...args: Parameters<typeof socketTo>): Promise<WebSocket> {
  const socket = socketTo(...args);
  await once(socket, 'open');
  return socket;
}

/** The status that an upgrade is refused with; 101 when it is not. */
async function upgrade(...args: Parameters<typeof socketTo>): Promise<number> {
  const socket = socketTo(...args);
  return await Promise.race([
    once(socket, 'open').then(() => 101),
    once(socket, 'unexpected-response').then(([, response]) => (response as { statusCode: number }).statusCode),
  ]);
}

async function ask(socket: WebSocket, message: unknown): Promise<any> {
  const answer = once(socket, 'message');
  socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  return JSON.parse(String((await answer)[0]));
}

const subscribe = (socket: WebSocket, query: string, id: number | string = 1) =>
  ask(socket, { jsonrpc: '2.0', id, method: 'subscribe', params: { query } });
const BROADCAST = { jsonrpc: '2.0', id: 1, method: 'broadcast_tx_sync', params: { tx: 'AA==' } };

/** The code and the reason with which the server closes. */
async function closed(socket: WebSocket): Promise<[number, string]> {
  const [code, reason] = (await once(socket, 'close')) as [number, Buffer];
  return [code, reason.toString()];
}

describe('places', () => {
  test('are not given in a full class to who lets more than a small answer wait of it, and to others they are', async () => {
    const server = await serve();
    server.connections.hold('192.0.2.1', ANONYMOUS.unsentBytesMax, ANONYMOUS);
    expect(await upgrade(server)).toBe(101);
    const caller = callerOf(undefined, '10.0.0.1');
    server.connections.hold(caller, SMALL_ANSWER_BYTES_MAX + 1, ANONYMOUS);
    expect(await upgrade(server)).toBe(503);
    server.connections.hold('192.0.2.1', -ANONYMOUS.unsentBytesMax, ANONYMOUS);
    expect(await upgrade(server)).toBe(101);
  });

  test('are counted for each client address, by /64 for IPv6, and given back', async () => {
    const server = await serve({ websocketsPerClientMax: 2 });
    const [first] = [await open(server, { from: '10.0.0.1' }), await open(server, { from: '10.0.0.1' })];
    expect(await upgrade(server, { from: '10.0.0.1' })).toBe(429);
    expect(await upgrade(server, { from: '10.0.0.2' })).toBe(101);
    expect([
      await upgrade(server, { from: '2001:db8::1' }),
      await upgrade(server, { from: '2001:db8::2' }),
      await upgrade(server, { from: '2001:db8::3' }),
    ]).toEqual([101, 101, 429]);
    const gone = once(first, 'close');
    first.close();
    await gone;
    while (!server.log.some(({ message }) => message === 'websocket closed')) await turn();
    expect(await upgrade(server, { from: '10.0.0.1' })).toBe(101);
  });

  test('are taken while a token is checked, and given back when it is not valid', async () => {
    const server = await serve({ websocketsPerClientMax: 1 });
    const pending: ((found: undefined) => void)[] = [];
    server.gateway.onAuthenticate = () => new Promise((resolve) => pending.push(resolve));
    const waiting = upgrade(server, { token: 'txl_slow' });
    while (pending.length === 0) await turn();
    expect(await upgrade(server)).toBe(429);
    pending[0]?.(undefined);
    expect(await waiting).toBe(401);
    expect(await upgrade(server)).toBe(101);
  });
});

describe('the quota of an address', () => {
  const limited = (): Promise<TestServer> =>
    serve({ rateLimits: { perToken: { requests: 1000, windowS: 100 }, perClient: { requests: 20, windowS: 2000 } } });

  test('is charged by upgrades before a token is looked up', async () => {
    const server = await limited();
    let lookups = 0;
    server.gateway.onAuthenticate = async () => void (lookups += 1);
    const statuses = [];
    for (let count = 0; count < 5; count++) statuses.push(await upgrade(server, { token: 'txl_wrong' }));
    expect(statuses).toEqual([401, 401, 429, 429, 429]);
    expect(lookups).toBe(2);
    expect(await upgrade(server, { from: '10.0.0.2' })).toBe(101);
  });

  test('is charged by every frame, also one without an id, and what asks for more costs more', async () => {
    const server = await limited();
    ScriptedChain.behind(server.gateway);
    const socket = await open(server);
    for (let count = 0; count < 4; count++) socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'health' }));
    expect(await subscribe(socket, "tm.event='Tx'", 1)).toMatchObject({ id: 1, result: {} });
    expect(await ask(socket, { jsonrpc: '2.0', id: 2, method: 'block' })).toMatchObject({
      id: 2,
      error: { code: -32000, data: expect.stringContaining('the quota is used up') },
    });
    expect(server.gateway.calls).toEqual([]);
  });

  test('is charged by its bytes, of which a character can have three', async () => {
    const server = await limited();
    ScriptedChain.behind(server.gateway);
    const socket = await open(server);
    socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'health', params: { padding: '\u20ac'.repeat(60_000) } }));
    expect(await subscribe(socket, "tm.event='Tx'", 1)).toMatchObject({
      error: { data: expect.stringContaining('the quota is used up') },
    });
  });
});

describe('what is kept of incoming messages', () => {
  test('is bounded in bytes: nothing more is read while they wait', async () => {
    const server = await serve();
    let carryOn = (): void => {};
    server.gateway.onRpc = () => new Promise((resolve) => (carryOn = () => resolve({ ok: true, json: '{}' })));
    const streams: Socket[] = [];
    server.server.on('connection', (stream: Socket) => streams.push(stream));
    const socket = await open(server);
    const message = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'health',
      params: { padding: 'x'.repeat(200 * 1024) },
    });
    for (let count = 0; count < 32; count++) socket.send(message);
    const [stream] = streams as [Socket];
    while (!stream.isPaused()) await turn();
    expect(stream.bytesRead).toBeLessThan(3 * WS_MESSAGE_BYTES_MAX);
    carryOn();
  });

  test('is bounded in number, whatever came in one piece', async () => {
    const server = await serve();
    server.gateway.onRpc = () => new Promise(() => {});
    const socket = await open(server);
    for (let count = 0; count < 9_000; count++) socket.send('1');
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'health' }));
    for (let count = 0; count < 9_000; count++) socket.send('1');
    expect(await closed(socket)).toEqual([1008, 'too many requests at once']);
  });
});

describe('the backlog of all websockets', () => {
  class Stuck implements Reader {
    unsentBytes = 0;
    isCutOff = false;
    readonly backlog: Backlog;

    constructor(backlog: Backlog) {
      this.backlog = backlog;
    }

    send(bytes: number): void {
      this.unsentBytes += bytes;
      this.backlog.add(this, bytes);
    }

    cutOff(): void {
      this.isCutOff = true;
      const bytes = this.unsentBytes;
      this.unsentBytes = 0;
      this.backlog.remove(this, bytes);
    }
  }

  test('has a bound: those with the most unsent bytes go first, and no more than must', () => {
    const backlog = new Backlog(1000);
    const readers = [100, 300, 200, 350].map((bytes) => {
      const reader = new Stuck(backlog);
      reader.send(bytes);
      return reader;
    });
    readers[0]?.send(100);
    expect(readers.map(({ isCutOff }) => isCutOff)).toEqual([false, false, false, true]);
    expect(backlog.bytes).toBe(700);
  });
});

describe('a token that stops to hold', () => {
  const gone: { name: string; found: () => Promise<Principal | Refusal | undefined>; reason: string }[] = [
    { name: 'revoked or expired', found: async () => undefined, reason: 'the token has expired or was revoked' },
    {
      name: 'of other scopes',
      found: async () => ({ ...(TOKENS[TOKEN] as Principal), scopes: ['transactions:read'] }),
      reason: 'the scopes of the token have changed: connect again',
    },
  ];

  test.each(gone)(
    'closes the websocket at its next call, which is not carried out: $name',
    async ({ found, reason }) => {
      const server = await serve();
      const socket = await open(server, { token: TOKEN });
      expect(await ask(socket, BROADCAST)).toMatchObject({ result: {} });
      server.gateway.onAuthenticate = found;
      const answers: string[] = [];
      socket.on('message', (data: Buffer) => answers.push(String(data)));
      socket.send(JSON.stringify(BROADCAST));
      expect(await closed(socket)).toEqual([1008, reason]);
      expect(answers).toEqual([]);
      expect(server.gateway.calls.filter(({ method }) => method === 'rpc')).toHaveLength(1);
    },
  );

  test('closes the websocket also while it only listens', async () => {
    const server = await serve();
    ScriptedChain.behind(server.gateway);
    const [listening, without] = [await open(server, { token: TOKEN }), await open(server)];
    await subscribe(listening, "tm.event='Tx'");
    await subscribe(without, "tm.event='Tx'");
    server.gateway.onAuthenticate = async () => undefined;
    expect((await closed(listening))[0]).toBe(1008);
    expect(await ask(without, { id: 2, method: 'health' })).toMatchObject({ result: {} });
    expect((await server.registry.metrics()).match(/^rpc_websockets_cut_off_total.*$/m)?.[0]).toBe(
      'rpc_websockets_cut_off_total{reason="token"} 1',
    );
  });

  test('is not taken for good while the store cannot be asked', async () => {
    const server = await serve();
    const socket = await open(server, { token: TOKEN });
    server.gateway.onAuthenticate = async () => ({
      ok: false,
      code: 'store_unavailable',
      detail: 'The store did not answer.',
    });
    expect(await ask(socket, BROADCAST)).toMatchObject({
      error: { code: -32603, data: 'the token cannot be checked at the moment, try again later' },
    });
    expect(server.gateway.calls).toEqual([]);
    server.gateway.onAuthenticate = async (token) => TOKENS[token];
    expect(await ask(socket, BROADCAST)).toMatchObject({ result: {} });
  });
});

describe('a peer that has gone', () => {
  /** Speaks as little of the protocol as a peer can, and answers nothing. */
  async function silent(server: TestServer): Promise<RawConnection> {
    const raw = new RawConnection(server.port);
    const lines = [
      'GET /rpc/websocket HTTP/1.1',
      'Host: ledger.test',
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Version: 13',
    ];
    raw.send([...lines, '', ''].join('\r\n'));
    while (!server.log.some(({ message }) => message === 'websocket opened')) await turn();
    return raw;
  }

  test.each(['TCP', 'TLS'])('differs from a slow reader by what the network takes, over %s', (transport) => {
    const handle = { writeQueueSize: 1000 };
    const outermost = transport === 'TLS' ? { writeQueueSize: 0, _parent: handle } : handle;
    const reasons: string[] = [];
    const connection = new Connection({
      socket: Object.assign(new EventEmitter(), {
        send: () => undefined,
        terminate: () => undefined,
      }) as unknown as WebSocket,
      stream: Object.assign(new PassThrough(), { _handle: outermost }),
      backlog: new Backlog(),
      clock: { ...realClock, monotonicMs: () => 0 },
      onCutOff: (reason: string) => reasons.push(reason),
    } as unknown as ConnectionParts);
    connection.deliver([Buffer.alloc(1000)], true);
    for (let nowMs = 0; nowMs <= 10 * WS_STALLED_MS_MAX; nowMs += WS_STALLED_MS_MAX) {
      handle.writeQueueSize -= 1;
      connection.checkProgress(nowMs);
    }
    expect(reasons).toEqual([]);
    connection.checkProgress(11 * WS_STALLED_MS_MAX);
    expect(reasons).toEqual(['stalled']);
  });

  test('and never answers that the service goes away is cut off', async () => {
    const server = await serve();
    const raw = await silent(server);
    server.rpcSockets.close();
    await raw.closed();
  });

  test.each(['answers', 'does not answer'])(
    'in the middle of what it does not read is cut off while the store %s',
    async (store) => {
      const server = await serve();
      const chain = ScriptedChain.behind(server.gateway);
      await open(server, { token: TOKEN });
      if (store === 'does not answer') server.gateway.onAuthenticate = () => new Promise(() => undefined);
      server.log.length = 0;
      const raw = await silent(server);
      const message = JSON.stringify({ id: 1, method: 'subscribe', params: { query: "tm.event='Tx'" } });
      // A text frame under a mask of zeros (RFC 6455 section 5.2).
      raw.send(Buffer.concat([Buffer.from([0x81, 0x80 | message.length, 0, 0, 0, 0]), Buffer.from(message)]));
      while (!(await server.registry.metrics()).includes('rpc_subscriptions 1')) await turn();
      raw.socket.pause();
      chain.make({ type: 'Tx', value: `"${'x'.repeat(24 * 1024 * 1024)}"` });
      while (!/^rpc_websocket_unsent_bytes [1-9]/m.test(await server.registry.metrics())) await turn();
      raw.socket.end();
      while (!server.log.some(({ message: text }) => text === 'websocket closed')) await turn();
      expect(await server.registry.metrics()).toContain('rpc_websocket_unsent_bytes 0');
      raw.socket.destroy();
    },
  );
});

test('every broadcast has a line in the log', async () => {
  const server = await serve();
  const socket = await open(server, { token: TOKEN });
  server.gateway.onRpc = async () => ({ ok: true, json: '{"code":7,"log":"no","hash":"X"}' });
  await ask(socket, BROADCAST);
  await ask(socket, { id: 2, method: 'health' });
  const opened = server.log.find(({ message }) => message === 'websocket opened');
  const lines = server.log.filter(({ message }) => message === 'broadcast');
  expect(lines).toHaveLength(1);
  expect(lines[0]?.fields).toMatchObject({
    requestId: opened?.fields.requestId,
    method: 'broadcast_tx_sync',
    client: '10.0.0.1',
    tokenId: 'full',
    owner: 'dev',
    txHash: '6E340B9CFFB37A989CA544E6BB780A2C78901D3FB33738768511A30617AFA01D',
    checkCode: 7,
  });
});

describe('events', () => {
  /** The texts of the events that come, without those of answers. */
  const heard = (socket: WebSocket): string[] => {
    const texts: string[] = [];
    socket.on('message', (data: Buffer) => void (data.includes('"query"') && texts.push(String(data))));
    return texts;
  };

  const round = (socket: WebSocket) => ask(socket, { id: 'round', method: 'health' });

  test('one query of many websockets is one for the engine, and its text is made once', async () => {
    const server = await serve();
    const chain = ScriptedChain.behind(server.gateway);
    const listening = [await open(server), await open(server), await open(server)];
    for (const socket of listening) await subscribe(socket, "tm.event = 'Tx'");
    const received = Promise.all(listening.map((socket) => once(socket, 'message')));
    chain.make({ type: 'NewBlock' }, { type: 'Tx' });
    await received;
    expect(chain.pulls.flatMap(({ queries }) => queries.added.map(({ query }) => query))).toEqual(["tm.event = 'Tx'"]);
    expect(chain.textsMade).toBe(1);
  });

  test('a large set of queries goes to the engine in pieces, and no block is looked at with a part of it', async () => {
    const server = await serve({ websocketsPerClientMax: 1_000 });
    const chain = ScriptedChain.behind(server.gateway);
    const count = WS_QUERIES_PER_PULL_MAX / WS_SUBSCRIPTIONS_PER_CONNECTION_MAX + 1;
    const listening = await Promise.all(Array.from({ length: count }, () => open(server)));
    await Promise.all(
      listening.map(async (socket, number) => {
        for (let id = 0; id < WS_SUBSCRIPTIONS_PER_CONNECTION_MAX; id++)
          await subscribe(socket, `tm.event = 'Tx' AND tx.height = ${number}.${id}`);
      }),
    );
    const last = listening.at(-1) as WebSocket;
    await ask(last, { id: 'gone', method: 'unsubscribe_all' });
    await subscribe(last, "tm.event = 'Tx'");
    const received = once(last, 'message');
    chain.make({ type: 'Tx' });
    await received;
    expect(chain.pulls.map(({ limit, queries }) => [limit > 0, queries.added.length])).toEqual([
      [false, WS_QUERIES_PER_PULL_MAX],
      [true, 1],
    ]);
  });

  test('none is lost and none comes twice when a pull fails or the engine knows another set', async () => {
    const server = await serve();
    const chain = ScriptedChain.behind(server.gateway);
    const socket = await open(server);
    const texts = heard(socket);
    await subscribe(socket, "tm.event = 'Tx'");
    const pull = server.gateway.onRpcEvents;
    let failures = 0;
    server.gateway.onRpcEvents = async (request) => {
      const answer = await pull(request);
      failures += 1;
      if (failures === 1) throw new Error('the engine went away after it had looked');
      return failures === 2 ? { known: false } : answer;
    };
    const received = once(socket, 'message');
    chain.make({ type: 'Tx', value: '"one"' });
    await received;
    chain.make({ type: 'Tx', value: '"two"' });
    while (texts.length < 2) await turn();
    expect(chain.pulls.map(({ queries }) => queries.base)).toEqual([0, 0, 0, expect.any(Number)]);
    // A pull that fails before the engine has seen it: the query that it brought must not count as sent.
    await subscribe(socket, "tm.event = 'NewBlock'");
    server.gateway.onRpcEvents = async () => {
      server.gateway.onRpcEvents = pull;
      throw new Error('the engine cannot be reached');
    };
    chain.make({ type: 'NewBlock', value: '"three"' });
    while (texts.length < 3) await turn();
    await round(socket);
    expect(texts.map((text) => JSON.parse(text).result.data.value)).toEqual(['one', 'two', 'three']);
  });

  test('a subscription is answered when no pull without it is under way', async () => {
    const server = await serve();
    const chain = ScriptedChain.behind(server.gateway);
    const [first, second] = [await open(server), await open(server)];
    await subscribe(first, "tm.event = 'NewBlock'");
    let carryOn = (): void => {};
    chain.beforeAnswer = () => new Promise((resolve) => (carryOn = resolve));
    chain.make({ type: 'NewBlock' });
    while (chain.pulls.length === 0) await turn();
    const answers: string[] = [];
    second.on('message', (data: Buffer) => answers.push(String(data)));
    second.send(JSON.stringify({ id: 1, method: 'subscribe', params: { query: "tm.event = 'Tx'" } }));
    await round(first);
    expect(answers).toEqual([]);
    chain.beforeAnswer = async () => {};
    carryOn();
    while (answers.length === 0) await turn();
    chain.make({ type: 'Tx' });
    while (answers.length === 1) await turn();
    expect(answers[1]).toContain('tendermint/event/Tx');
  });

  test('a block that has too much for all subscriptions ends the most expensive subscriptions, the newest first', async () => {
    const server = await serve();
    const chain = ScriptedChain.behind(server.gateway);
    const large = `"${'x'.repeat(1024 * 1024)}"`;
    const queries = Array.from(
      { length: WS_SUBSCRIPTIONS_PER_CONNECTION_MAX },
      (_, spaces) => `${' '.repeat(spaces)}tm.event='NewBlock'`,
    );
    const listening: WebSocket[] = [];
    const ended: number[] = [];
    for (let number = 0; number < 14; number++) {
      const socket = await open(server);
      for (const [id, query] of queries.entries()) await subscribe(socket, query, `${number}.${id}`);
      socket.on('message', (data: Buffer) => {
        if (data.includes('subscription was canceled (reason: out of capacity')) ended.push(number);
      });
      listening.push(socket);
    }
    const cheap = await open(server);
    await subscribe(cheap, "tm.event='NewBlockHeader'");
    const received = once(cheap, 'message');
    const first = heard(listening[0] as WebSocket);
    chain.make({ type: 'NewBlock', value: large }, { type: 'NewBlockHeader' });
    await received;
    while (first.length < 4) await turn();
    for (const socket of listening) await round(socket);
    // Seventy times 1 MiB and a little are over the 64 MiB of a block.
    expect(ended.length).toBeGreaterThanOrEqual(7);
    expect(ended.length).toBeLessThan(10);
    expect((await server.registry.metrics()).match(/^rpc_subscriptions_ended_total (\d+)$/m)?.[1]).toBe(
      String(ended.length),
    );
    expect(listening.every(({ readyState }) => readyState === WebSocket.OPEN)).toBe(true);
  });
});
