/** The ABCI socket: frames however they are cut, and peers that are no node. Whatever comes ends a connection at most, never the process. */
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Request } from 'cosmjs-types/tendermint/abci/types';
import { FRAME_BYTES_MAX, FrameError, FrameReader } from '../../server/engine/cometbft/app/index.ts';
import {
  AbciServer,
  ACTIVE_MS,
  CONNECTIONS_MAX,
  FRAME_MS_MAX,
  TURN_MS,
} from '../../server/engine/cometbft/app/socket-abci-server.ts';
import { printed, spawnSource } from '../app/support.ts';
import { endChild } from '../support/child-process.ts';
import { AppFixture } from './support/abci-app.ts';
import { AbciClient, requestFrame } from './support/abci-client.ts';
import { realClock } from './support/real-clock.ts';
import { randomNumbers } from './support/random-transactions.ts';
import { VirtualClock } from './support/virtual-clock.ts';

const SEED = 38;
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

describe('frames', () => {
  const messages = [
    Buffer.from('a'),
    Buffer.alloc(0),
    Buffer.alloc(300, 7),
    Buffer.alloc(20_000, 9),
    Buffer.from('end'),
  ];
  const stream = Buffer.concat(
    messages.map((message) => {
      const head: number[] = [];
      let rest = message.length;
      for (; rest >= 0x80; rest >>>= 7) head.push((rest & 0x7f) | 0x80);
      return Buffer.concat([Buffer.from([...head, rest]), message]);
    }),
  );

  test.each([1, 2, 3, 7, 64, 299, 1000, 65_536])('come out whole when the stream is cut every %i bytes', (size) => {
    const reader = new FrameReader();
    const frames: Buffer[] = [];
    for (let at = 0; at < stream.length; at += size) {
      reader.push(stream.subarray(at, at + size));
      for (let frame = reader.next(); frame !== undefined; frame = reader.next()) frames.push(Buffer.from(frame));
    }
    expect(frames.map((frame) => frame.toString('hex'))).toEqual(messages.map((message) => message.toString('hex')));
    expect([reader.bytes, reader.ready, reader.withinFrame]).toEqual([0, false, false]);
  });

  test('have a largest length, and a length has five bytes at most', () => {
    const length = (bytes: number) => {
      const reader = new FrameReader();
      const head: number[] = [];
      let rest = bytes;
      for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) head.push((rest % 0x80) + 0x80);
      reader.push(Buffer.from([...head, rest]));
      return reader;
    };
    expect(length(FRAME_BYTES_MAX).next()).toBeUndefined();
    expect(length(FRAME_BYTES_MAX).withinFrame).toBe(true);
    expect(() => length(FRAME_BYTES_MAX + 1).next()).toThrow(FrameError);
    expect(() => length(2 ** 40).next()).toThrow(/more than 5 bytes/);
  });
});

