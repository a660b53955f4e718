/**
 * Lets a command on the same machine change tokens and bound addresses in a running service: a socket in DATA_DIR, which only the owner of
 * the folder can open. A request is one line of JSON, and so is its answer.
 *
 * @module
 */
import { chmodSync, closeSync, constants, openSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import type { Logger } from '../engine/ports.ts';
import type { Administration } from '../gateway/index.ts';
import { DatabaseUnreachableError } from './database-error.ts';

/** Requests of a command. A command that only reads opens chain.db itself, after `caughtUp` has reported that all entries are in it. */
export const CHANGES = [
  'createToken',
  'rotateToken',
  'updateToken',
  'extendToken',
  'revokeToken',
  'bindAddress',
  'unbindAddress',
] as const satisfies readonly (keyof Administration)[];

export type AccessChanges = Pick<Administration, (typeof CHANGES)[number]>;

export interface CommandCalls {
  /** `actor`: the caller, as the audit trail names it. */
  changes(actor: string): AccessChanges;
  caughtUp(): Promise<void>;
}

interface Question {
  call: (typeof CHANGES)[number] | 'caughtUp';
  actor: string;
  args: readonly unknown[];
}

/** `range`: the request has an invalid value. */
type Answer = { ok: true; result?: unknown } | { ok: false; kind: 'range' | 'fault'; message: string };

/** Size of a request; a usual one has some hundred bytes. */
const QUESTION_BYTES_MAX = 64 * 1024;
/** Connections of commands at one time; each lasts some milliseconds. */
const CONNECTIONS_MAX = 128;
/** A command sends its request at once, and waits this long for the answer: chain.db may be 5 s behind. */
const SILENCE_MS_MAX = 10_000;
/** Time at the end of the service for requests that are being answered. */
const CLOSE_MS_MAX = 1000;
const FILE_MODE = 0o600;
/** The actor of a command is a person, or a program that a person started, never a gateway or a token. */
const ACTOR = /^user:[^\n]{1,512}$/;
/** Length of the address of a socket, on Linux and elsewhere; the last byte ends it. */
const PATH_BYTES_MAX = 100;

/** Listens from now on. @throws if the folder cannot have a socket; the service then runs without it. */
export async function serveCommands(
  file: string,
  calls: CommandCalls,
  logger: Logger,
): Promise<{ close(): Promise<void> }> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.setTimeout(SILENCE_MS_MAX, () => socket.destroy());
    void readLine(socket).then(
      async (line) => {
        const answer = line === undefined ? undefined : await answered(line, calls, logger);
        if (answer !== undefined) socket.end(`${JSON.stringify(answer)}\n`);
        else socket.destroy();
      },
      () => socket.destroy(),
    );
  });
  server.maxConnections = CONNECTIONS_MAX;
  // The socket of a killed service: the lock of the folder shows that no service runs.
  rmSync(file, { force: true });
  await atPath(
    file,
    (address) =>
      new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(address, () => {
          server.off('error', reject);
          resolve();
        });
      }),
  );
  // For example, no descriptor is left for one more connection: the command retries, and the service continues.
  server.on('error', (error) => logger.warn({ err: error }, 'a command could not be heard'));
  try {
    chmodSync(file, FILE_MODE);
  } catch (error) {
    server.close();
    throw error;
  }
  return {
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.end();
      rmSync(file, { force: true });
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, CLOSE_MS_MAX).unref())]);
      for (const socket of open) socket.destroy();
    },
  };
}

async function answered(line: string, calls: CommandCalls, logger: Logger): Promise<Answer> {
  try {
    const { call, actor, args } = JSON.parse(line) as Question;
    if (call === 'caughtUp') {
      await calls.caughtUp();
      return { ok: true };
    }
    if (!CHANGES.includes(call) || !ACTOR.test(actor) || !Array.isArray(args))
      return { ok: false, kind: 'fault', message: `the service does not know ${String(call)}` };
    const change = calls.changes(actor)[call] as (...values: unknown[]) => Promise<unknown>;
    return { ok: true, result: await change(...args) };
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof RangeError) return { ok: false, kind: 'range', message };
    logger.warn({ err: error }, 'what a command asked for was not done');
    return { ok: false, kind: 'fault', message };
  }
}

/** No service listens in this folder. */
export class NoServiceError extends Error {
  override readonly name = 'NoServiceError';
}

/**
 * Makes one attempt, so that a change is never made twice unseen. @throws NoServiceError, RangeError as the call itself does, and
 * DatabaseUnreachableError if the service refuses or does not answer.
 */
export async function askService(
  file: string,
  call: Question['call'],
  actor: string,
  args: readonly unknown[] = [],
): Promise<unknown> {
  const socket = await connected(file);
  let line: string | undefined;
  try {
    socket.setTimeout(SILENCE_MS_MAX, () => socket.destroy());
    socket.write(`${JSON.stringify({ call, actor, args } satisfies Question)}\n`);
    line = await readLine(socket);
  } finally {
    socket.destroy();
  }
  if (line === undefined && call === 'caughtUp') throw new NoServiceError('the service ended');
  if (line === undefined)
    throw new DatabaseUnreachableError(
      'The service did not answer. It is not known whether the change was made: `txledger audit list` shows it.',
    );
  const answer = JSON.parse(line) as Answer;
  if (answer.ok) return answer.result;
  if (answer.kind === 'range') throw new RangeError(answer.message);
  throw new DatabaseUnreachableError(`The service did not do it: ${answer.message}`);
}

const NO_LISTENER = /^(ENOENT|ECONNREFUSED|ENOTSOCK|ENOTDIR)$/;

function connected(file: string): Promise<Socket> {
  return atPath(
    file,
    (address) =>
      new Promise<Socket>((resolve, reject) => {
        const socket = connect(address);
        socket.once('connect', () => resolve(socket));
        socket.once('error', (error: NodeJS.ErrnoException) =>
          reject(
            NO_LISTENER.test(error.code ?? '')
              ? new NoServiceError(error.message)
              : new DatabaseUnreachableError(
                  `${file} cannot be opened: ${error.message}. Run the command as the user of the service.`,
                ),
          ),
        );
      }),
  );
}

/** The address of a socket is short; Linux has a short name for every folder that is open. */
async function atPath<T>(file: string, work: (address: string) => Promise<T>): Promise<T> {
  if (Buffer.byteLength(file) <= PATH_BYTES_MAX || process.platform !== 'linux') return await work(file);
  const folder = openSync(path.dirname(file), constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    return await work(`/proc/self/fd/${folder}/${path.basename(file)}`);
  } finally {
    closeSync(folder);
  }
}

/** Undefined if the other side closed before the end of the line. */
function readLine(socket: Socket): Promise<string | undefined> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    socket.on('data', (part: Buffer) => {
      parts.push(part);
      bytes += part.length;
      const end = part.indexOf('\n');
      if (end >= 0) resolve(Buffer.concat(parts).toString('utf8', 0, bytes - part.length + end));
      else if (bytes > QUESTION_BYTES_MAX) socket.destroy();
    });
    for (const event of ['end', 'close', 'error']) socket.on(event, () => resolve(undefined));
  });
}
