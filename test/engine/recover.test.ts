/** What a restart finds and does: after a crash between any two durable steps, and with stores that do not belong together. */
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { blockId, dataHash, decodeCommit, encodeBlock, upperHex } from '../../server/engine/encoding/index.ts';
import { AT_START_BLOCKS, readBlock, SLICE_BLOCKS } from '../../server/engine/embedded/history-check.ts';
import { openDiskSignState } from '../../server/engine/embedded/disk-sign-state.ts';
import { EmbeddedEngine, enginePaths, validatorKeyFromSeed } from '../../server/engine/embedded/index.ts';
import { openSqliteBlockStore } from '../../server/engine/embedded/sqlite-block-store.ts';
import { openSqliteSearchStore } from '../../server/engine/search/sqlite-search-store.ts';
import { openSqliteStateStore } from '../../server/engine/embedded/sqlite-state-store.ts';
import type { CommittedBlock } from '../../server/engine/port.ts';
import { finalizeBlock, LedgerState } from '../../server/ledger/index.ts';
import { signedTransfer, testGenesis, validatorKey as publicKeyHex, validatorSeed } from '../ledger/support.ts';
import { crashing, STEPS, type CrashPlan, type DoneStep } from './support/crash.ts';
import { Fixture, genesis, validatorKey } from './support/fixture.ts';

let fixture: Fixture;
beforeEach(() => {
  fixture = new Fixture();
});
afterEach(() => fixture.dispose());

const raw = (nonce: number) => signedTransfer({ from: 0, to: 1, nonce, amount: 3n }).raw;

/** A chain of some blocks with a transfer each, then stopped. */
async function makeChain(blocks: number): Promise<void> {
  const engine = await fixture.start();
  await fixture.clock.advance(0);
  for (let nonce = 0; nonce < blocks - 1; nonce++) {
    await engine.broadcast([{ raw: raw(nonce) }]);
    await fixture.clock.advance(1000);
  }
  expect((await engine.status()).height).toBe(blocks);
  await fixture.stop();
}

/** Executes the whole chain from genesis, with nothing but the ledger. */
function replay(blocks: readonly CommittedBlock[]): string {
  const state = LedgerState.fromGenesis(genesis);
  for (const { transactions, codes } of blocks) {
    const finalized = finalizeBlock(state, transactions);
    expect(finalized.results.map(({ code }) => code)).toEqual(codes);
    state.commit(finalized);
  }
  return upperHex(state.appHash);
}

async function allBlocks(): Promise<CommittedBlock[]> {
  const blocks = await fixture.engine.blocks(1, 100);
  blocks.forEach((block, i) => {
    expect(block.height).toBe(i + 1);
    expect(block.parentHash).toBe(blocks[i - 1]?.hash ?? '');
    expect(block.timeMs).toBeGreaterThan(blocks[i - 1]?.timeMs ?? 0);
  });
  return blocks;
}

