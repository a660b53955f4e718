/** The websocket of the RPC below the path of PUBLIC_URL, behind a proxy that leaves the path: what reaches the service is what is asked here. */
import { on } from 'node:events';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { temporaryFolder } from '../app/support.ts';
import { freePort, READY_MS_MAX, Server } from './support/server.ts';

let folder: string;
let server: Server;

beforeAll(async () => {
  folder = await temporaryFolder();
  const port = await freePort();
  server = new Server({
    dataDir: path.join(folder, 'data'),
    port,
    variables: { PUBLIC_URL: `http://127.0.0.1:${port}/ledger`, IDLE_BLOCK_INTERVAL_S: '1', HTTP_THREADS: '2' },
  });
  await server.start();
}, 2 * READY_MS_MAX);
afterAll(async () => {
  await server.stop('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

test(
  'answers, subscribes and sends events',
  async () => {
    const { token } = await server.development();
    const socket = new WebSocket(`${server.baseUrl.replace('http', 'ws')}/ledger/rpc/websocket`, {
      headers: { authorization: `Bearer ${token}` },
    });
    try {
      const messages = on(socket, 'message');
      const next = async (): Promise<unknown> => JSON.parse(String(((await messages.next()).value as unknown[])[0]));
      await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
      const ask = (id: number, method: string, params: object): void =>
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      ask(1, 'status', {});
      expect(await next()).toMatchObject({
        id: 1,
        result: { sync_info: { latest_block_height: expect.stringMatching(/^\d+$/) } },
      });
      ask(2, 'subscribe', { query: "tm.event = 'NewBlock'" });
      expect(await next()).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
      expect(await next()).toMatchObject({ id: 2, result: { data: { type: 'tendermint/event/NewBlock' } } });
    } finally {
      socket.terminate();
    }
  },
  READY_MS_MAX,
);
