/**
 * Snapshots in SQLite, in a file of their own: writing one never makes a block wait for a lock, and losing the file costs only the
 * snapshots until the next interval.
 */
import { SqliteDatabase } from '../../sqlite/database.ts';
import type { SnapshotInfo, SnapshotStore } from './store.ts';

const MIGRATIONS: readonly string[] = [
  `
    CREATE TABLE snapshots (
      height INTEGER PRIMARY KEY,
      format INTEGER NOT NULL,
      chunks INTEGER NOT NULL,
      hash BLOB NOT NULL,
      metadata BLOB NOT NULL
    ) STRICT;
    CREATE TABLE chunks (
      height INTEGER NOT NULL,
      position INTEGER NOT NULL,
      bytes BLOB NOT NULL,
      PRIMARY KEY (height, position)
    ) STRICT;
  `,
];

export function openSqliteSnapshotStore(path: string): SnapshotStore {
  const database = new SqliteDatabase({ path, migrations: MIGRATIONS });
  const { sql } = database;
  // Chunks of a snapshot that an earlier process did not finish.
  sql.exec('DELETE FROM chunks WHERE height NOT IN (SELECT height FROM snapshots)');
  const putChunk = sql.prepare('INSERT OR REPLACE INTO chunks (height, position, bytes) VALUES (?, ?, ?)');
  const insert = sql.prepare(
    'INSERT OR REPLACE INTO snapshots (height, format, chunks, hash, metadata) VALUES (?, ?, ?, ?, ?)',
  );
  const prune = sql.prepare(
    'DELETE FROM snapshots WHERE height NOT IN (SELECT height FROM snapshots ORDER BY height DESC LIMIT ?)',
  );
  const pruneChunks = sql.prepare('DELETE FROM chunks WHERE height NOT IN (SELECT height FROM snapshots)');
  const dropChunks = sql.prepare('DELETE FROM chunks WHERE height = ?');
  const drop = sql.prepare('DELETE FROM snapshots WHERE height = ?');
  const list = sql.prepare('SELECT height, format, chunks, hash, metadata FROM snapshots ORDER BY height DESC');
  const select = sql
    .prepare('SELECT bytes FROM chunks JOIN snapshots USING (height) WHERE height = ? AND format = ? AND position = ?')
    .pluck();
  const finish = sql.transaction(({ height, format, chunks, hash, metadata }: SnapshotInfo, keep: number) => {
    insert.run(height, format, chunks, hash, metadata);
    prune.run(keep);
    pruneChunks.run();
  });

  return {
    putChunk(height, index, bytes) {
      putChunk.run(height, index, bytes);
      database.wrote(bytes.length);
      database.maintain(false);
    },
    finish(info, keep) {
      finish.immediate(info, keep);
      database.maintain(true);
    },
    discard(height) {
      drop.run(height);
      dropChunks.run(height);
      database.maintain(true);
    },
    list: () => list.all() as SnapshotInfo[],
    chunk: (height, format, index) => select.get(height, format, index) as Buffer | undefined,
    close: () => database.close(),
  };
}
