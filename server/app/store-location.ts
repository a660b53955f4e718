/**
 * Location of the databases: with the embedded engine chain.db in DATA_DIR; with CometBFT nodes an SQLite file of the gateway in DATA_DIR,
 * or a PostgreSQL database that several gateways share.
 *
 * @module
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Clock, Logger } from '../engine/ports.ts';
import type { Store } from '../store/types.ts';
import type { DataDirFile } from './data-dir.ts';
import type { StoreTimes } from './durations.ts';
import { DatabaseUnreachableError } from './database-error.ts';
import { type EngineName, withoutPassword } from './engine-config.ts';
import { DataDirError } from './folder-lock.ts';
import { StartError } from './start-error.ts';

/** The database of a gateway in front of CometBFT nodes. */
export type StoreLocation = { kind: 'sqlite'; path: string } | { kind: 'postgres'; url: string; readUrl?: string };

/** A database with tokens, bound addresses and an audit trail. */
export type AdminLocation = StoreLocation | { kind: 'chain'; path: string };

/** A database server and its gateways are usually started together, and the database may first have to recover from a crash. */
export const DATABASE_WAIT_MS_MAX = 60_000;
const DATABASE_RETRY_MS = 200;

export const storeLocation = (options: {
  databaseUrl: string | undefined;
  readDatabaseUrl?: string | undefined;
  databaseFile: string;
}): StoreLocation =>
  options.databaseUrl === undefined
    ? { kind: 'sqlite', path: options.databaseFile }
    : {
        kind: 'postgres',
        url: options.databaseUrl,
        ...(options.readDatabaseUrl === undefined ? {} : { readUrl: options.readDatabaseUrl }),
      };

/** Returns the database of a server with this engine. */
export function adminLocation(options: {
  engine: EngineName;
  databaseUrl: string | undefined;
  readDatabaseUrl?: string | undefined;
  files: Readonly<Record<DataDirFile, string>>;
}): AdminLocation {
  const { engine, databaseUrl, readDatabaseUrl, files } = options;
  if (engine === 'embedded' && databaseUrl === undefined) return { kind: 'chain', path: files.chain };
  return storeLocation({ databaseUrl, readDatabaseUrl, databaseFile: files.gateway });
}

/**
 * Returns the same for a command, which may be the first to open the database.
 * @throws DataDirError if it would make a chain.db in the folder of a gateway in front of CometBFT nodes.
 */
export function commandLocation(options: Parameters<typeof adminLocation>[0]): AdminLocation {
  const location = adminLocation(options);
  const { chain, gateway } = options.files;
  if (location.kind === 'chain' && !existsSync(chain) && existsSync(gateway)) {
    throw new DataDirError(
      `DATA_DIR ${path.dirname(gateway)} belongs to a gateway before CometBFT nodes: set ENGINE=cometbft for this command too.`,
    );
  }
  return location;
}

/** Names the location in messages, without a password. */
export const describeLocation = (location: AdminLocation): string =>
  location.kind === 'postgres' ? withoutPassword(location.url) : location.path;

/**
 * Loads the modules of the database only when one is opened: they are a third of the modules of a server.
 * @param logger receives reports of broken connections; a short command has no logger, and no thread for checkpoints.
 */
export async function openStore(location: StoreLocation, logger?: Logger, times?: StoreTimes): Promise<Store> {
  if (location.kind === 'sqlite') {
    const { openSqliteStore } = await import('../store/sqlite/open.ts');
    if (logger === undefined) return openSqliteStore({ path: location.path });
    const { checkpointsOf } = await import('./threads/checkpoints.ts');
    return openSqliteStore({
      path: location.path,
      checkpoints: (onDone) =>
        checkpointsOf(location.path, { logger, onDone, ...(times && { times: times.checkpoint }) }),
      stopwatches: times,
    });
  }
  const [{ openPostgresStore }, { ChainFormatError, StoreUnavailableError }] = await Promise.all([
    import('../store/postgres/open.ts'),
    import('../store/errors.ts'),
  ]);
  try {
    return await openPostgresStore({
      url: location.url,
      readUrl: location.readUrl,
      ...(logger === undefined ? {} : { logger }),
      stopwatches: times,
    });
  } catch (error) {
    if (error instanceof ChainFormatError)
      throw new StartError(
        `The database ${describeLocation(location)} (DATABASE_URL) cannot be used: ${error.message}.`,
      );
    if (!(error instanceof StoreUnavailableError)) throw error;
    throw new DatabaseUnreachableError(
      `The database ${describeLocation(location)} (DATABASE_URL) cannot be used: ${error.message}.`,
      { cause: error },
    );
  }
}

/**
 * Opens the database of a server. A shared database may still be starting, so it is waited for.
 * @throws DatabaseUnreachableError when it cannot be opened within DATABASE_WAIT_MS_MAX.
 */
export async function awaitStore(
  location: StoreLocation,
  environment: { clock: Clock; logger: Logger; times?: StoreTimes },
  open: typeof openStore = openStore,
): Promise<Store> {
  const { clock, logger, times } = environment;
  const startedMs = clock.monotonicMs();
  for (let told = false; ;) {
    try {
      return await open(location, logger, times);
    } catch (error) {
      if (!(error instanceof DatabaseUnreachableError)) throw error;
      if (clock.monotonicMs() - startedMs >= DATABASE_WAIT_MS_MAX) {
        throw new DatabaseUnreachableError(
          `${error.message} It was tried for ${DATABASE_WAIT_MS_MAX / 1000} s; start PostgreSQL, or correct DATABASE_URL.`,
          { cause: error },
        );
      }
      if (!told) logger.warn({ waitMsMax: DATABASE_WAIT_MS_MAX }, `${error.message} Trying again`);
      told = true;
      await new Promise<void>((resolve) => clock.setTimer(resolve, DATABASE_RETRY_MS));
    }
  }
}
