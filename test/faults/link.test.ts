/** The relay of test/faults: a fault that does nothing would show nothing. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { freePort } from '../e2e/support/server.ts';
import { Link } from './link.ts';

let echo: Server;
let link: Link;
const sockets: Socket[] = [];

beforeEach(async () => {
  echo = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.pipe(socket);
  });
  await once(echo.listen(0, '127.0.0.1'), 'listening');
  link = await Link.open('a link', await freePort(), (echo.address() as AddressInfo).port);
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  link.close();
  echo.close();
});

interface Client {
  socket: Socket;
  text: () => string;
  /** Resolves when this was received. */
  receives: (text: string) => Promise<void>;
}

function client(): Client {
  const socket = connect(link.port, '127.0.0.1');
  sockets.push(socket);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  socket.on('error', () => undefined);
  const received = (): string => text;
  const receives = async (expected: string): Promise<void> => {
    while (received() !== expected) await once(socket, 'data');
  };
  return { socket, text: received, receives };
}

/** So long that a byte on loopback would have come. */
const quietMs = 100;
const quiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, quietMs));

test('what is sent arrives, in both directions, with its end', async () => {
  const { socket, receives } = client();
  socket.write('one');
  await receives('one');
  const ended = once(socket, 'end');
  socket.end(' two');
  await receives('one two');
  await ended;
  expect(link.moved).toEqual({ up: 7, down: 7 });
});

test.each([[['up', 'down']], [['up']], [['down']]] as const)(
  'a cut of %j moves nothing there, keeps the connection, and hands everything on when it is over',
  async (directions) => {
    const { socket, text, receives } = client();
    socket.write('before');
    await receives('before');
    const { up, down } = link.moved;
    link.cut([...directions]);
    socket.write(' meanwhile');
    await quiet();
    expect(text()).toBe('before');
    if (link.isCut('up')) expect(link.moved.up).toBe(up);
    if (link.isCut('down')) expect(link.moved.down).toBe(down);
    expect(socket.destroyed).toBe(false);
    await link.heal();
    await receives('before meanwhile');
  },
);

test('a cut link accepts connections, and they work when the cut is over', async () => {
  link.cut();
  const { socket, receives, text } = client();
  await once(socket, 'connect');
  socket.write('hello');
  await quiet();
  expect(text()).toBe('');
  expect(link.tries).toBeGreaterThan(0);
  await link.heal();
  await receives('hello');
});

test('an end that falls into a cut is told when the cut is over', async () => {
  const { socket, receives } = client();
  socket.write('hello');
  await receives('hello');
  const far = sockets.find((other) => other !== socket) as Socket;
  link.cut();
  let isEnded = false;
  far.once('end', () => (isEnded = true));
  socket.end();
  await quiet();
  expect(isEnded).toBe(false);
  const ended = once(far, 'end');
  await link.heal();
  await ended;
});

test('a reset reaches both ends, and a link that refuses takes no connection until it is healed', async () => {
  const { socket, receives } = client();
  socket.write('hello');
  await receives('hello');
  const far = sockets.find((other) => other !== socket) as Socket;
  const broken = [socket, far].map((end) => new Promise((resolve) => end.once('close', resolve)));
  link.refuse();
  await Promise.all(broken);
  const [refusal] = (await once(client().socket, 'error')) as [NodeJS.ErrnoException];
  expect(refusal.code).toBe('ECONNREFUSED');
  await link.heal();
  const again = client();
  again.socket.write('again');
  await again.receives('again');
});

test('a delay delays, keeps the order, and ends with the fault', async () => {
  const { socket, receives, text } = client();
  socket.write('a');
  await receives('a');
  link.delayMs = 2 * quietMs;
  socket.write('b');
  await quiet();
  expect(text()).toBe('a');
  link.delayMs = 0;
  socket.write('c');
  await receives('abc');
});

test('forgotten connections move nothing and are told nothing; new ones work', async () => {
  const { socket, receives, text } = client();
  socket.write('a');
  await receives('a');
  expect(link.forget()).toBe(1);
  socket.write('b');
  await link.heal();
  await quiet();
  expect(text()).toBe('a');
  expect(socket.destroyed).toBe(false);
  const other = client();
  other.socket.write('c');
  await other.receives('c');
});
