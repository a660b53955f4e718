/** The store on SQLite: durable settings, migrations, one writer at a time, failures told apart. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Store, WriteTransaction } from '../../server/store/index.ts';
import { openSqliteStore, StoreConflictError, StoreUnavailableError } from '../../server/store/index.ts';
import { makeDurable } from '../../server/store/sqlite/pragmas.ts';
import { commitFailure, statementFailure } from '../../server/store/sqlite/failure.ts';

let folder: string;
let path: string;
let store: Store;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'txledger-store-'));
  path = join(folder, 'gateway.db');
  store = await openSqliteStore({ path });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const account = (id: number) => ({ id, address: `address-${id}`, onChain: true, balance: 2n ** 128n - 1n, nonce: Number.MAX_SAFE_INTEGER, voids: 2n ** 1023n, reserved: 7n });

const transfer = (seq: number, changes: object = {}) => ({
  seq,
  hash: seq.toString(16).toUpperCase().padStart(64, '0'),
  fromId: 1,
  toId: 2,
  amount: 5n,
  nonce: seq,
  signature: 'ab'.repeat(64),
  status: 'pending' as const,
  reason: undefined,
  firstSeenAtMs: 1,
  seenBlockMs: 2,
  seenUptimeMs: 3,
  height: undefined,
  blockTimeMs: undefined,
  ownerId: undefined,
  ...changes,
});

const insert = (...rows: ReturnType<typeof transfer>[]) => store.write((tx) => tx.insertTransfers(rows));

describe('the file', () => {
  test('is in WAL mode with a commit that waits for the disk', () => {
    const raw = new Database(path);
    expect(raw.pragma('journal_mode', { simple: true })).toBe('wal');
    raw.pragma('synchronous = OFF');
    makeDurable(raw);
    const FULL = 2;
    expect(raw.pragma('synchronous', { simple: true })).toBe(FULL);
    raw.close();
  });

  test('is brought to the current schema by any number of openers at once, and opens again', async () => {
    const fresh = join(folder, 'fresh.db');
    const module = new URL('../../server/store/index.ts', import.meta.url).href;
    const program = `import { openSqliteStore } from '${module}'; await (await openSqliteStore({ path: '${fresh}' })).close();`;
    // Processes of their own, as server and command line are: on one thread the second would wait for itself.
    const openers = [1, 2, 3].map(() => promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]));
    for (const { stderr } of await Promise.all(openers)) expect(stderr).toBe('');
    const again = await openSqliteStore({ path: fresh });
    expect(await again.read((tx) => tx.tokens())).toEqual([]);
    await again.close();
  });

  test('of a newer version is not opened', async () => {
    const raw = new Database(path);
    raw.prepare("insert into kysely_migration (name, timestamp) values ('9999-future', '2099-01-01')").run();
    raw.close();
    await expect(openSqliteStore({ path })).rejects.toThrow(/schema/);
  });
});

describe('a transaction', () => {
  test('is visible to nobody before its commit, and to readers without waiting', async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const writing = store.write(async (tx) => {
      await tx.saveAccounts([account(1)]);
      await held;
    });
    expect(await store.read((tx) => tx.accountsByAddress(['address-1']))).toEqual([]);
    release();
    await writing;
    expect(await store.read((tx) => tx.accountsByAddress(['address-1']))).toEqual([account(1)]);
  });

  test('that throws leaves nothing', async () => {
    const fails = async (tx: WriteTransaction): Promise<void> => {
      await tx.saveAccounts([account(1)]);
      throw new Error('changed my mind');
    };
    await expect(store.write(fails)).rejects.toThrow('changed my mind');
    expect(await store.read((tx) => tx.accountsById([1]))).toEqual([]);
    await store.write((tx) => tx.saveAccounts([account(1)]));
  });

  test('takes turns with others: a counter read and written is never lost', async () => {
    const take = () =>
      store.write(async (tx) => {
        const counters = await tx.lockCounters();
        await Promise.resolve();
        await tx.saveCounters({ ...counters, nextSeq: counters.nextSeq + 1 });
      });
    await Promise.all(Array.from({ length: 50 }, take));
    expect(await store.write((tx) => tx.lockCounters())).toMatchObject({ nextSeq: 51 });
  });

  test('reads one snapshot from its first query to its last', async () => {
    await store.write((tx) => tx.saveAccounts([account(1)]));
    const seen = await store.read(async (tx) => {
      const [before] = await tx.accountsById([1]);
      await store.write((other) => other.saveAccounts([{ ...account(1), balance: 0n }]));
      const [after] = await tx.accountsById([1]);
      return [before?.balance, after?.balance];
    });
    expect(seen[0]).toBe(seen[1]);
  });
});

describe('rows', () => {
  beforeEach(() => store.write((tx) => tx.saveAccounts([account(1), account(2)])));

  test('keep the largest values exactly', async () => {
    expect(await store.read((tx) => tx.accountsById([1]))).toEqual([account(1)]);
    await insert(transfer(1, { amount: 2n ** 128n - 1n, nonce: Number.MAX_SAFE_INTEGER }));
    expect(await store.read((tx) => tx.transfersAt([{ fromId: 1, nonce: Number.MAX_SAFE_INTEGER }]))).toMatchObject([
      { amount: 2n ** 128n - 1n, nonce: Number.MAX_SAFE_INTEGER, signature: 'ab'.repeat(64), hash: transfer(1).hash, owner: undefined },
    ]);
  });

  test('hold a nonce once while pending, committed or failed by execution, and not otherwise', async () => {
    await insert(transfer(1, { nonce: 9 }));
    await expect(insert(transfer(2, { nonce: 9, amount: 6n }))).rejects.toThrow(StoreConflictError);
    await expect(insert(transfer(2, { nonce: 9, amount: 6n, status: 'committed' }))).rejects.toThrow(StoreConflictError);
    await expect(insert(transfer(2, { nonce: 9, amount: 6n, status: 'failed', reason: 'insufficient_funds' }))).rejects.toThrow(StoreConflictError);
    await insert(transfer(2, { nonce: 9, amount: 6n, status: 'failed', reason: 'superseded_by_payment' }));
    await insert(transfer(3, { nonce: 9, amount: 7n, status: 'cancelled' }));
    expect(await store.read((tx) => tx.heldNonces(1, 0))).toEqual([9]);
  });

  test('are one for each payment and for each hash', async () => {
    await insert(transfer(1, { nonce: 9, status: 'cancelled' }));
    await expect(insert(transfer(2, { nonce: 9 }))).rejects.toThrow(StoreConflictError);
    await expect(insert(transfer(2, { hash: transfer(1).hash }))).rejects.toThrow(StoreConflictError);
  });

  test('are settled while pending only, and then never again', async () => {
    await insert(transfer(1));
    const settlement = { seq: 1, status: 'committed' as const, reason: undefined, reasonHash: undefined, executedAs: 'C'.repeat(64), height: 3, blockTimeMs: 4 };
    expect(await store.write((tx) => tx.settleTransfers([settlement]))).toBe(1);
    expect(await store.write((tx) => tx.settleTransfers([{ ...settlement, status: 'failed' }]))).toBe(0);
    expect(await store.write((tx) => tx.requestCancel(1, 5))).toBe(false);
    await store.write((tx) => tx.markBroadcast([1], 5));
    const found = await store.read((tx) => tx.transferByHash('C'.repeat(64)));
    expect(found).toMatchObject({ status: 'committed', height: 3, broadcastAtMs: undefined });
  });
});

describe('the follower', () => {
  const state = { chainId: 'chain-1', genesisHash: 'G', height: 0, hash: '', blockTimeMs: 1, uptimeMs: 0 };

  test('advances from its height and its hash only, on its chain', async () => {
    await store.write((tx) => tx.createFollower(state));
    const to = { chainId: 'chain-1', height: 1, hash: 'A', blockTimeMs: 2, uptimeMs: 3 };
    const advance = (block: typeof to, parent: string) => store.write((tx) => tx.advanceFollower(block, parent));
    expect(await advance(to, 'X')).toBe(false);
    expect(await advance({ ...to, height: 2 }, '')).toBe(false);
    expect(await advance({ ...to, chainId: 'chain-2' }, '')).toBe(false);
    expect(await advance(to, '')).toBe(true);
    expect(await advance(to, '')).toBe(false);
    expect(await store.read((tx) => tx.follower())).toEqual({ ...state, ...to });
  });
});

describe('failures', () => {
  const sqlite = (code: string) => Object.assign(new Error('failed'), { code });

  test('of statements leave nothing: try later, read again, or a defect', () => {
    for (const code of ['SQLITE_FULL', 'SQLITE_BUSY', 'SQLITE_IOERR_WRITE']) expect(statementFailure(sqlite(code))).toBeInstanceOf(StoreUnavailableError);
    expect(statementFailure(sqlite('SQLITE_CONSTRAINT_UNIQUE'))).toBeInstanceOf(StoreConflictError);
    for (const error of [sqlite('SQLITE_CONSTRAINT_NOTNULL'), sqlite('SQLITE_ERROR'), new TypeError('x')]) expect(statementFailure(error)).toBe(error);
  });

  test('of commits are known only when SQLite says that nothing was written', () => {
    expect(commitFailure(sqlite('SQLITE_FULL')).name).toBe('StoreUnavailableError');
    expect(commitFailure(sqlite('SQLITE_BUSY')).name).toBe('StoreUnavailableError');
    for (const error of [sqlite('SQLITE_IOERR_FSYNC'), sqlite('SQLITE_IOERR_WRITE'), new Error('?')]) expect(commitFailure(error).name).toBe('StoreOutcomeUnknownError');
  });
});
