/**
 * Administration of tokens, bindings and the audit trail: by a command line, or by `npm start` before its server.
 *
 * Servers may be running on the database of a gateway: its write lock is the only coordination, and a server sees a change at its next
 * look-up of a token. A chain.db has one writer: a running service makes the change; without one the change is appended
 * to the log, which the next start reads.
 *
 * @module
 */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { accessIn, type Administration, createAdministration } from '../gateway/access/administration.ts';
import type { ChainConnection } from '../store/embedded/connection.ts';
import { LaterVersionError } from '../store/errors.ts';
import type { AdminQuestions } from '../store/types.ts';
import { personOfProcess } from './actor.ts';
import { askService, type AccessChanges, CHANGES, NoServiceError } from './command-socket.ts';
import { dataDirFilesOf } from './data-dir-files.ts';
import { DatabaseUnreachableError } from './database-error.ts';
import { createClock, createRandomSource } from './environment.ts';
import { FolderInUseError, lockFolder } from './folder-lock.ts';
import { StartError } from './start-error.ts';
import { type AdminLocation, openStore } from './store-location.ts';

type Work<T> = (access: Administration) => Promise<T>;

/** Longest wait for the folder: a starting service holds its lock before it answers, and another command for a moment. */
const WAIT_MS_MAX = 10_000;
const RETRY_MS = 50;

/** Opens the database, makes its tables if they are not there yet, and closes it after `work`. */
export async function withAccess<T>(location: AdminLocation, work: Work<T>): Promise<T> {
  if (location.kind === 'chain') return await onChain(location.path, work);
  const store = await openStore(location);
  try {
    return await work(createAdministration(accessIn(store), parts()));
  } finally {
    await store.close();
  }
}

/** Does the same on chain.db, for the process that holds the lock of its folder. */
export async function withLockedAccess<T>(location: AdminLocation, work: Work<T>): Promise<T> {
  return location.kind === 'chain' ? await whileStopped(location.path, work) : await withAccess(location, work);
}

const parts = (): Parameters<typeof createAdministration>[1] => ({
  clock: createClock(),
  random: createRandomSource(),
  actor: personOfProcess(),
});

async function onChain<T>(file: string, work: Work<T>): Promise<T> {
  const { lock } = dataDirFilesOf(file);
  const untilMs = performance.now() + WAIT_MS_MAX;
  for (;;) {
    const answer = await besideService(file, work);
    if (answer !== undefined) return answer.result;
    const release = lockIfFree(lock);
    if (release !== undefined) {
      try {
        return await whileStopped(file, work);
      } finally {
        release();
      }
    }
    if (performance.now() >= untilMs)
      throw new DatabaseUnreachableError(
        `${path.dirname(file)} is in use by a process that answers no command: a service that begins or ends, or one that could not make commands.sock, as its log says. Try again, or stop it first.`,
      );
    await sleep(RETRY_MS);
  }
}

function lockIfFree(file: string): (() => void) | undefined {
  try {
    return lockFolder({ file, why: 'write two histories into one log' });
  } catch (error) {
    if (error instanceof FolderInUseError) return undefined;
    throw error;
  }
}

/** Runs `work` against the service of the folder. Undefined if no service listens: then none received a request. */
async function besideService<T>(file: string, work: Work<T>): Promise<{ result: T } | undefined> {
  const { commands } = dataDirFilesOf(file);
  let hasAnswered = false;
  const ask = async (call: Parameters<typeof askService>[1], args: readonly unknown[] = []): Promise<unknown> => {
    const answer = await askService(commands, call, personOfProcess(), args);
    hasAnswered = true;
    return answer;
  };
  let sql: ChainConnection | undefined;
  const questions = async (): Promise<AdminQuestions> => {
    // A change reads no row, so it is made even if chain.db cannot be written.
    await ask('caughtUp');
    const [{ openChainReader }, { accessQuestions, accessRows }] = await Promise.all([
      import('../store/embedded/connection.ts'),
      import('../store/embedded/admin.ts'),
    ]);
    return accessQuestions(accessRows((sql ??= openChainReader(file))));
  };
  const now = new Proxy({} as AdminQuestions, {
    get:
      (_, name) =>
      async (...args: unknown[]) =>
        ((await questions()) as unknown as Record<PropertyKey, (...values: unknown[]) => unknown>)[name]?.(...args),
  });
  const run = (): never => {
    throw new Error('the service makes the changes');
  };
  const changes = Object.fromEntries(
    CHANGES.map((call) => [call, (...args: unknown[]) => ask(call, args)]),
  ) as unknown as AccessChanges;
  try {
    return { result: await work({ ...createAdministration({ run, now }, parts()), ...changes }) };
  } catch (error) {
    if (!(error instanceof NoServiceError)) throw error;
    if (hasAnswered) throw new DatabaseUnreachableError('The service ended meanwhile. Try again.');
    return undefined;
  } finally {
    sql?.close();
  }
}

async function whileStopped<T>(file: string, work: Work<T>): Promise<T> {
  const [{ openChainDatabase }, { openStoppedAccess }] = await Promise.all([
    import('../store/embedded/connection.ts'),
    import('./stopped-access.ts'),
  ]);
  const sql = openChainDatabase({ path: file });
  try {
    const access = await openStoppedAccess(sql, file);
    try {
      return await work(createAdministration(access, parts()));
    } finally {
      access.close();
    }
  } catch (error) {
    throw error instanceof LaterVersionError ? new StartError(`${error.message}.`) : error;
  } finally {
    sql.close();
  }
}
