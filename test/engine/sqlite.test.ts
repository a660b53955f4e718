/** The SQLite files: durability, schema version, identity and checkpoints. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { SqliteDatabase, type OpenOptions } from '../../server/engine/sqlite/database.ts';
import { openSqliteBlockStore } from '../../server/engine/embedded/sqlite-block-store.ts';
import { openSqliteStateStore } from '../../server/engine/embedded/sqlite-state-store.ts';

const identity = { chainId: 'chain', genesisHash: 'AB' };
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'txledger-sqlite-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (changes: Partial<OpenOptions> = {}) =>
  new SqliteDatabase({
    path: join(folder, 'a.db'),
    identity,
    migrations: ['CREATE TABLE t (x BLOB)'],
    durability: 'full',
    ...changes,
  });

describe('an SQLite file of the engine', () => {
  test.each([
    ['full', 2],
    ['normal', 1],
  ] as const)('with %s durability runs in WAL with the synchronous level %i and checkpoints only when told', (durability, level) => {
    const database = open({ durability });
    expect(database.sql.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(database.sql.pragma('synchronous', { simple: true })).toBe(level);
    expect(database.sql.pragma('wal_autocheckpoint', { simple: true })).toBe(0);
    database.close();
  });

  test('of another chain, another genesis or a later version is refused', () => {
    open().close();
    open().close();
    expect(() => open({ identity: { ...identity, chainId: 'other' } })).toThrow('belongs to chain chain with genesis AB');
    expect(() => open({ identity: { ...identity, genesisHash: 'CD' } })).toThrow('belongs to chain chain with genesis AB');
    const newer = open();
    newer.sql.pragma('user_version = 2');
    newer.close();
    expect(() => open()).toThrow('has schema version 2, this program knows 1: a later version wrote it; run that one');
  });

  test('of an earlier version is brought to this one, all steps or none, unless it is of another chain', () => {
    const older = open();
    older.sql.exec("INSERT INTO t VALUES (x'01')");
    older.close();
    const first = 'CREATE TABLE t (x BLOB)';
    const steps = [first, 'ALTER TABLE t ADD COLUMN y INTEGER', 'UPDATE t SET y = 7'];
    expect(() => open({ migrations: steps, identity: { ...identity, chainId: 'other' } })).toThrow('belongs to chain chain');
    expect(() => open({ migrations: [...steps.slice(0, 2), 'UPDATE missing SET y = 7'] })).toThrow('no such table');
    const unchanged = open();
    expect(unchanged.sql.prepare('SELECT * FROM t').all()).toEqual([{ x: Buffer.from([1]) }]);
    unchanged.close();
    for (let times = 0; times < 2; times++) {
      const upgraded = open({ migrations: steps });
      expect(upgraded.sql.prepare('SELECT * FROM t').all()).toEqual([{ x: Buffer.from([1]), y: 7 }]);
      upgraded.close();
    }
    expect(() => open()).toThrow('has schema version 3, this program knows 1');
  });

  test('is checkpointed early when idle and late under load', () => {
    const database = open();
    const mainBytes = () => statSync(join(folder, 'a.db')).size;
    const before = mainBytes();
    const write = (bytes: number) => {
      database.sql.prepare('INSERT INTO t VALUES (?)').run(Buffer.alloc(bytes, 1));
      database.wrote(bytes);
    };
    write(100_000);
    database.maintain(true);
    expect(mainBytes()).toBe(before);
    write(200_000);
    database.maintain(false);
    expect(mainBytes()).toBe(before);
    database.maintain(true);
    expect(mainBytes()).toBeGreaterThan(300_000);
    database.close();
  });
});

test('blocks and commits are written once: a second block or commit at a height fails', () => {
  const store = openSqliteBlockStore(join(folder, 'blocks.db'), identity);
  const hash = (fill: number) => Buffer.alloc(32, fill);
  const block = (height: number, fill: number) => ({
    height,
    id: { hash: hash(fill), parts: { total: 1, hash: hash(fill) } },
    bytes: Buffer.from('bytes'),
    timeNs: 1_795_231_831_332_864_781n,
    transactionCount: 0,
  });
  expect([store.blockHeight(), store.commitHeight(), store.block(1), store.commit(1)]).toEqual([0, 0, undefined, undefined]);
  store.putBlock(block(1, 1));
  expect([store.blockHeight(), store.commitHeight()]).toEqual([1, 0]);
  store.putCommit(1, Buffer.from('commit'));
  expect(() => store.putBlock(block(1, 2))).toThrow('UNIQUE constraint');
  expect(() => store.putCommit(1, Buffer.from('other'))).toThrow('UNIQUE constraint');
  expect(store.block(1)).toEqual(block(1, 1));
  expect(store.heightOf(hash(1))).toBe(1);
  expect(store.heightOf(hash(2))).toBeUndefined();
  store.close();
});

test('a block and its commit are fsynced, the state that can be made again from them is not', () => {
  const pragmas = jest.spyOn(Database.prototype, 'pragma');
  const synchronous = (open: () => { close(): void }) => {
    pragmas.mockClear();
    open().close();
    return pragmas.mock.calls.map(([text]) => text).filter((text) => text.startsWith('synchronous'));
  };
  expect(synchronous(() => openSqliteBlockStore(join(folder, 'blocks.db'), identity))).toEqual(['synchronous = full']);
  expect(synchronous(() => openSqliteStateStore(join(folder, 'ledger.db'), identity))).toEqual(['synchronous = normal']);
  pragmas.mockRestore();
});