describe('the order of durable steps', () => {
  function openCrashing(plan: CrashPlan | undefined, done: DoneStep[] = []): EmbeddedEngine {
    const paths = enginePaths(fixture.dataDir);
    const identity = { chainId: genesis.chainId, genesisHash: genesis.hash };
    const stores = {
      blocks: openSqliteBlockStore(paths.blocks, identity),
      states: openSqliteStateStore(paths.ledger, identity),
      signState: openDiskSignState(paths.signState),
    };
    return new EmbeddedEngine({
      genesis,
      validatorKey,
      blockIntervalMs: 1000,
      clock: fixture.clock,
      logger: { debug() {}, info() {}, warn() {}, error() {} },
      onFatal: (error) => fixture.fatal.push(error),
      search: openSqliteSearchStore(paths.search, identity),
      ...crashing(stores, plan, done),
    });
  }

  test('is block, signature, commit, state, at every height', async () => {
    const done: DoneStep[] = [];
    const engine = openCrashing(undefined, done);
    await fixture.clock.advance(9_500 * 2);
    expect((await engine.status()).height).toBe(3);
    await engine.close();
    expect(done[0]).toEqual({ step: 'save', height: 0 });
    expect(done.slice(1)).toEqual([1, 2, 3].flatMap((height) => STEPS.map((step) => ({ step, height }))));
  });

  const plans = STEPS.flatMap((step) => (['before', 'after'] as const).map((moment) => ({ step, moment, height: 3 })));
  test.each(plans)('a crash $moment $step loses no block, signs no height twice and executes nothing twice', async (plan) => {
    const crashed = openCrashing(plan);
    await fixture.clock.advance(0);
    await crashed.broadcast([{ raw: raw(0) }]);
    await fixture.clock.advance(1000);
    await crashed.broadcast([{ raw: raw(1) }]);
    await fixture.clock.advance(1000);
    // Nothing of a block is visible before its last step.
    expect(fixture.fatal.map(({ name }) => name)).toEqual(['Crash']);
    expect(await crashed.status()).toMatchObject({ height: 2, healthy: false });
    expect((await crashed.blocks(1, 10)).length).toBe(2);
    await crashed.close();
    const signedBefore = fixture.signState();

    await fixture.clock.advance(5_000);
    const engine = await fixture.start();
    const stored = plan.step === 'putBlock' && plan.moment === 'before' ? 2 : 3;
    expect((await engine.status()).height).toBe(stored);
    await engine.broadcast([{ raw: raw(1) }]);
    await fixture.clock.advance(2_000);
    const blocks = await allBlocks();
    expect(blocks.flatMap(({ transactions }) => transactions.map((tx) => Buffer.from(tx).toString()))).toEqual(
      [raw(0), raw(1)].map((tx) => Buffer.from(tx).toString()),
    );
    expect(blocks.at(-1)?.appHash).toBe(replay(blocks));
    await fixture.stop();

    fixture.withBlocks((store) => {
      expect(store.commitHeight()).toBe(store.blockHeight());
      const commit = decodeCommit(store.commit(signedBefore.height) ?? new Uint8Array());
      // The signature that was on disk before the restart is the one in the commit, not one made again.
      expect(upperHex(commit.signatures[0]?.signature ?? new Uint8Array())).toBe(upperHex(signedBefore.signature ?? new Uint8Array()));
    });
  });
});

describe('catching up', () => {
  test('ledger.db that is gone is made again from the blocks, to the same application hash', async () => {
    await makeChain(6);
    const before = fixture.withStates((states) => states.executed(6));
    rmSync(enginePaths(fixture.dataDir).ledger);
    const engine = await fixture.start();
    expect((await engine.status()).height).toBe(6);
    expect((await allBlocks()).at(-1)?.appHash).toBe(upperHex(before?.appHash ?? new Uint8Array()));
    await fixture.stop();
    expect(fixture.withStates((states) => states.executed(6))).toEqual(before);
  });

  test('ledger.db several heights behind catches up', async () => {
    await makeChain(3);
    const { ledger } = enginePaths(fixture.dataDir);
    copyFileSync(ledger, `${ledger}.old`);
    const engine = await fixture.start();
    for (let nonce = 2; nonce < 6; nonce++) {
      await engine.broadcast([{ raw: raw(nonce) }]);
      await fixture.clock.advance(1000);
    }
    const expected = await allBlocks();
    await fixture.stop();
    copyFileSync(`${ledger}.old`, ledger);
    await fixture.start();
    expect((await allBlocks()).map(({ appHash }) => appHash)).toEqual(expected.map(({ appHash }) => appHash));
    expect((await allBlocks()).at(-1)?.appHash).toBe(replay(expected));
  });

  test('transactions are found by hash, wherever they are', async () => {
    await makeChain(4);
    const hash = Buffer.from(signedTransfer({ from: 0, to: 1, nonce: 1, amount: 3n }).hash, 'hex');
    expect(fixture.withStates((states) => states.locate(hash))).toEqual([{ height: 3, index: 0 }]);
    const events = fixture.withStates((states) => states.executed(3)?.results[0]?.events);
    expect(events?.[0]?.type).toBe('transfer');
  });
});

