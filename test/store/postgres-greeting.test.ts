/**
 * A server that ends a connection in the moment in which it becomes one. Needs no PostgreSQL: what is sent are the
 * first messages of its protocol (PostgreSQL documentation, 55.7 "Message Formats"), in one packet, as a session sends
 * them whose server is killed while it greets.
 */
import { afterEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { openPostgresStore } from '../../server/store/index.ts';
import { freePort } from '../e2e/support/server.ts';

const message = (type: string, ...parts: (Buffer | string)[]): Buffer => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
};

const AUTHENTICATION_OK = message('R', Buffer.alloc(4));
const READY_FOR_QUERY = message('Z', 'I');
const POSTMASTER_GONE = message(
  'E',
  'SFATAL\0',
  'C57P01\0',
  'Mterminating connection due to unexpected postmaster exit\0',
  '\0',
);

let server: Server | undefined;
afterEach(() => void server?.close());

test('a connection that is lost as soon as it is there is no reason to end the process', async () => {
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.concat([AUTHENTICATION_OK, READY_FOR_QUERY, POSTMASTER_GONE])));
  });
  const port = await freePort();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  await expect(openPostgresStore({ url: `postgres://nobody@127.0.0.1:${port}/nothing` })).rejects.toMatchObject({
    name: 'StoreUnavailableError',
  });
});
