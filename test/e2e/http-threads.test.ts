/** The product with several HTTP threads: they share the work, and to a client they are one service with one set of limits. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { removeTemporaryFolders, temporaryFolder } from '../app/support.ts';
import { chainOf, type Chain } from './support/development.ts';
import { call, freePort, READY_MS_MAX, Server, txledger } from './support/server.ts';

const THREADS = ['main', 'http-2', 'http-3'];
const CONNECTIONS_PER_ADDRESS = 60;
const WEBSOCKETS_PER_ADDRESS = 7;
const UNITS_PER_S = 50;
const BURST = 2 * UNITS_PER_S;
/** In a drain, when no request is left (server/app/http-service.ts). */
const CONNECTIONS_CLOSED_AFTER_MS = 200;
const TEST_MS_MAX = 2 * READY_MS_MAX;
/** Connections that are held until they are on the main thread and on another one. */
const HELD_MAX = 96;

let port: number;
let chain: Chain<Server>;

const variables = {
  HTTP_THREADS: '3',
  BLOCK_INTERVAL_MS: '50',
  TXLEDGER_CONNECTIONS_PER_IP_MAX: String(CONNECTIONS_PER_ADDRESS),
  TXLEDGER_WEBSOCKETS_PER_IP_MAX: String(WEBSOCKETS_PER_ADDRESS),
  TXLEDGER_RATE_PER_TOKEN_PER_S: String(UNITS_PER_S),
  TXLEDGER_RATE_PER_IP_PER_S: '1000000',
};

beforeAll(async () => {
  port = await freePort();
  const server = new Server({ dataDir: await temporaryFolder('threads'), port, variables });
  await server.start();
  chain = chainOf(server, await server.development());
}, TEST_MS_MAX);

afterAll(async () => {
  await chain.server.stop('SIGKILL');
  await removeTemporaryFolders();
});

/** Lines of requests, as the log has them. */
function requests(): { thread: string; requestId: string; route: string; status: number; txHash?: string }[] {
  return chain.server.output
    .split('\n')
    .filter((line) => line.includes('"msg":"request"'))
    .map((line) => JSON.parse(line));
}

/** A token with a quota of its own. */
async function token(): Promise<{ id: string; text: string }> {
  const { stdout } = await txledger(
    ['token', 'create', '--owner', 'dev', '--scope', 'transactions:read', '--scope', 'transactions:write', '--json'],
    chain.server.storeVariables,
  );
  const { id, token: text } = JSON.parse(stdout);
  return { id, text };
}

async function metric(name: string): Promise<number> {
  const { body } = await call(`${chain.server.baseUrl}/metrics`);
  return Number(
    String(body)
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.split(' ')[1],
  );
}

