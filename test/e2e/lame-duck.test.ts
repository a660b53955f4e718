/** SIGTERM with DRAIN_DELAY_S: a balancer hears 503 from /readyz while everything else goes on, and only then does the service drain. */
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { temporaryFolder } from '../app/support.ts';
import { call, freePort, Server } from './support/server.ts';

const DELAY_S = 3;
let folder: string;
let server: Server;
let token: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  server = new Server({
    dataDir: path.join(folder, 'data'),
    port: await freePort(),
    variables: { DRAIN_DELAY_S: String(DELAY_S), HTTP_THREADS: '2' },
  });
  await server.start();
  ({ token } = await server.development());
});
afterAll(async () => {
  await server.stop('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

/** An answer that goes on until the service ends it. */
async function eventStream(): Promise<{ ended: Promise<number> }> {
  const response = await fetch(`${server.baseUrl}/events`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
  });
  const read = async (): Promise<number> => {
    for await (const _ of response.body ?? []) {
      /* until its end */
    }
    return performance.now();
  };
  return { ended: read() };
}

/** Whether a connection is still taken at all. */
const takesConnections = (): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(server.baseUrl).port), '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });

test('between the signal and the drain everything is served but /readyz, on every thread; then streams end, and the process with 0', async () => {
  const stream = await eventStream();
  const atMs = performance.now();
  const ended = server.stop('SIGTERM');
  // The signal takes a moment to arrive; after it no thread says that it is ready.
  while ((await call(`${server.baseUrl}/readyz`)).status === 200)
    expect(performance.now() - atMs).toBeLessThan(1000 * DELAY_S);
  server.signal('SIGTERM');
  const statuses = new Set<string>();
  while (performance.now() - atMs < 500 * DELAY_S) {
    const [ready, live, list] = await Promise.all([
      call(`${server.baseUrl}/readyz`),
      call(`${server.baseUrl}/livez`),
      call(`${server.baseUrl}/transactions`, { token }),
    ]);
    statuses.add(`${ready.status} ${ready.body.code} ${live.status} ${list.status}`);
  }
  expect([...statuses]).toEqual(['503 shutting_down 200 200']);
  // Refused because it is no transfer, not because the service is ending.
  expect(
    (
      await call(`${server.baseUrl}/transactions`, {
        method: 'POST',
        token,
        headers: { 'content-type': 'application/json' },
        body: '{}',
      })
    ).body.code,
  ).toBe('invalid_request');
  expect(await takesConnections()).toBe(true);
  expect((await stream.ended) - atMs).toBeGreaterThan(1000 * DELAY_S - 50);
  expect(await ended).toBe(0);
  expect(performance.now() - atMs).toBeLessThan(1000 * DELAY_S + 10_000);
  expect(server.output).toContain('ending already; the signal is ignored');
}, 60_000);
