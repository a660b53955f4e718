/** A new gateway begins with what another has made of the blocks: copied while that one runs, whole or not at all. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import Sqlite from 'better-sqlite3';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { heightIn } from '../../server/engine/sqlite/database.ts';
import { openSqliteSearchStore } from '../../server/engine/search/sqlite-search-store.ts';
import { copySeeds } from '../../server/app/seed.ts';

const CHAIN = { chainId: 'seed-1', genesisHash: 'AB'.repeat(32) };

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'txledger-seed-'));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const inFolder = (folder: string, name = ''): string => path.join(parent, folder, name);

/** The DATA_DIR of a gateway that runs: its index is open and further than its file. */
async function running(folder: string, chain = CHAIN): Promise<ReturnType<typeof openSqliteSearchStore>> {
  mkdirSync(inFolder(folder), { mode: 0o700 });
  const store = openSqliteSearchStore(inFolder(folder, 'search.db'), chain);
  store.finish({ segment: 1, firstOrdinal: 0, transactions: 3 }, 41);
  return store;
}

test('the copy of a running gateway has its height and its chain, and a new gateway goes on with it', async () => {
  const store = await running('old');
  const made = await copySeeds({ from: inFolder('old'), to: inFolder('new'), locks: true });
  store.close();
  expect(made).toEqual([{ file: inFolder('new', 'search.db'), chainId: 'seed-1', height: 41 }]);
  expect(heightIn(inFolder('new', 'search.db'), CHAIN.genesisHash)).toBe(41);
  const opened = openSqliteSearchStore(inFolder('new', 'search.db'), CHAIN);
  expect(opened.segments()).toHaveLength(1);
  opened.close();
  expect(() => openSqliteSearchStore(inFolder('new', 'search.db'), { ...CHAIN, genesisHash: 'CD'.repeat(32) })).toThrow(
    'belongs to chain seed-1',
  );
});

test('nothing is written over, nothing is taken from a folder without a gateway, and files of two chains are refused together', async () => {
  (await running('old')).close();
  (await running('there')).close();
  await expect(copySeeds({ from: inFolder('old'), to: inFolder('there'), locks: false })).rejects.toThrow(
    'is there already',
  );
  await expect(copySeeds({ from: inFolder('nowhere'), to: inFolder('new'), locks: false })).rejects.toThrow(
    'neither search.db nor statements.db',
  );
  const other = new Sqlite(inFolder('old', 'statements.db'));
  other.exec(
    "CREATE TABLE chain (chain_id, genesis_hash); INSERT INTO chain VALUES ('seed-2', ''); CREATE TABLE progress (height); INSERT INTO progress VALUES (7)",
  );
  other.close();
  await expect(copySeeds({ from: inFolder('old'), to: inFolder('new'), locks: false })).rejects.toThrow(
    'statements.db is of chain seed-2, and search.db of seed-1',
  );
  expect(readdirSync(inFolder('new'))).toEqual([]);
});

test('a damaged file is not copied', async () => {
  const store = await running('old');
  store.putPart(2, [], [{ bucket: 1, directory: Buffer.alloc(40_000, 1), numbers: Buffer.alloc(40_000, 2) }]);
  store.close();
  truncateSync(inFolder('old', 'search.db'), 16_384);
  await expect(copySeeds({ from: inFolder('old'), to: inFolder('new'), locks: false })).rejects.toThrow(
    /malformed|damaged/,
  );
  expect(existsSync(inFolder('new', 'search.db'))).toBe(false);
});

test('a folder on which a gateway runs gets none', async () => {
  (await running('old')).close();
  const { openDataDir } = await import('../../server/app/data-dir.ts');
  const dataDir = openDataDir(inFolder('busy'));
  await expect(copySeeds({ from: inFolder('old'), to: inFolder('busy'), locks: true })).rejects.toThrow(
    'is in use by another running process',
  );
  dataDir.release();
});
