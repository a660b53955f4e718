/** Commands beside a running service: over a socket in its folder, and with the lock of the folder where none runs. */
import { afterEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { mkdirSync, statSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import { withAccess } from '../../server/app/access.ts';
import { askService, type CommandCalls, NoServiceError, serveCommands } from '../../server/app/command-socket.ts';
import { dataDirFiles, openDataDir } from '../../server/app/data-dir.ts';
import { DatabaseUnreachableError } from '../../server/app/database-error.ts';
import { lockFolder } from '../../server/app/folder-lock.ts';
import { removeTemporaryFolders, temporaryFolder } from './support.ts';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
/** Longer than the address of a socket may be. */
const LONG = 'a-folder-with-a-long-name-'.repeat(8);
const MODE = 0o777;

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
  await removeTemporaryFolders();
});

const asked: unknown[] = [];
const calls = {
  changes: (actor: string) => ({
    createToken: async (wanted: { owner: string }) => {
      if (wanted.owner === '') throw new RangeError('owner "" is not one');
      asked.push([actor, wanted]);
      return { token: 'txl_1_2', tokenId: '1' };
    },
    revokeToken: async () => {
      throw new Error('the disk is full');
    },
  }),
  caughtUp: async () => undefined,
} as unknown as CommandCalls;

async function serve(folder?: string): Promise<string> {
  const file = path.join(folder ?? (await temporaryFolder('commands')), 'commands.sock');
  const server = await serveCommands(file, calls, silent);
  closing.push(() => server.close());
  return file;
}

async function answerTo(file: string, text: string): Promise<string> {
  const socket = connect(file);
  await once(socket, 'connect');
  socket.end(text);
  let answer = '';
  for await (const part of socket) answer += String(part);
  return answer;
}

test('a service does what a command asks for, in the name of who asks, and says why it does not', async () => {
  asked.length = 0;
  const file = await serve();
  expect(await askService(file, 'createToken', 'user:ann@desk', [{ owner: 'acme' }])).toEqual({
    token: 'txl_1_2',
    tokenId: '1',
  });
  expect(asked).toEqual([['user:ann@desk', { owner: 'acme' }]]);
  await expect(askService(file, 'createToken', 'user:ann@desk', [{ owner: '' }])).rejects.toThrow(
    new RangeError('owner "" is not one'),
  );
  await expect(askService(file, 'revokeToken', 'user:ann@desk', ['1'])).rejects.toThrow(
    new DatabaseUnreachableError('The service did not do it: the disk is full'),
  );
});

test('what is not a command is refused, and harms nothing', async () => {
  asked.length = 0;
  const file = await serve();
  const refused = (question: object): Promise<string> => answerTo(file, `${JSON.stringify(question)}\n`);
  for (const question of [
    { call: 'createToken', actor: 'gateway:1', args: [{ owner: 'acme' }] },
    { call: 'createToken', actor: 'user:ann\nb', args: [{ owner: 'acme' }] },
    { call: 'createToken', actor: 'user:ann', args: 'all' },
    { call: 'constructor', actor: 'user:ann', args: [] },
  ])
    expect(JSON.parse(await refused(question))).toMatchObject({ ok: false, kind: 'fault' });
  expect(JSON.parse(await answerTo(file, 'no json\n'))).toMatchObject({ ok: false });
  expect(await answerTo(file, 'no end')).toBe('');
  expect(asked).toEqual([]);
  await askService(file, 'caughtUp', 'user:ann');
});

test('the socket is for its owner alone, in a folder with a long name too, and takes the place of one that was left', async () => {
  const folder = path.join(await temporaryFolder('commands'), LONG);
  mkdirSync(folder);
  const file = await serve(folder);
  expect(statSync(file).mode & MODE).toBe(0o600);
  await askService(file, 'caughtUp', 'user:ann');
  await closing.pop()?.();
  await expect(askService(file, 'caughtUp', 'user:ann')).rejects.toThrow(NoServiceError);

  const near = path.join(await temporaryFolder('commands'), 'commands.sock');
  const killed = createServer().listen(near);
  await once(killed, 'listening');
  closing.push(() => void killed.close());
  await serve(path.dirname(near));
  await askService(near, 'caughtUp', 'user:ann');
});

test('a command waits for another one that has the folder for a moment, and so does a start', async () => {
  const folder = await temporaryFolder('commands');
  const { chain, lock } = dataDirFiles(folder);
  const release = lockFolder({ file: lock, why: 'test' });
  let isReleased = false;
  setTimeout(() => {
    isReleased = true;
    release();
  }, 200);
  const tokens = await withAccess({ kind: 'chain', path: chain }, (access) => access.listTokens());
  expect([tokens, isReleased]).toEqual([[], true]);
  openDataDir(folder).release();
});
