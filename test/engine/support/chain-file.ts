/** chain.db as an engine that is tested by itself gets it: opened and closed by the test, with the rows that a look-up by hash reads. */
import {
  enginePaths,
  sqliteChainStore,
  type ChainDatabase,
  type ChainStore,
  type ExecutedBlock,
} from '../../../server/engine/embedded/index.ts';
import { openChainDatabase, writing, type ChainConnection } from '../../../server/store/embedded/connection.ts';
import { transferRows } from './transfer-rows.ts';

export interface ChainFile {
  sql: ChainConnection;
  database: ChainDatabase;
  settle: (block: ExecutedBlock) => void;
  close(): void;
}

export function openChainFile(dataDir: string): ChainFile {
  const sql = openChainDatabase({ path: enginePaths(dataDir).chain });
  return {
    sql,
    database: { sql, writing: (work) => writing(sql, work) },
    settle: transferRows(sql),
    close: () => void sql.close(),
  };
}

/** Reads the chain beside a stopped engine. */
export function withChain<T>(dataDir: string, use: (store: ChainStore, sql: ChainConnection) => T): T {
  const { sql, database, close } = openChainFile(dataDir);
  try {
    return use(sqliteChainStore(database), sql);
  } finally {
    close();
  }
}