describe('the server', () => {
  const app = new AppFixture();
  beforeEach(() => app.start());
  afterEach(() => app.stop());
  afterAll(() => app.dispose());

  const closed = async (client: AbciClient) => {
    if (!client.socket.destroyed) await once(client.socket, 'close');
  };
  const expectAlive = async () => {
    const other = await app.connect();
    expect((await other.ask({ echo: { message: 'alive' } })).echo).toEqual({ message: 'alive' });
    expect(app.defects).toEqual([]);
  };

  test('answers a request that comes byte by byte', async () => {
    const client = await app.connect();
    const answer = client.answer();
    for (const byte of requestFrame({ echo: { message: 'slowly' } })) client.socket.write(Buffer.of(byte));
    expect((await answer).echo).toEqual({ message: 'slowly' });
  });

  test('answers a thousand requests of one write in their order, and in few writes', async () => {
    const client = await app.connect();
    const answers = await client.all(Array.from({ length: 1000 }, (_, i) => ({ echo: { message: String(i) } })));
    expect(answers.map(({ echo }) => echo?.message)).toEqual(Array.from({ length: 1000 }, (_, i) => String(i)));
    expect(client.chunks).toBeLessThan(50);
  });

  test('answers a request that is larger than what it reads ahead', async () => {
    const client = await app.connect();
    const message = 'x'.repeat(5_000_000);
    const answers = await client.all([{ echo: { message } }, { flush: {} }]);
    expect(answers[0]?.echo?.message).toHaveLength(message.length);
    expect(answers[1]?.flush).toBeDefined();
  });

  test('ends the connection of whoever sends no frames, and goes on', async () => {
    const below = randomNumbers(SEED);
    for (let i = 0; i < 100; i++) {
      const client = await app.connect();
      client.socket.end(Buffer.from(Array.from({ length: 1 + below(500) }, () => below(256))));
      await closed(client);
    }
    await expectAlive();
  });

  test.each([
    ['a length of terabytes', Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f])],
    ['a length above the bound', Buffer.from([0x81, 0x80, 0x80, 0x32])],
    ['a message that is no protobuf', Buffer.from([3, 0xff, 0xff, 0xff])],
    ['a message that asks for nothing', Buffer.from([0])],
    ['an unknown request', Buffer.from([4, 0xfa, 0x07, 1, 65])],
  ])('ends the connection at %s', async (_name, bytes) => {
    const client = await app.connect();
    client.socket.write(bytes);
    await closed(client);
    expect(app.logs.at(-1)).toMatchObject({ level: 'warn', message: 'a connection is ended' });
    await expectAlive();
  });

  test('what came before a malformed frame is answered', async () => {
    const client = await app.connect();
    const answer = client.answer();
    client.socket.write(requestFrame({ echo: { message: 'first' } }));
    expect((await answer).echo).toEqual({ message: 'first' });
    client.socket.write(Buffer.from([0]));
    await closed(client);
  });

  test('takes the end of a peer, also within a frame', async () => {
    for (const bytes of [Buffer.alloc(0), requestFrame({ echo: { message: 'cut' } }).subarray(0, 4)]) {
      const client = await app.connect();
      client.socket.end(bytes);
      await closed(client);
    }
    await expectAlive();
  });

  test('refuses a connection too many while those that are open are used', async () => {
    const clients = await Promise.all(Array.from({ length: CONNECTIONS_MAX - 1 }, () => app.connect()));
    for (const client of clients) await client.ask({ info: {} });
    const extra = await app.connect();
    await closed(extra);
    expect(app.logs.some(({ message }) => message === 'a connection too many is refused')).toBe(true);
    expect((await clients[3]!.ask({ echo: { message: 'still here' } })).echo).toBeDefined();
    clients[0]!.close();
    await closed(clients[0]!);
  });

  describe('that is full of connections which ask for nothing', () => {
    const clock = new VirtualClock(0);
    const socket = () => path.join(app.dataDir, 'full.sock');
    let server: AbciServer;
    let clients: AbciClient[];
    const connect = async (): Promise<AbciClient> => {
      const client = await AbciClient.connect({ path: socket() });
      clients.push(client);
      // Answered or closed, it was accepted by now, and whoever made room for it is gone.
      const gone = new Promise<void>((resolve) =>
        client.socket.on('error', () => undefined).once('close', () => resolve()),
      );
      await Promise.race([client.ask({ echo: { message: 'there' } }).catch(() => gone), gone]);
      return client;
    };
    const many = async (count: number): Promise<AbciClient[]> => {
      const made: AbciClient[] = [];
      for (let i = 0; i < count; i++) made.push(await connect());
      return made;
    };
    const open = (those: readonly AbciClient[]): number =>
      those.filter(({ socket: { destroyed } }) => !destroyed).length;

    beforeEach(async () => {
      clients = [];
      server = new AbciServer({
        answer: (request) =>
          request.echo
            ? { echo: { message: request.echo.message } }
            : {
                info: {
                  data: '',
                  version: '',
                  appVersion: 0n,
                  lastBlockHeight: 0n,
                  lastBlockAppHash: new Uint8Array(0),
                },
              },
        onDefect: () => undefined,
        later: setImmediate,
        clock,
        logger: quiet,
      });
      await server.listen({ path: socket() });
    });
    afterEach(async () => {
      for (const client of clients) client.close();
      await server.close();
    });

    test('lets a node in, with all four connections, and never cuts one of them while it works', async () => {
      const idle = await many(CONNECTIONS_MAX);
      await clock.advance(60_000);
      const node = await many(4);
      expect([open(idle), open(node)]).toEqual([CONNECTIONS_MAX - 4, 4]);
      // Of the four one is used now and then, and the others not at all.
      for (let second = 0; second < 100; second += 10) {
        await node[0]!.ask({ info: {} });
        await clock.advance(10_000);
        await many(5);
        expect(open(node)).toBe(4);
      }
    });

    test('lets it in at once, also when it uses the first of its four before it opens the others', async () => {
      const idle = await many(CONNECTIONS_MAX);
      const [first] = await many(1);
      await first!.ask({ info: {} });
      const others = await many(3);
      expect([open([first!, ...others]), open(idle)]).toEqual([4, CONNECTIONS_MAX - 4]);
    });

    test('lets it in again after a restart, also where each of the others once asked for something', async () => {
      const once = await many(CONNECTIONS_MAX);
      for (const client of once) await client.ask({ info: {} });
      expect(open(await many(1))).toBe(0);
      await clock.advance(ACTIVE_MS + 1);
      const node = await many(4);
      expect([open(once), open(node)]).toEqual([CONNECTIONS_MAX - 4, 4]);
    });
  });

  test('takes the place of a socket file that a killed process left, and of no other', async () => {
    const file = path.join(app.dataDir, 'left.sock');
    const listener = spawnSource(
      `import net from 'node:net'; net.createServer().listen(${JSON.stringify(file)}, () => console.log('listening'));`,
    );
    await printed(listener, 'listening');
    const server = new AbciServer({
      answer: () => undefined,
      onDefect: () => undefined,
      later: setImmediate,
      clock: new VirtualClock(0),
      logger: quiet,
    });
    await expect(server.listen({ path: file })).rejects.toThrow(/EADDRINUSE/);
    await endChild(listener, 'SIGKILL');
    expect(existsSync(file)).toBe(true);
    await server.listen({ path: file });
    await server.close();
    const document = path.join(app.dataDir, 'document');
    writeFileSync(document, 'not a socket');
    await expect(server.listen({ path: document })).rejects.toThrow(/EADDRINUSE/);
    expect(readFileSync(document, 'utf8')).toBe('not a socket');
  });
});

