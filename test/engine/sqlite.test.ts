/** The SQLite files: durability, schema version, identity and checkpoints. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sqliteChainStore, type BlockUpdate, type SqliteChainStore } from '../../server/engine/embedded/index.ts';
import { SqliteDatabase, type OpenOptions } from '../../server/engine/sqlite/database.ts';
import { openChainFile, type ChainFile } from './support/chain-file.ts';

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
    ...changes,
  });

describe('an SQLite file of the engine', () => {
  test('runs in WAL, survives the death of the process, and checkpoints only when told', () => {
    const database = open();
    expect(database.sql.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(database.sql.pragma('synchronous', { simple: true })).toBe(1);
    expect(database.sql.pragma('wal_autocheckpoint', { simple: true })).toBe(0);
    database.close();
  });

  test('of another chain, another genesis or a later version is refused', () => {
    open().close();
    open().close();
    expect(() => open({ identity: { ...identity, chainId: 'other' } })).toThrow(
      'belongs to chain chain with genesis AB',
    );
    expect(() => open({ identity: { ...identity, genesisHash: 'CD' } })).toThrow(
      'belongs to chain chain with genesis AB',
    );
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
    expect(() => open({ migrations: steps, identity: { ...identity, chainId: 'other' } })).toThrow(
      'belongs to chain chain',
    );
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

describe('the chain in chain.db', () => {
  const hash = (fill: number) => Buffer.alloc(32, fill);
  const governance = {
    cancellers: ['c'],
    governors: ['g'],
    threshold: 1,
    validators: [{ publicKey: 'AA', power: 1 }],
    sequence: 0,
    rules: [{ version: 1, height: 1 }],
    currency: { code: 'TST', scale: 2 },
    openingMinimum: '1',
  };
  const account = (leaf: number, address: string, balance: bigint) => ({
    leaf,
    address,
    account: { balance, nonce: leaf, voids: 5n },
  });
  const update = (height: number, fill: number, changes: Partial<BlockUpdate> = {}): BlockUpdate => ({
    block: {
      height,
      id: { hash: hash(fill), parts: { total: 1, hash: hash(fill) } },
      bytes: Buffer.from('bytes'),
      timeNs: 1_795_231_831_332_864_781n,
      transactionCount: 0,
    },
    commit: Buffer.from('commit'),
    signed: { height, round: 0, step: 3, signature: hash(7), signBytes: hash(8) },
    appHash: hash(2),
    resultsHash: hash(3),
    failures: [],
    transactions: [],
    accounts: [],
    governance: undefined,
    ...changes,
  });
  let file: ChainFile;
  let store: SqliteChainStore;
  beforeEach(() => {
    file = openChainFile(folder);
    store = sqliteChainStore(file.database);
  });
  afterEach(() => file.close());
  const initialise = () =>
    store.initialise({
      ...identity,
      genesisTimeMs: 1,
      accounts: [account(1, 'b', 2n), account(0, 'a', 1n)],
      governance,
    });

  test('is nothing before it is initialised, then height 0 with the accounts in the order of their leaves', () => {
    expect([
      store.height(),
      store.load(),
      store.lastSigned(),
      store.block(1),
      store.commit(1),
      store.executed(1),
    ]).toEqual([0, ...Array.from({ length: 5 }, () => undefined)]);
    initialise();
    const loaded = store.load();
    expect({ ...loaded, accounts: [...(loaded?.accounts ?? [])] }).toEqual({
      ...identity,
      height: 0,
      recorded: undefined,
      accounts: [account(0, 'a', 1n), account(1, 'b', 2n)],
      governance,
    });
    expect(initialise).toThrow('SQLITE_CONSTRAINT');
  });

  test('gives back what was appended, exactly', () => {
    initialise();
    const changed = { ...governance, sequence: 1 };
    const failures = [
      [0, 1, 'a\n"\u2028log'],
      [3, 1, ''],
    ] as const;
    // An address that was named as a receiver before is there already, without a leaf.
    file.sql.exec("INSERT INTO accounts (address, balance, nonce, voids) VALUES ('c', '0', 0, ''), ('d', '0', 0, '')");
    const all = update(1, 1, { failures, governance: changed, accounts: [account(1, 'b', 9n), account(2, 'c', 4n)] });
    store.append(all, () => {});
    expect(store.block(1)).toEqual(all.block);
    expect(store.commit(1)).toEqual(all.commit);
    expect(store.executed(1)).toEqual({ appHash: all.appHash, resultsHash: all.resultsHash, failures });
    expect(store.lastSigned()).toEqual(all.signed);
    expect([store.heightOf(hash(1)), store.heightOf(hash(2)), store.height()]).toEqual([1, undefined, 1]);
    const loaded = store.load();
    expect(loaded).toMatchObject({ height: 1, recorded: store.executed(1), governance: changed });
    expect([...(loaded?.accounts ?? [])]).toEqual([account(0, 'a', 1n), account(1, 'b', 9n), account(2, 'c', 4n)]);
  });

  test('writes a block once: a second one at its height fails and changes nothing', () => {
    initialise();
    store.append(update(1, 1), () => {});
    expect(() =>
      store.append(update(1, 2, { commit: Buffer.from('other'), accounts: [account(0, 'a', 7n)] }), () => {}),
    ).toThrow('SQLITE_CONSTRAINT');
    expect([store.block(1)?.id.hash, store.commit(1)]).toEqual([hash(1), Buffer.from('commit')]);
    expect([...(store.load()?.accounts ?? [])][0]).toEqual(account(0, 'a', 1n));
  });

  test('writes nothing of a block when what settles with it fails', () => {
    initialise();
    const failing = () => {
      expect(store.height()).toBe(1);
      throw new Error('settling failed');
    };
    expect(() =>
      store.append(
        update(1, 1, { accounts: [account(0, 'a', 7n)], governance: { ...governance, sequence: 1 } }),
        failing,
      ),
    ).toThrow('settling failed');
    expect([store.height(), store.lastSigned(), store.load()?.governance.sequence]).toEqual([0, undefined, 0]);
    expect([...(store.load()?.accounts ?? [])][0]).toEqual(account(0, 'a', 1n));
  });

  test('is checkpointed early when idle, and not by a block under load', () => {
    initialise();
    const log = () => {
      const [pages] = file.sql.pragma('wal_checkpoint(NOOP)') as { log: number; checkpointed: number }[];
      return (pages?.log ?? 0) - (pages?.checkpointed ?? 0);
    };
    store.maintain(true);
    const before = log();
    expect(before).toBeGreaterThan(0);
    const { block } = update(1, 1);
    // What cannot be packed.
    store.append(update(1, 1, { block: { ...block, bytes: randomBytes(400_000) } }), () => {});
    expect(log()).toBeGreaterThan(before + 90);
    store.maintain(false);
    expect(log()).toBeGreaterThan(before + 90);
    store.maintain(true);
    expect(log()).toBe(0);
  });
});