/** What the service notices after its client, it notices soon. */
async function becomes(holds: () => Promise<boolean>): Promise<void> {
  for (const endMs = performance.now() + READY_MS_MAX; !(await holds());) {
    if (performance.now() > endMs) throw new Error('it did not become so');
    // Without a turn of the event loop nothing that the server prints would be read.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** A connection, and whether it was answered or refused. */
async function opened(): Promise<{ socket: Socket; status: number }> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  const closed = new Promise<[Buffer]>((resolve) => socket.once('close', () => resolve([Buffer.alloc(0)])));
  const [chunk] = await Promise.race([once(socket, 'data') as Promise<[Buffer]>, closed]);
  return { socket, status: Number(/^HTTP\/1\.1 (\d+)/.exec(chunk.toString('latin1'))?.[1] ?? 0) };
}

describe('several HTTP threads', () => {
  test('serve transfers of many connections on each of them, and /metrics tells the sum whoever answers it', async () => {
    const { text } = await token();
    const bodies = Array.from({ length: 40 }, (_, nonce) => chain.signed(0, 1, 1n, nonce));
    for (const body of bodies) {
      const { status } = await call(`${chain.server.baseUrl}/transactions`, {
        method: 'POST',
        token: text,
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      });
      expect(status).toBe(202);
    }
    const counted = await Promise.all(
      Array.from({ length: 9 }, () =>
        metric('http_request_duration_seconds_count{method="POST",route="/transactions",status="202"}'),
      ),
    );
    expect(new Set(counted)).toEqual(new Set([bodies.length]));
    const lines = requests().filter(({ route, status }) => route === '/transactions' && status === 202);
    expect([...new Set(lines.map(({ thread }) => thread))].toSorted()).toEqual(THREADS.toSorted());
    expect(new Set(lines.map(({ requestId }) => requestId)).size).toBe(bodies.length);
    expect(await metric('txledger_token_lookups_total{id="unknown"}')).toBeGreaterThan(1);
  });

  test('take no more connections of one address than one thread would', async () => {
    const connections = await Promise.all(Array.from({ length: 3 * CONNECTIONS_PER_ADDRESS }, opened));
    const taken = connections.filter(({ status }) => status === 200);
    expect(taken.length).toBe(CONNECTIONS_PER_ADDRESS);
    for (const { socket } of connections) socket.destroy();
    await becomes(async () => (await metric('http_connections')) === 1);
  });

  test('take no more websockets of one address', async () => {
    const sockets = await Promise.all(
      Array.from({ length: 3 * WEBSOCKETS_PER_ADDRESS }, async () => {
        const socket = new WebSocket(`ws://127.0.0.1:${port}/rpc/websocket`);
        const isOpen = await once(socket, 'open').then(
          () => true,
          () => false,
        );
        return { socket, isOpen };
      }),
    );
    expect(sockets.filter(({ isOpen }) => isOpen).length).toBe(WEBSOCKETS_PER_ADDRESS);
    expect(await metric('rpc_websockets')).toBe(WEBSOCKETS_PER_ADDRESS);
    for (const { socket, isOpen } of sockets) if (isOpen) socket.terminate();
    await becomes(async () => (await metric('rpc_websockets')) === 0);
  });

  test('spend the quota of a token together', async () => {
    const { text } = await token();
    const startedMs = performance.now();
    const statuses: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: 40 }, () =>
          call(`${chain.server.baseUrl}/accounts/${chain.account(0).address}`, { token: text }),
        ),
      );
      statuses.push(...answers.map(({ status }) => status));
    }
    const passed = statuses.filter((status) => status === 200).length;
    const cameBack = ((performance.now() - startedMs) / 1000) * UNITS_PER_S;
    expect(passed).toBeGreaterThanOrEqual(BURST);
    expect(passed).toBeLessThanOrEqual(BURST + cameBack + 1);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
  });

  test(
    'never read back: each answer reflects the block that it names, and one that names a least height no less, on whichever thread',
    async () => {
      const { baseUrl } = chain.server;
      const lag: number[] = [];
      const progress = { isPaid: false };
      const pay = async (): Promise<void> => {
        const { text } = await token();
        for (let nonce = 0; nonce < 60; nonce += 1) {
          const { status } = await call(`${baseUrl}/transactions`, {
            method: 'POST',
            token: text,
            body: JSON.stringify(chain.signed(7, 8, 1n, nonce)),
            headers: { 'content-type': 'application/json' },
          });
          expect(status).toBe(202);
          await sleep(20);
        }
        progress.isPaid = true;
      };
      const read = async (): Promise<void> => {
        const { text } = await token();
        let highest = 0;
        for (let at = 0; !progress.isPaid || at < 6; at += 1) {
          const path = [
            '/transactions?limit=20',
            `/accounts/${chain.account(7).address}`,
            '/transactions?limit=20&status=committed',
            '/events?limit=20',
            `/accounts/${chain.account(7).address}/entries`,
            `/transactions/${chain.signed(7, 8, 1n, 0).txHash}`,
          ][at % 6] as string;
          const { status, headers, body } = await call(`${baseUrl}${path}`, {
            token: text,
            headers: { 'Ledger-Height-Min': String(highest) },
          });
          // Its first payment may not be there yet.
          if (status === 404) continue;
          expect([path, status]).toEqual([path, 200]);
          const height = Number(headers.get('ledger-height'));
          expect(height).toBeGreaterThanOrEqual(highest);
          const { transactions = [], events = [], entries = [], history = [] } = body as Record<string, any[]>;
          const shown = [body, ...transactions, ...events, ...entries, ...history].map((each) => each.height ?? 0);
          expect(height).toBeGreaterThanOrEqual(Math.max(...shown));
          if (body.height !== undefined && body.status === undefined) expect(body.height).toBe(height);
          lag.push(height - highest);
          highest = height;
          await sleep(40);
        }
      };
      await Promise.all([pay(), read(), read(), read()]);
      // The chain went on between the reads.
      expect(lag.filter((blocks) => blocks > 0).length).toBeGreaterThan(10);
    },
    TEST_MS_MAX,
  );

  test('refuse a revoked token on every thread within 5 s', async () => {
    const { id, text } = await token();
    const ask = () =>
      call(`${chain.server.baseUrl}/transactions?limit=1`, { token: text }).then(({ status }) => status);
    expect(new Set(await Promise.all(Array.from({ length: 12 }, ask)))).toEqual(new Set([200]));
    await txledger(['token', 'revoke', id], chain.server.storeVariables);
    const revokedMs = performance.now();
    // On twelve connections in a row no thread takes it any more.
    while ((await Promise.all(Array.from({ length: 12 }, ask))).some((status) => status !== 401))
      expect(performance.now() - revokedMs).toBeLessThan(5_000);
  });

  test(
    'leave no room for a second program at their port, however many threads that has',
    async () => {
      const second = new Server({
        dataDir: await temporaryFolder('threads'),
        port,
        variables: { ...variables, TXLEDGER_VALIDATE_RESPONSES: 'false' },
      });
      const child = second.spawn();
      const [code] = (await once(child, 'exit')) as [number];
      expect([code, second.output]).toEqual([
        expect.any(Number),
        expect.stringContaining(`PORT ${port}: another program listens there`),
      ]);
      expect(code).not.toBe(0);
    },
    TEST_MS_MAX,
  );

  test(
    'lose nothing that was acknowledged when they are killed',
    async () => {
      const acknowledged: string[] = [];
      const { text } = await token();
      const send = async (account: number): Promise<void> => {
        for (let nonce = 0; ; nonce += 1) {
          const body = chain.signed(account, 0, 1n, nonce);
          const answer = await call(`${chain.server.baseUrl}/transactions`, {
            method: 'POST',
            token: text,
            body: JSON.stringify(body),
            headers: { 'content-type': 'application/json' },
          }).catch(() => undefined);
          if (answer?.status !== 202) return;
          acknowledged.push(body.txHash);
        }
      };
      const load = Promise.all([1, 2, 3, 4, 5].map(send));
      while (acknowledged.length < 40) await new Promise((resolve) => setImmediate(resolve));
      await chain.server.stop('SIGKILL');
      await load;
      await chain.server.start();
      const found = new Set((await chain.list()).map(({ txHash }) => txHash));
      expect(acknowledged.filter((txHash) => !found.has(txHash))).toEqual([]);
    },
    TEST_MS_MAX,
  );

  test(
    'answer what is in flight on each of them before the process ends with 0, and no line of theirs is lost',
    async () => {
      const { host, hostname } = new URL(chain.server.baseUrl);
      const hold = async (at: number) => {
        const body = JSON.stringify(chain.signed(6, 0, 1n, at));
        const socket = connect(port, hostname);
        await once(socket, 'connect');
        let answer = '';
        socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
        const closed = once(socket, 'close');
        // The log tells which thread has the connection.
        socket.write(`GET /livez HTTP/1.1\r\nHost: ${host}\r\nX-Request-Id: thread-${at}\r\n\r\n`);
        while (!answer.includes('"ok"')) await once(socket, 'data');
        socket.write(
          `POST /transactions HTTP/1.1\r\nHost: ${host}\r\nX-Request-Id: held-${at}\r\nAuthorization: Bearer ${chain.dev.token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
        );
        // Its request is being served.
        while (!answer.includes('100 Continue')) await once(socket, 'data');
        return { socket, body, at, answer: closed.then(() => answer) };
      };
      const threadOf = (at: number): string | undefined =>
        requests().find(({ requestId }) => requestId === `thread-${at}`)?.thread;
      const isOnMain = (at: number): boolean => threadOf(at) === 'main';
      // The system chooses the threads, and on a busy machine it may choose few of them for many connections.
      const held: Awaited<ReturnType<typeof hold>>[] = [];
      do {
        held.push(...(await Promise.all(Array.from({ length: 12 }, (_, index) => hold(held.length + index)))));
        await becomes(async () => held.every(({ at }) => threadOf(at) !== undefined));
      } while (held.length < HELD_MAX && new Set(held.map(({ at }) => isOnMain(at))).size < 2);
      const exit = chain.server.stop('SIGTERM');
      // Each thread keeps an answer about its readiness for a tenth of a second.
      await becomes(async () => {
        const everywhere = await Promise.all(Array.from({ length: 12 }, () => call(`${chain.server.baseUrl}/readyz`)));
        return everywhere.every(({ status }) => status === 503);
      });
      const parts = [held.filter(({ at }) => isOnMain(at)), held.filter(({ at }) => !isOnMain(at))];
      for (const part of parts) {
        expect(part).not.toEqual([]);
        for (const { socket, body } of part) socket.write(body);
        for (const { answer } of part) expect(await answer).toMatch(/HTTP\/1\.1 (202|503) /);
        // The main thread has nothing more to answer, and waits for the others: longer than it would leave their connections open.
        await sleep(2 * CONNECTIONS_CLOSED_AFTER_MS);
      }
      expect(await exit).toBe(0);
      const lines = requests().filter(({ requestId }) => requestId.startsWith('held-'));
      expect(lines.length).toBe(held.length);
      expect(new Set(lines.map(({ thread }) => thread)).size).toBeGreaterThan(1);
    },
    TEST_MS_MAX,
  );
});