describe('turns', () => {
  const app = new AppFixture();
  afterEach(() => app.dispose());

  test('execute a few requests of each connection, and lose none of a peer that sends more than is read ahead', async () => {
    let nowMs = 0;
    let ofThisTurn = 0;
    let longestTurn = 0;
    const executed: string[] = [];
    const server = new AbciServer({
      // Each request takes a millisecond.
      answer: ({ echo }: Request) => {
        nowMs += 1;
        longestTurn = Math.max(longestTurn, ++ofThisTurn);
        executed.push(echo?.message.slice(0, 5) ?? '');
        return { echo: { message: '' } };
      },
      onDefect: () => undefined,
      later: (fn) =>
        setImmediate(() => {
          ofThisTurn = 0;
          fn();
        }),
      clock: { ...realClock, monotonicMs: () => nowMs },
      logger: quiet,
    });
    await server.listen({ path: app.socketPath });
    const [busy, other] = [
      await AbciClient.connect({ path: app.socketPath }),
      await AbciClient.connect({ path: app.socketPath }),
    ];
    // Three megabytes, of which one is read ahead.
    const messages = Array.from({ length: 3000 }, (_, i) => ({ echo: { message: `a${i}`.padEnd(1024, '.') } }));
    const all = busy.all(messages);
    await other.ask({ echo: { message: 'other' } });
    expect((await all).length).toBe(3000);
    expect(executed).toHaveLength(3001);
    expect(executed.indexOf('other')).toBeLessThan(100);
    expect(longestTurn).toBeLessThanOrEqual(TURN_MS + 1);
    busy.close();
    other.close();
    await server.close();
  });
});

describe('a peer that stops within a frame', () => {
  const app = new AppFixture();
  afterEach(() => app.dispose());

  test('is cut off after a minute, and one that is idle between frames is not', async () => {
    const clock = new VirtualClock(0);
    const server = new AbciServer({
      answer: (request: Request) => (request.echo ? { echo: request.echo } : undefined),
      onDefect: () => undefined,
      later: setImmediate,
      clock,
      logger: quiet,
    });
    await server.listen({ path: app.socketPath });
    const [idle, stuck] = [
      await AbciClient.connect({ path: app.socketPath }),
      await AbciClient.connect({ path: app.socketPath }),
    ];
    await idle.ask({ echo: { message: 'a' } });
    await stuck.ask({ echo: { message: 'b' } });
    stuck.socket.write(requestFrame({ echo: { message: 'half' } }).subarray(0, 3));
    // One answer on another connection says that what was sent before it has arrived.
    for (let i = 0; i < 20; i++) await idle.ask({ echo: { message: 'c' } });
    await clock.advance(FRAME_MS_MAX - 1);
    expect(stuck.socket.destroyed).toBe(false);
    await clock.advance(1);
    if (!stuck.socket.destroyed) await once(stuck.socket, 'close');
    expect((await idle.ask({ echo: { message: 'd' } })).echo).toEqual({ message: 'd' });
    idle.close();
    await server.close();
  });
});
