import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { trackRequests } from '../../server/app/drain.ts';
import { createClock } from '../../server/app/environment.ts';

let server: Server | undefined;

afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve));
});

/** A server whose answers wait until the test gives them. */
async function heldServer(): Promise<{
  tracker: ReturnType<typeof trackRequests>;
  arrived: (n: number) => Promise<ServerResponse[]>;
  get: () => Promise<IncomingMessage>;
  port: number;
}> {
  const responses: ServerResponse[] = [];
  const mine = createServer((_request, response) => {
    responses.push(response);
    mine.emit('arrived');
  });
  server = mine;
  const tracker = trackRequests(mine, createClock());
  mine.listen(0, '127.0.0.1');
  await once(mine, 'listening');
  const { port } = mine.address() as AddressInfo;
  return {
    tracker,
    port,
    arrived: async (n) => {
      while (responses.length < n) await once(mine, 'arrived');
      return responses;
    },
    get: async () => {
      const [response] = (await once(
        request({ port, host: '127.0.0.1', agent: false, headers: { connection: 'keep-alive' } }).end(),
        'response',
      )) as [IncomingMessage];
      response.resume();
      return response;
    },
  };
}

const LONG_MS = 60_000;

describe('a drain', () => {
  test('with nothing in flight ends at once', async () => {
    const { tracker } = await heldServer();
    expect(await tracker.drain(LONG_MS)).toBe(0);
  });

  test('waits for the requests in flight, and asks their connections to close', async () => {
    const { tracker, arrived, get } = await heldServer();
    const answer = get();
    const [held] = await arrived(1);
    let drained = false;
    const drain = tracker.drain(LONG_MS).then((left) => {
      drained = true;
      return left;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(drained).toBe(false);
    held?.end('ok');
    expect((await answer).headers.connection).toBe('close');
    expect(await drain).toBe(0);
  });

  test('answers requests that arrive meanwhile but does not wait for them', async () => {
    const { tracker, arrived, get } = await heldServer();
    const first = get();
    const [held] = await arrived(1);
    const drain = tracker.drain(LONG_MS);
    const second = get();
    await arrived(2);
    held?.end('ok');
    expect(await drain).toBe(0);
    await first;
    (await arrived(2))[1]?.end('late');
    expect((await second).headers.connection).toBe('close');
  });

  test('gives up at its limit and says how many were left', async () => {
    const { tracker, arrived, get } = await heldServer();
    const answer = get();
    const [held] = await arrived(1);
    expect(await tracker.drain(1)).toBe(1);
    held?.end('ok');
    await answer;
  });

  test('does not wait for a client that went away', async () => {
    const { tracker, arrived, port } = await heldServer();
    const client = request({ port, host: '127.0.0.1', agent: false }).end();
    client.on('error', () => undefined);
    await arrived(1);
    const drain = tracker.drain(LONG_MS);
    client.destroy();
    expect(await drain).toBe(0);
  });
});
