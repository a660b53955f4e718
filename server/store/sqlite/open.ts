/**
 * Opens the store on an SQLite file.
 *
 * Two connections: one writes, one reads. In WAL mode the reader sees the last commit while a transaction is under
 * way, so a list never waits for a group commit.
 */
import { Kysely } from 'kysely';
import { migrate } from '../migrate.ts';
import type { Tables } from '../schema.ts';
import { readTransaction, writeTransaction } from '../transaction.ts';
import type { Store } from '../types.ts';
import { StoreDialect } from './dialect.ts';
import { statementFailure } from './failure.ts';
import { sqliteFragments } from './fragments.ts';
import { openConnection } from './library.ts';
import { makeDurable } from './pragmas.ts';

export interface SqliteStoreOptions {
  path: string;
  /** The file never grows past this many pages of 4 KiB; a write that needs more fails as on a full disk. Unset: no bound. */
  pagesMax?: number;
}

export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const writerConnection = openConnection(options.path);
  makeDurable(writerConnection);
  if (options.pagesMax !== undefined) writerConnection.pragma(`max_page_count = ${options.pagesMax}`);
  const writer = new Kysely<Tables>({ dialect: new StoreDialect(writerConnection, 'write') });
  await migrate(writer, sqliteFragments);

  const readerConnection = openConnection(options.path);
  makeDurable(readerConnection);
  readerConnection.pragma('query_only = 1');
  const reader = new Kysely<Tables>({ dialect: new StoreDialect(readerConnection, 'read') });

  return {
    write: (work) => sorted(() => writer.transaction().execute((db) => work(writeTransaction({ db, fragments: sqliteFragments })))),
    read: (work) => sorted(() => reader.transaction().execute((db) => work(readTransaction({ db, fragments: sqliteFragments })))),
    close: async () => {
      await reader.destroy();
      await writer.destroy();
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
