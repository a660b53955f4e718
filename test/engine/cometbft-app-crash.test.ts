/**
 * A crash between any two steps of a commit: the application comes back at the old height or the new one, whole, and goes on to the same app
 * hash. The steps inside the database are one transaction; killing the process at any moment shows that it is one.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ROOT } from '../../scripts/steps.ts';
import { type AppStore } from '../../server/engine/cometbft/app/index.ts';
import { loadState } from '../../server/engine/cometbft/app/load-state.ts';
import { openSqliteAppStore } from '../../server/engine/cometbft/app/sqlite-app-store.ts';
import { finalizeBlock, LedgerState } from '../../server/ledger/index.ts';
import { BLOCK, signedCancel, signedGovernance, signedTransfer, testGenesis } from '../ledger/support.ts';
import { AppFixture, hex } from './support/abci-app.ts';

const genesis = testGenesis();
const BLOCKS = [
  [signedTransfer({ from: 0, nonce: 0 }), signedTransfer({ from: 1, nonce: 0 })],
  [signedCancel({ from: 2, nonce: 0 }), signedGovernance(), signedTransfer({ from: 0, nonce: 1 })],
  [signedTransfer({ from: 0, nonce: 2 })],
].map((block) => block.map(({ raw }) => raw));

/** App hashes by height, of a ledger that never crashed. */
const APP_HASHES = (() => {
  const state = LedgerState.fromGenesis(genesis);
  const hashes = [hex(state.appHash)];
  for (const block of BLOCKS) {
    state.commit(finalizeBlock(state, block, BLOCK));
    hashes.push(hex(state.appHash));
  }
  return hashes;
})();

class Crash extends Error {}

/** Fails in one step of height 2, before or after it took effect; the process would be dead. */
function crashing(step: 'replace' | 'commit' | 'maintain', moment: 'before' | 'after'): (store: AppStore) => AppStore {
  return (store) => {
    let height = 0;
    const run = (name: string, act: () => void): void => {
      const here = name === step && (step === 'replace' || height === 2);
      if (here && moment === 'before') throw new Crash('crashed');
      act();
      if (here) throw new Crash('crashed');
    };
    return {
      ...store,
      replace: (state) => run('replace', () => store.replace(state)),
      commit: (change) => {
        ({ height } = change);
        run('commit', () => store.commit(change));
      },
      maintain: (idle) => run('maintain', () => store.maintain(idle)),
    };
  };
}

describe('a crash', () => {
  let app: AppFixture;
  beforeEach(() => {
    app = new AppFixture();
  });
  afterEach(() => app.dispose());

  test.each([
    ['replace', 'before', 0],
    ['replace', 'after', 0],
    ['commit', 'before', 1],
    ['commit', 'after', 2],
    ['maintain', 'before', 2],
    ['maintain', 'after', 2],
  ] as const)('in %s, %s it took effect, leaves height %i', async (step, moment, left) => {
    await app.start({ wrap: crashing(step, moment) });
    const initialised = await app.initChain(genesis);
    if (step === 'replace') expect(initialised.exception).toBeDefined();
    else {
      await app.block(1, BLOCKS[0]!);
      await expect(app.block(2, BLOCKS[1]!)).rejects.toThrow('crashed');
    }
    // The process is told to end: a defect is nothing to go on with.
    expect(app.defects).toEqual([expect.any(Crash)]);
    await app.stop();
    await app.start();
    const { height, appHash } = await app.info();
    expect(height).toBe(left);
    if (left > 0) expect(appHash).toBe(APP_HASHES[left]);
    if (left === 0) await app.initChain(genesis);
    for (let next = left + 1; next <= BLOCKS.length; next++) {
      expect(hex((await app.block(next, BLOCKS[next - 1]!)).appHash)).toBe(APP_HASHES[next]);
    }
  });

  test('after FinalizeBlock and before Commit leaves the block before', async () => {
    await app.start();
    await app.initChain(genesis);
    await app.block(1, BLOCKS[0]!);
    await app.ask({ finalizeBlock: { height: 2n, txs: BLOCKS[1]! } });
    await app.stop();
    await app.start();
    expect(await app.info()).toMatchObject({ height: 1, appHash: APP_HASHES[1] });
    expect(hex((await app.block(2, BLOCKS[1]!)).appHash)).toBe(APP_HASHES[2]);
  });
});

describe('the store', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'txledger-app-store-'));
  const file = path.join(folder, 'app.db');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('survives kill -9 in the middle of thousands of commits: one height, whole', async () => {
    // Every height changes every account, and the app hash is that of the accounts.
    const child = spawn(process.execPath, [path.join(ROOT, 'test/engine/support/app-store-child.ts'), file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      printed = Number(chunk.toString().trim().split('\n').at(-1));
      if (printed >= 100) child.kill('SIGKILL');
    });
    await once(child, 'close');
    const store = openSqliteAppStore(file);
    const state = loadState(store, undefined);
    // What had been printed was committed; loadState compares the accounts with the hash.
    expect(state!.height).toBeGreaterThanOrEqual(printed);
    expect([...state!.leaves()].every(({ account }) => account.nonce === state!.height)).toBe(true);
    store.close();
  });

  test('writes accounts, height and app hash in one step: when one fails, none is there', () => {
    const memory = openSqliteAppStore(path.join(folder, 'atomic.db'));
    const state = LedgerState.fromGenesis(genesis);
    const { chain, appHash } = state;
    memory.replace({ chain, height: 0, appHash, governance: state.governance(), accounts: state.leaves() });
    const accounts = [...state.leaves()].map((row) => ({ ...row, account: { ...row.account, nonce: 9 } }));
    const governance = { ...state.governance(), sequence: 9 };
    expect(() => memory.commit({ height: 2, appHash: Buffer.alloc(32, 1), accounts, governance })).toThrow(
      'app.db is not at height 1',
    );
    const left = memory.load()!;
    expect([left.height, hex(left.appHash), left.governance.sequence]).toEqual([0, hex(appHash), 0]);
    expect([...left.accounts].every(({ account }) => account.nonce === 0)).toBe(true);
    memory.close();
  });

  test('that was damaged is refused with what to do', async () => {
    const damaged = new AppFixture();
    await damaged.start();
    await damaged.initChain(genesis);
    await damaged.block(1, BLOCKS[0]!);
    await damaged.stop();
    const sql = new Database(path.join(damaged.dataDir, 'app.db'));
    sql.exec("UPDATE accounts SET balance = '5' WHERE leaf = 3");
    sql.close();
    await expect(damaged.start()).rejects.toThrow(
      /app\.db is damaged: its accounts give the app hash .* Move app\.db away/,
    );
    await damaged.dispose();
  });
});
