/**
 * Where the gateway's database is: an SQLite file in DATA_DIR, or a PostgreSQL database that several gateways share.
 *
 * @module
 */
import type { Clock, Logger } from '../engine/ports.ts';
import type { Store } from '../store/index.ts';
import { DatabaseUnreachableError } from './database-error.ts';
import { withoutPassword } from './engine-config.ts';

export type StoreLocation = { kind: 'sqlite'; path: string } | { kind: 'postgres'; url: string };

/** A database server and its gateways are started together as a rule, and it may first have to recover from a crash. */
export const DATABASE_WAIT_MS_MAX = 60_000;
const DATABASE_RETRY_MS = 200;

export const storeLocation = (options: { databaseUrl: string | undefined; databaseFile: string }): StoreLocation =>
  options.databaseUrl === undefined ? { kind: 'sqlite', path: options.databaseFile } : { kind: 'postgres', url: options.databaseUrl };

/** As messages name it, without a password. */
export const describeLocation = (location: StoreLocation): string => (location.kind === 'sqlite' ? location.path : withoutPassword(location.url));

/**
 * Loads what the database needs, and only when one is opened: it is a third of the modules of a server.
 * @param logger is told of connections that break; a command that is over in a moment has none.
 */
export async function openStore(location: StoreLocation, logger?: Logger): Promise<Store> {
  if (location.kind === 'sqlite') {
    const { openSqliteStore } = await import('../store/sqlite/open.ts');
    return openSqliteStore({ path: location.path });
  }
  const [{ openPostgresStore }, { StoreUnavailableError }] = await Promise.all([import('../store/postgres/open.ts'), import('../store/errors.ts')]);
  try {
    return await openPostgresStore({ url: location.url, ...(logger === undefined ? {} : { logger }) });
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    throw new DatabaseUnreachableError(`The database ${describeLocation(location)} (DATABASE_URL) cannot be used: ${error.message}.`, { cause: error });
  }
}

/**
 * Opens the database of a server. A shared one may still be coming up at a start, and is waited for.
 * @throws DatabaseUnreachableError when it cannot after DATABASE_WAIT_MS_MAX.
 */
export async function awaitStore(location: StoreLocation, environment: { clock: Clock; logger: Logger }, open: typeof openStore = openStore): Promise<Store> {
  const { clock, logger } = environment;
  const startedMs = clock.monotonicMs();
  for (let told = false; ; ) {
    try {
      return await open(location, logger);
    } catch (error) {
      if (!(error instanceof DatabaseUnreachableError)) throw error;
      if (clock.monotonicMs() - startedMs >= DATABASE_WAIT_MS_MAX) {
        throw new DatabaseUnreachableError(`${error.message} It was tried for ${DATABASE_WAIT_MS_MAX / 1000} s; start PostgreSQL, or correct DATABASE_URL.`, { cause: error });
      }
      if (!told) logger.warn({ waitMsMax: DATABASE_WAIT_MS_MAX }, `${error.message} Trying again`);
      told = true;
      await new Promise<void>((resolve) => clock.setTimer(resolve, DATABASE_RETRY_MS));
    }
  }
}
