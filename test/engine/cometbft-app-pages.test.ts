/** The application's state in pages on disk: the same app hashes and proofs as in memory, with caches that hold next to nothing. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from '@jest/globals';
import { checkAppState } from '../../server/engine/cometbft/app/sqlite-app-check.ts';
import { loadState } from '../../server/engine/cometbft/app/load-state.ts';
import { openSqliteAppStore } from '../../server/engine/cometbft/app/sqlite-app-store.ts';
import {
  type Account,
  type AccountRow,
  accountKey,
  type FinalizedBlock,
  genesisGovernance,
  LedgerState,
} from '../../server/ledger/index.ts';
import { testGenesis } from '../ledger/support.ts';
import { hex } from './support/abci-app.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'txledger-app-pages-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const genesis = testGenesis();
const governance = genesisGovernance(genesis);
const { chainId, addressPrefix } = genesis;
/** Less than the account or tile that is in use. */
const NO_CACHE = { cacheBytesMax: 1 };
let files = 0;
const newFile = (): string => path.join(folder, `app-${files++}.db`);

/** The ends repeat, so that the index finds several: the whole address decides. */
const addressOf = (i: number): string => `txlt${i}aaaaaaaaaaaaaa${i % 7}`;
const accountOf = (i: number, nonce = 0): Account => ({
  balance: BigInt(i) + 10n ** 30n,
  nonce,
  voids: nonce % 3 === 1 ? 5n : 0n,
});
const rowsOf = (count: number): AccountRow[] =>
  Array.from({ length: count }, (_, leaf) => ({ address: addressOf(leaf), leaf, account: accountOf(leaf) }));
const blockOf = (accounts: ReadonlyMap<string, Account>): FinalizedBlock => ({
  results: [],
  accounts,
  governance: undefined,
  validatorUpdates: [],
  events: [],
});

function twins(count: number, file = newFile()) {
  const memory = LedgerState.restore(genesis, { accounts: rowsOf(count), governance, height: 1 });
  const store = openSqliteAppStore(file, NO_CACHE);
  store.replace({
    chain: { chainId, addressPrefix },
    height: 1,
    appHash: memory.appHash,
    governance,
    accounts: rowsOf(count),
  });
  return { memory, store, file };
}

describe('state in pages', () => {
  test('gives the app hash, the accounts, the proofs and the earlier heights of state in memory, through commits, restarts and blocks given up', () => {
    const change = fc.record({
      touched: fc.uniqueArray(fc.nat(299), { maxLength: 12 }),
      appended: fc.nat(70),
      after: fc.constantFrom(
        'goes on' as const,
        'goes on' as const,
        'starts again' as const,
        'is given up first' as const,
      ),
    });
    fc.assert(
      fc.property(
        fc.constantFrom(0, 1, 31, 32, 33, 63, 64, 65, 127, 128, 129, 300),
        fc.array(change, { minLength: 1, maxLength: 5 }),
        (count, changes) => {
          const { memory, file, store: first } = twins(count);
          let store = first;
          let paged = loadState(store, undefined)!;
          let size = count;
          for (const { touched, appended, after } of changes) {
            const ids = [...touched.filter((i) => i < size), ...Array.from({ length: appended }, (_, i) => size + i)];
            const block = blockOf(new Map(ids.map((i) => [addressOf(i), accountOf(i, memory.height)])));
            if (after === 'is given up first') {
              paged.commit(blockOf(new Map(ids.map((i) => [addressOf(i), accountOf(i, 77)]))));
              paged = loadState(store, undefined)!;
            }
            memory.commit(block);
            const changed = paged.commit(block);
            store.commit({
              height: paged.height,
              appHash: changed.appHash,
              accounts: changed.accounts,
              governance: undefined,
            });
            size += appended;
            if (after === 'starts again') {
              store.close();
              store = openSqliteAppStore(file, NO_CACHE);
              paged = loadState(store, undefined)!;
            }
            expect([paged.height, paged.accountCount, hex(paged.appHash)]).toEqual([
              memory.height,
              size,
              hex(memory.appHash),
            ]);
            for (const i of [0, size - 1, size, ...ids.slice(0, 3)]) {
              expect(paged.account(addressOf(i))).toEqual(memory.account(addressOf(i)));
              for (const height of [paged.height, paged.oldestHeight]) {
                const key = accountKey(addressOf(i));
                expect(paged.at(height)!.prove('accounts', key)).toEqual(memory.at(height)!.prove('accounts', key));
              }
            }
          }
          expect([...paged.leaves()]).toEqual([...memory.leaves()]);
          store.close();
          expect(checkAppState(file)).toEqual({ height: memory.height, accounts: size });
          rmSync(file);
        },
      ),
      { numRuns: 20 },
    );
  });

  test('of a file of a version that kept the tree in memory is made at the first start', () => {
    const { memory, store, file } = twins(1_000);
    store.close();
    const sql = new Database(file);
    sql.exec('DROP TABLE tree_tiles; DROP TABLE tree_roots; DROP INDEX accounts_by_address');
    sql.pragma('user_version = 1');
    sql.close();
    const lines: string[] = [];
    const log = (_fields: object, message: string): void => void lines.push(message);
    const upgraded = openSqliteAppStore(file, { logger: { debug: log, info: log, warn: log, error: log } });
    expect(hex(loadState(upgraded, undefined)!.appHash)).toBe(hex(memory.appHash));
    expect(lines).toEqual(['upgrading app.db: the tree of the accounts moves from memory into the file']);
    upgraded.close();
    expect(checkAppState(file).accounts).toBe(1_000);
  });
});

describe('a damaged file', () => {
  const change = (file: string, statement: string): void => {
    const sql = new Database(file);
    sql.exec(statement);
    sql.close();
  };

  test.each([
    ['a balance', "UPDATE accounts SET balance = '8' WHERE leaf = 70", /its accounts give the app hash/],
    ['an account that is gone', 'DELETE FROM accounts WHERE leaf = 70', /no account at leaf 70/],
    ['a root of a tile', 'UPDATE tree_roots SET nodes = zeroblob(1024)', /its accounts give the app hash/],
    ['no roots at all', 'DELETE FROM tree_roots', /app\.db is damaged/],
  ])('%s is found at the start', (_name, statement, words) => {
    const { store, file } = twins(100);
    store.close();
    change(file, statement);
    const opened = openSqliteAppStore(file);
    expect(() => loadState(opened, undefined)).toThrow(words);
    opened.close();
    expect(() => checkAppState(file)).toThrow(/damaged|application hash/);
  });

  test('of more accounts than are read at the start is found when the account is read, and by the check of the whole', () => {
    const { store, file } = twins(1_000);
    store.close();
    change(
      file,
      `UPDATE accounts SET balance = '8' WHERE leaf = 70; UPDATE tree_tiles SET nodes = zeroblob(4032) WHERE tile = 9`,
    );
    const opened = openSqliteAppStore(file);
    const state = loadState(opened, undefined, 999)!;
    expect(state.account(addressOf(71))).toEqual(accountOf(71));
    expect(() => state.account(addressOf(70))).toThrow(
      `app.db is damaged: account ${addressOf(70)} is not what its tree commits to`,
    );
    expect(() => state.account(addressOf(9 * 64 + 1))).toThrow('app.db is damaged');
    opened.close();
    expect(() => checkAppState(file)).toThrow('tile 1 of the tree is not that of its accounts');
  });
});
