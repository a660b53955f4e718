/** The search index in SQLite: its segments as buckets, and the ordinals of each block. */
import { rmSync } from 'node:fs';
import type { Logger } from '../ports.ts';
import { EngineStartError } from '../start-error.ts';
import { isDamage, SqliteDatabase, type ChainIdentity } from '../sqlite/database.ts';
import { BUCKETS } from './segment-codec.ts';
import type { IndexedBlock } from './memory-segment.ts';
import type { SearchStore, SegmentInfo } from './search-store.ts';

const MIGRATIONS: readonly string[] = [
  `
    CREATE TABLE progress (id INTEGER PRIMARY KEY CHECK (id = 1), height INTEGER NOT NULL) STRICT;
    INSERT INTO progress (id, height) VALUES (1, 0);
    CREATE TABLE segments (
      segment INTEGER PRIMARY KEY,
      first_ordinal INTEGER NOT NULL,
      transactions INTEGER NOT NULL
    ) STRICT;
    -- The id is segment * ${BUCKETS} + bucket, so that a segment is written to neighbouring pages in order.
    CREATE TABLE buckets (id INTEGER PRIMARY KEY, directory BLOB NOT NULL, numbers BLOB NOT NULL) STRICT;
    CREATE TABLE blocks (first_ordinal INTEGER PRIMARY KEY, height INTEGER NOT NULL) STRICT;
    CREATE UNIQUE INDEX blocks_by_height ON blocks (height);
  `,
];

/** The file itself, its write-ahead log and its shared memory. */
const FILE_SUFFIXES = ['', '-wal', '-shm'] as const;

function openDatabase(path: string, identity: ChainIdentity): SqliteDatabase {
  try {
    return new SqliteDatabase({ path, identity, migrations: MIGRATIONS });
  } catch (error) {
    if (!(error instanceof EngineStartError) || isDamage(error)) throw error;
    // A file of another chain, or of a later version, is not deleted: someone who put a wrong file there may have exchanged others too, and
    // should check.
    throw new EngineStartError(`${error.message}. Move search.db away: it is made again from the blocks`);
  }
}

/** Opens the store. A damaged file is rebuilt. Throws EngineStartError for one of another chain. */
export function openSqliteSearchStore(
  path: string,
  identity: ChainIdentity,
  logger?: Pick<Logger, 'warn'>,
): SearchStore {
  try {
    return storeIn(openDatabase(path, identity));
  } catch (error) {
    if (!isDamage(error)) throw error;
    logger?.warn(
      { file: path, reason: (error as Error).message },
      'the search index is damaged: making it again from the blocks',
    );
    for (const suffix of FILE_SUFFIXES) rmSync(`${path}${suffix}`, { force: true });
    return storeIn(openDatabase(path, identity));
  }
}

function storeIn(database: SqliteDatabase): SearchStore {
  const { sql } = database;
  const selectSegments = sql.prepare(
    'SELECT segment, first_ordinal AS firstOrdinal, transactions FROM segments ORDER BY segment',
  );
  const selectHeight = sql.prepare('SELECT height FROM progress').pluck();
  const updateHeight = sql.prepare('UPDATE progress SET height = ?');
  const insertSegment = sql.prepare('INSERT INTO segments (segment, first_ordinal, transactions) VALUES (?, ?, ?)');
  const insertBucket = sql.prepare('INSERT INTO buckets (id, directory, numbers) VALUES (?, ?, ?)');
  const insertBlock = sql.prepare('INSERT INTO blocks (first_ordinal, height) VALUES (?, ?)');
  const selectDirectory = sql.prepare('SELECT directory FROM buckets WHERE id = ?').pluck();
  const selectNumbers = sql.prepare('SELECT numbers FROM buckets WHERE id = ?').pluck();
  const selectBlockAt = sql.prepare(
    'SELECT first_ordinal AS firstOrdinal, height FROM blocks WHERE first_ordinal <= ? ORDER BY first_ordinal DESC LIMIT 1',
  );
  const selectBlockFrom = sql.prepare(
    'SELECT first_ordinal AS firstOrdinal, height FROM blocks WHERE height >= ? ORDER BY height LIMIT 1',
  );

  // Parts of an unfinished segment, of a process that died meanwhile.
  const finished = 'coalesce((SELECT max(segment) FROM segments), 0)';
  try {
    sql.exec(`
      DELETE FROM buckets WHERE id >= (${finished} + 1) * ${BUCKETS};
      DELETE FROM blocks WHERE first_ordinal >= coalesce((SELECT max(first_ordinal + transactions) FROM segments), 0);
    `);
  } catch (error) {
    database.close();
    throw error;
  }

  return {
    segments: () => selectSegments.all() as SegmentInfo[],
    height: () => Number(selectHeight.get()),
    putPart: sql.transaction((segment, blocks, buckets) => {
      for (const { firstOrdinal, height } of blocks) insertBlock.run(firstOrdinal, height);
      for (const { bucket, directory, numbers } of buckets) {
        insertBucket.run(segment * BUCKETS + bucket, directory, numbers);
        database.wrote(directory.length + numbers.length);
      }
    }) satisfies SearchStore['putPart'],
    finish: sql.transaction(({ segment, firstOrdinal, transactions }, height) => {
      insertSegment.run(segment, firstOrdinal, transactions);
      updateHeight.run(height);
    }) satisfies SearchStore['finish'],
    setHeight: (height) => void updateHeight.run(height),
    directory: (segment, bucket) => selectDirectory.get(segment * BUCKETS + bucket) as Buffer | undefined,
    numbers: (segment, bucket) => selectNumbers.get(segment * BUCKETS + bucket) as Buffer | undefined,
    blockAt: (ordinal) => selectBlockAt.get(ordinal) as IndexedBlock | undefined,
    blockFrom: (height) => selectBlockFrom.get(height) as IndexedBlock | undefined,
    maintain: (idle) => database.maintain(idle),
    clear: sql.transaction(() => {
      sql.exec('DELETE FROM segments; DELETE FROM buckets; DELETE FROM blocks; UPDATE progress SET height = 0;');
    }),
    close: () => database.close(),
  };
}
