/**
 * The block store in SQLite: one row a block, one row a commit.
 *
 * Block and commit are separate rows because they become durable at different moments, with the signing state between
 * them. Every write is fsynced before it returns. Rows are written once and never changed.
 */
import { SqliteDatabase, type ChainIdentity } from '../sqlite/database.ts';
import type { BlockStore, StoredBlock } from './stores.ts';

const MIGRATIONS: readonly string[] = [
  `
    CREATE TABLE blocks (
      height INTEGER PRIMARY KEY,
      hash BLOB NOT NULL,
      parts_total INTEGER NOT NULL,
      parts_hash BLOB NOT NULL,
      time_ns INTEGER NOT NULL,
      transaction_count INTEGER NOT NULL,
      bytes BLOB NOT NULL
    ) STRICT;
    CREATE UNIQUE INDEX blocks_by_hash ON blocks (hash);
    CREATE TABLE commits (height INTEGER PRIMARY KEY REFERENCES blocks, bytes BLOB NOT NULL) STRICT;
  `,
];

interface BlockRow {
  height: bigint;
  hash: Buffer;
  partsTotal: bigint;
  partsHash: Buffer;
  timeNs: bigint;
  transactionCount: bigint;
  bytes: Buffer;
}

export function openSqliteBlockStore(path: string, identity: ChainIdentity): BlockStore {
  const database = new SqliteDatabase({
    path,
    identity,
    migrations: MIGRATIONS,
    durability: 'full',
  });
  const { sql } = database;
  const insertBlock = sql.prepare(
    'INSERT INTO blocks (height, hash, parts_total, parts_hash, time_ns, transaction_count, bytes) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const insertCommit = sql.prepare('INSERT INTO commits (height, bytes) VALUES (?, ?)');
  const selectBlock = sql
    .prepare(
      `SELECT height, hash, parts_total AS partsTotal, parts_hash AS partsHash, time_ns AS timeNs,
              transaction_count AS transactionCount, bytes
       FROM blocks WHERE height = ?`,
    )
    // Header times in nanoseconds are past 2^53.
    .safeIntegers(true);
  const selectCommit = sql.prepare('SELECT bytes FROM commits WHERE height = ?').pluck();
  const selectHeight = sql.prepare('SELECT height FROM blocks WHERE hash = ?').pluck();
  const lastBlock = sql.prepare('SELECT coalesce(max(height), 0) FROM blocks').pluck();
  const lastCommit = sql.prepare('SELECT coalesce(max(height), 0) FROM commits').pluck();

  return {
    blockHeight: () => Number(lastBlock.get()),
    commitHeight: () => Number(lastCommit.get()),
    putBlock({ height, id, timeNs, transactionCount, bytes }: StoredBlock) {
      insertBlock.run(height, id.hash, id.parts.total, id.parts.hash, timeNs, transactionCount, bytes);
      database.wrote(bytes.length);
    },
    putCommit(height, bytes) {
      insertCommit.run(height, bytes);
      database.wrote(bytes.length);
    },
    block(height) {
      const row = selectBlock.get(height) as BlockRow | undefined;
      return (
        row && {
          height: Number(row.height),
          id: { hash: row.hash, parts: { total: Number(row.partsTotal), hash: row.partsHash } },
          timeNs: row.timeNs,
          transactionCount: Number(row.transactionCount),
          bytes: row.bytes,
        }
      );
    },
    commit: (height) => selectCommit.get(height) as Buffer | undefined,
    heightOf: (blockHash) => selectHeight.get(blockHash) as number | undefined,
    maintain: (idle) => database.maintain(idle),
    close: () => database.close(),
  };
}
