/**
 * Several hosts in the URL of the database: which one is used. Needs no PostgreSQL: servers that speak as much of its protocol as the question
 * takes (PostgreSQL documentation, 55.7 "Message Formats") can be promoted, hung and forked at will. Real ones: test/database/run.ts.
 */
import { afterEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { Logger } from '../../server/engine/ports.ts';
import { parseAddress } from '../../server/store/postgres/address.ts';
import { Primary } from '../../server/store/postgres/primary.ts';
import { freePort } from '../e2e/support/server.ts';

/** What is promised after a promotion, and what a host that hangs may cost. */
const FOUND_MS_MAX = 5000;
const HANGING_COSTS_MS_MAX = 1000;

const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const int16 = (value: number): Buffer => int32(value).subarray(2);
const message = (type: string, ...parts: (Buffer | string)[]): Buffer => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
};
const GREETING = Buffer.concat([message('R', int32(0)), message('Z', 'I')]);
const BOOL = 16;
const TEXT = 25;

class FakeServer {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  standby: boolean;
  timeline = 1;
  systemId = '7000000000000000001';
  hangs = false;

  private constructor(port: number, server: Server, standby: boolean) {
    this.port = port;
    this.#server = server;
    this.standby = standby;
    server.on('connection', (socket) => this.#meet(socket));
  }

  static async start(standby: boolean): Promise<FakeServer> {
    const port = await freePort();
    const server = createServer();
    const fake = new FakeServer(port, server, standby);
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return fake;
  }

  stop(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #meet(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => {
      if (!this.hangs) socket.write(GREETING);
      socket.on('data', (chunk) => {
        if (chunk.toString('latin1', 0, 1) === 'Q' && !this.hangs) socket.write(this.#answer());
      });
    });
  }

  #answer(): Buffer {
    const columns = [
      ['standby', BOOL],
      ['system_id', TEXT],
      ['timeline', TEXT],
    ] as const;
    const described = columns.map(([name, type]) =>
      Buffer.concat([Buffer.from(`${name}\0`), int32(0), int16(0), int32(type), int16(-1), int32(-1), int16(0)]),
    );
    const timeline = this.standby ? '' : this.timeline.toString(16).padStart(8, '0');
    const values = [this.standby ? 't' : 'f', this.systemId, timeline].map((text) =>
      Buffer.concat([int32(text.length), Buffer.from(text)]),
    );
    return Buffer.concat([
      message('T', int16(columns.length), ...described),
      message('D', int16(columns.length), ...values),
      message('C', 'SELECT 1\0'),
      message('Z', 'I'),
    ]);
  }
}

const running: { stop(): void }[] = [];
afterEach(() => {
  for (const each of running.splice(0)) each.stop();
});

interface Setup {
  first: FakeServer;
  second: FakeServer;
  primary: Primary;
  refused: string[];
  /** Port of the server that connections go to. */
  found(): Promise<number>;
  moved(): Promise<number>;
}

async function setUp(): Promise<Setup> {
  const first = await FakeServer.start(false);
  const second = await FakeServer.start(true);
  const refused: string[] = [];
  const logger: Logger = {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: (facts) => void refused.push(String((facts as { why?: unknown }).why)),
  };
  const primary = new Primary(
    parseAddress(`postgres://u@127.0.0.1:${first.port},127.0.0.1:${second.port}/db?target_session_attrs=read-write`),
    logger,
  );
  running.push({ stop: () => primary.close() }, first, second);
  const portOf = (text: string): number => Number(/:(\d+)\//.exec(text)?.[1]);
  const found = async (): Promise<number> => portOf((await primary.find()).text);
  const moved = (): Promise<number> =>
    new Promise((resolve) => {
      const forget = primary.onMoved(() => {
        forget();
        resolve(portOf(primary.host.text));
      });
    });
  return { first, second, primary, refused, found, moved };
}

async function within<T>(msMax: number, work: () => Promise<T>): Promise<T> {
  const beganMs = performance.now();
  const result = await work();
  expect(performance.now() - beganMs).toBeLessThan(msMax);
  return result;
}

test('the primary is found at the start, wherever in the list it is', async () => {
  const { first, second, found } = await setUp();
  [first.standby, second.standby] = [true, false];
  expect(await found()).toBe(second.port);
});

test('a host that hangs in connect does not hold up the others', async () => {
  const { first, second, found } = await setUp();
  first.hangs = true;
  [first.standby, second.standby] = [true, false];
  expect(await within(HANGING_COSTS_MS_MAX, found)).toBe(second.port);
});

test('after a promotion the new primary is found, whether the old one is gone or hangs', async () => {
  for (const how of ['gone', 'hangs'] as const) {
    const { first, second, found, primary, moved } = await setUp();
    expect(await found()).toBe(first.port);
    const movedTo = moved();
    if (how === 'gone') first.stop();
    else first.hangs = true;
    [second.standby, second.timeline] = [false, 2];
    if (how === 'gone') primary.suspect();
    expect(await within(FOUND_MS_MAX, () => movedTo)).toBe(second.port);
    expect(await found()).toBe(second.port);
  }
}, 20_000);

test('of two primaries the one on the older timeline is refused, with its name in the log, also when it alone is left', async () => {
  const { first, second, found, primary, refused, moved } = await setUp();
  expect(await found()).toBe(first.port);
  const movedTo = moved();
  [second.standby, second.timeline] = [false, 2];
  expect(await within(FOUND_MS_MAX, () => movedTo)).toBe(second.port);
  expect(refused).toEqual([
    'its timeline 1 is older than 2: another server was promoted after it, and lacks what this one confirms',
  ]);
  second.stop();
  primary.suspect();
  await expect(primary.find()).rejects.toMatchObject({
    name: 'StoreUnavailableError',
    message: expect.stringMatching(/can be used as the primary: .*its timeline 1 is older than 2.*; 127\.0\.0\.1:/),
  });
});

test('two primaries on one timeline are refused at the start, and while one of them is in use the other', async () => {
  const { first, second, found, primary, refused } = await setUp();
  second.standby = false;
  await expect(primary.find()).rejects.toMatchObject({
    message: expect.stringContaining('another host is a primary on the same timeline 1'),
  });
  const later = await setUp();
  expect(await later.found()).toBe(later.first.port);
  later.second.standby = false;
  later.primary.suspect();
  expect(await later.found()).toBe(later.first.port);
  expect(later.refused).toHaveLength(1);
  expect(refused.length).toBeGreaterThan(0);
  expect([first.port, second.port]).not.toContain(await found().catch(() => 0));
});

test('a server of another cluster is no copy and is never used', async () => {
  const { first, second, found, primary, refused } = await setUp();
  expect(await found()).toBe(first.port);
  [second.standby, second.timeline, second.systemId] = [false, 9, '7000000000000000002'];
  primary.suspect();
  expect(await found()).toBe(first.port);
  expect(refused[0]).toContain(
    'it belongs to another cluster: its system identifier is 7000000000000000002, expected 7000000000000000001',
  );
  first.stop();
  primary.suspect();
  await expect(primary.find()).rejects.toMatchObject({ name: 'StoreUnavailableError' });
});
