/**
 * Opens the store on an SQLite file.
 *
 * Two connections: one writes, one reads. In WAL mode the reader sees the last commit while a transaction is under
 * way, so a list never waits for a group commit.
 */
import { Kysely } from 'kysely';
import { IdRanges } from '../id-ranges.ts';
import { inTransaction } from '../in-transaction.ts';
import { markVersion, migrate } from '../migrate.ts';
import { migrations } from '../migrations/index.ts';
import type { QueryContext } from '../queries/context.ts';
import { countShards, questionsThrough, readTransaction, writeTransaction } from '../transaction.ts';
import type { Store, StoreStopwatches } from '../types.ts';
import { StoreDialect, StoreDriver } from './dialect.ts';
import { statementFailure } from './failure.ts';
import { sqliteFragments } from './fragments.ts';
import { type Checkpoints, keepLogShort } from './checkpoints.ts';
import type { SqliteConnection } from './library.ts';
import { openConnection } from './library.ts';
import { makeDurable, markNew } from './pragmas.ts';

export interface SqliteStoreOptions {
  path: string;
  /** The file never grows past this many pages of 4 KiB; a write that needs more fails as on a full disk. Unset: no bound. */
  pagesMax?: number;
  /**
   * Makes checkpoints on another thread; `onDone` is for when one is made. Absent, or where it cannot: a commit waits for them now and
   * then.
   */
  checkpoints?: (onDone: () => void) => Checkpoints;
  stopwatches?: StoreStopwatches | undefined;
  /** Shards of a new file. One, unless several gateways of a test share it. */
  shards?: number;
}

interface Connection {
  connection: SqliteConnection;
  driver: StoreDriver;
  dialect: StoreDialect;
}

export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const connect = async (access: 'write' | 'read'): Promise<Connection> => {
    const connection = openConnection(options.path);
    if (access === 'write') markNew(connection);
    makeDurable(connection);
    const driver = new StoreDriver(connection, access);
    const dialect = new StoreDialect(driver, connection);
    await driver.init();
    return { connection, driver, dialect };
  };
  const writer = await connect('write');
  if (options.pagesMax !== undefined) writer.connection.pragma(`max_page_count = ${options.pagesMax}`);
  const fragments = { ...sqliteFragments, shards: options.shards ?? sqliteFragments.shards };
  const list = migrations(fragments);
  await migrate(new Kysely({ dialect: writer.dialect }), fragments, list);
  markVersion(writer.connection, list);
  const log = keepLogShort(writer.connection, options.checkpoints);
  const reader = await connect('read');
  reader.connection.pragma('query_only = 1');

  const run = <T>(
    { driver, dialect }: Connection,
    work: (context: QueryContext) => Promise<T>,
    measured?: Parameters<typeof inTransaction>[3],
  ): Promise<T> =>
    sorted(() => inTransaction(driver, dialect, ({ db }) => work({ db, fragments: sqliteFragments }), measured));
  const shards = await countShards(new Kysely({ dialect: reader.dialect }));
  const all = Array.from({ length: shards }, (_, id) => id);
  const read: Store['read'] = (work) =>
    run(reader, (context) => work(readTransaction(context, shards)), { whole: options.stopwatches?.read });
  // One writer at a time, for any kind of turn.
  const write: Store['write'] = async (work) => {
    const result = await run(writer, (context) => work(writeTransaction(context, shards, async () => all)), {
      whole: options.stopwatches?.write,
      commit: options.stopwatches?.commit,
    });
    log.committed();
    return result;
  };
  return {
    shards,
    ids: new IdRanges((counts) => write((tx) => tx.takeIds(counts))),
    write,
    read,
    now: questionsThrough(read),
    close: async () => {
      await log.close();
      await reader.driver.destroy();
      await writer.driver.destroy();
    },
  };
}

async function sorted<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw statementFailure(error);
  }
}