describe('stores that do not belong together refuse to start', () => {
  const refuses = (message: RegExp, changes = {}) => expect(fixture.start(changes)).rejects.toThrow(message);

  test('blocks.db gone', async () => {
    await makeChain(4);
    rmSync(enginePaths(fixture.dataDir).blocks);
    await refuses(/blocks\.db is missing or an old copy: blocks\.db holds blocks to height 0 .* height 4/);
  });

  test('blocks.db and ledger.db restored from an old copy: no second block is signed at a signed height', async () => {
    await makeChain(3);
    const { blocks, ledger } = enginePaths(fixture.dataDir);
    for (const path of [blocks, ledger]) copyFileSync(path, `${path}.old`);
    await fixture.start();
    await fixture.clock.advance(20_000);
    await fixture.stop();
    const signed = fixture.signState();
    expect(signed.height).toBeGreaterThan(3);
    for (const path of [blocks, ledger]) copyFileSync(`${path}.old`, path);
    await refuses(/blocks\.db is missing or an old copy/);
    await fixture.clock.advance(20_000);
    expect(fixture.signState()).toEqual(signed);
  });

  test('blocks.db from an old copy that holds another, unsigned block at the signed height', async () => {
    await makeChain(3);
    const { blocks, ledger } = enginePaths(fixture.dataDir);
    for (const path of [blocks, ledger]) copyFileSync(path, `${path}.old`);
    await fixture.start();
    await fixture.clock.advance(9_500);
    await fixture.stop();
    const signed = fixture.signState();
    expect(signed.height).toBe(4);
    // The old copy goes its own way without the signing state, to another block 4, and loses only its commit.
    for (const path of [blocks, ledger]) copyFileSync(`${path}.old`, path);
    const { signState } = enginePaths(fixture.dataDir);
    copyFileSync(signState, `${signState}.new`);
    writeFileSync(signState, '{"height":"3","round":0,"step":3}');
    fixture.clock.jump(-9_500);
    const engine = await fixture.start();
    await engine.broadcast([{ raw: raw(2) }]);
    await fixture.clock.advance(1_000);
    await fixture.stop();
    const other = new Database(blocks);
    other.exec('DELETE FROM commits WHERE height > 3; DELETE FROM blocks WHERE height > 4');
    other.close();
    copyFileSync(`${ledger}.old`, ledger);
    copyFileSync(`${signState}.new`, signState);
    await refuses(/refusing to sign a block at height 4: this validator already signed height 4/);
    expect(fixture.signState()).toEqual(signed);
  });

  test('the signing state gone, old, or unreadable', async () => {
    await makeChain(4);
    const { signState } = enginePaths(fixture.dataDir);
    const text = readFileSync(signState, 'utf8');
    rmSync(signState);
    await refuses(/priv_validator_state\.json is missing or an old copy/);
    expect(existsSync(signState)).toBe(false);
    writeFileSync(signState, text.replace('"height": "4"', '"height": "2"'));
    await refuses(/priv_validator_state\.json is missing or an old copy/);
    writeFileSync(signState, text.slice(0, 40));
    await refuses(/priv_validator_state\.json is unreadable/);
    writeFileSync(signState, text);
    await fixture.start();
  });

  test('ledger.db with a changed balance', async () => {
    await makeChain(3);
    const { ledger } = enginePaths(fixture.dataDir);
    const sql = new Database(ledger);
    sql.exec("UPDATE accounts SET balance = balance + 1 WHERE leaf = 4");
    sql.close();
    await refuses(/ledger\.db is damaged: its accounts give the application hash/);
  });

  test('ledger.db that lost an account, or is no database', async () => {
    await makeChain(3);
    const { ledger } = enginePaths(fixture.dataDir);
    const sql = new Database(ledger);
    sql.exec('DELETE FROM accounts WHERE leaf = 4');
    sql.close();
    await refuses(/ledger\.db is damaged: the stored accounts are damaged at leaf 4\. Move ledger\.db away/);
    writeFileSync(ledger, 'this is no database, whatever its name says. '.repeat(100));
    await refuses(/ledger\.db is damaged or no database of this program/);
    rmSync(ledger);
    expect((await (await fixture.start()).status()).height).toBe(3);
  });

  test('ledger.db of a ledger that computed otherwise', async () => {
    await makeChain(3);
    const { ledger } = enginePaths(fixture.dataDir);
    copyFileSync(ledger, `${ledger}.old`);
    await fixture.start();
    await fixture.engine.broadcast([{ raw: raw(2) }]);
    await fixture.clock.advance(2_000);
    await fixture.stop();
    copyFileSync(`${ledger}.old`, ledger);
    // Consistent in itself, but not what block 4 says was computed up to block 3.
    const state = LedgerState.fromGenesis(testGenesis({ accounts: genesis.accounts.map((a) => ({ ...a, balance: 1n })) }));
    const sql = new Database(ledger);
    sql.exec("UPDATE accounts SET balance = '1', nonce = 0");
    sql.prepare('UPDATE heights SET app_hash = ? WHERE height = 3').run(state.appHash);
    sql.close();
    await refuses(/the ledger computes the application hash .* after height 3, but block 4 says/);
  });

  test('ledger.db that recorded other results', async () => {
    await makeChain(3);
    const { ledger } = enginePaths(fixture.dataDir);
    copyFileSync(ledger, `${ledger}.old`);
    await fixture.start();
    await fixture.clock.advance(9_500);
    await fixture.stop();
    copyFileSync(`${ledger}.old`, ledger);
    const sql = new Database(ledger);
    sql.prepare('UPDATE heights SET results_hash = ? WHERE height = 3').run(Buffer.alloc(32));
    sql.close();
    await refuses(/the ledger computes the results hash 0+ for height 3, but block 4/);
  });

  test('a block of which one byte changed', async () => {
    await makeChain(3);
    const { blocks, ledger } = enginePaths(fixture.dataDir);
    const sql = new Database(blocks);
    const bytes = sql.prepare('SELECT bytes FROM blocks WHERE height = 2').pluck().get() as Buffer;
    const at = bytes.indexOf('"amount":"3"') + '"amount":"'.length;
    bytes[at] = 0x34;
    sql.prepare('UPDATE blocks SET bytes = ? WHERE height = 2').run(bytes);
    sql.close();
    rmSync(ledger);
    await refuses(/blocks\.db is damaged: the bytes of block 2 do not give its hash/);
  });

  /** Puts a block with another transaction in the place of one that was executed, right in itself. */
  function forge(height: number): void {
    const paths = enginePaths(fixture.dataDir);
    const { stored, block } = fixture.withBlocks((blocks) => readBlock(blocks, height));
    const transactions = [signedTransfer({ from: 1, to: 0, nonce: 0, amount: 900n }).raw];
    const header = { ...block.header, dataHash: dataHash(transactions) };
    const bytes = encodeBlock({ ...block, header, transactions });
    const id = blockId(header, bytes);
    const sql = new Database(paths.blocks);
    sql.prepare('UPDATE blocks SET bytes = ?, hash = ?, parts_total = ?, parts_hash = ? WHERE height = ?').run(bytes, id.hash, id.parts.total, id.parts.hash, stored.height);
    sql.close();
  }

  test.each([1, 2, 3])('an executed block with a forged transfer, at height %i of 4', async (height) => {
    await makeChain(4);
    forge(height);
    await refuses(new RegExp(`blocks\\.db is damaged: block ${height} is not the one that block ${height + 1} follows\\. Put a backup of blocks\\.db back`));
  });

  test('the last block with a forged transfer', async () => {
    await makeChain(4);
    forge(4);
    await refuses(/blocks\.db is damaged: the commit of block 4 is not signed by this validator/);
  });

  test('an old block with a forged transfer ends the engine soon after the start, and all others pass', async () => {
    await makeChain(2);
    await fixture.start();
    const heights = AT_START_BLOCKS + 2 * SLICE_BLOCKS;
    while ((await fixture.engine.status()).height < heights) await fixture.clock.advance(10_000);
    await fixture.restart();
    await fixture.clock.advance(5_000);
    expect(fixture.fatal).toEqual([]);
    await fixture.stop();
    forge(2);
    await fixture.start();
    expect(fixture.fatal).toEqual([]);
    await fixture.clock.advance(5_000);
    expect(fixture.fatal.map(({ message }) => message)).toEqual([expect.stringContaining('block 2 is not the one that block 3 follows')]);
    expect(fixture.logs.at(-1)).toMatchObject({ level: 'error', message: 'the engine stops: a stored block is not the one that was signed' });
  });

  test('a commit of another key', async () => {
    await makeChain(3);
    const { blocks } = enginePaths(fixture.dataDir);
    const sql = new Database(blocks);
    const bytes = sql.prepare('SELECT bytes FROM commits WHERE height = 3').pluck().get() as Buffer;
    bytes[bytes.length - 1]! ^= 1;
    sql.prepare('UPDATE commits SET bytes = ? WHERE height = 3').run(bytes);
    sql.close();
    await refuses(/the commit of block 3 is not signed by this validator/);
  });

  test('the files of another genesis', async () => {
    await makeChain(2);
    await refuses(/blocks\.db belongs to chain txledger-test-1 with genesis/, { genesis: testGenesis({ genesisTime: '2026-11-21T09:00:01Z' }) });
  });

  test('a key that is not in genesis, or a genesis with several validators', async () => {
    await refuses(/the validator key is not the one in genesis/, { validatorKey: validatorKeyFromSeed(validatorSeed(1)) });
    const two = [0, 1].map((i) => ({ publicKey: publicKeyHex(i), power: 1, name: '' }));
    expect(existsSync(enginePaths(fixture.dataDir).blocks)).toBe(false);
    await refuses(/genesis names 2 validators/, { genesis: testGenesis({ validators: two }) });
  });
});
