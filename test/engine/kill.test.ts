/** SIGKILL at random moments, under load, on real files: blocks are there whole or not at all, and no height has two signatures. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';
import { decodeBlock, decodeCommit, upperHex } from '../../server/engine/encoding/index.ts';
import {
  createEmbeddedEngine,
  enginePaths,
  sqliteChainStore,
  validatorKeyFromSeed,
  type ChainStore,
} from '../../server/engine/embedded/index.ts';
import { finalizeBlock, LedgerState } from '../../server/ledger/index.ts';
import { testGenesis, validatorSeed } from '../ledger/support.ts';
import { parseSignState } from '../../server/engine/embedded/sign-state.ts';
import type { ChainConnection } from '../../server/store/embedded/connection.ts';
import { openChainFile, withChain } from './support/chain-file.ts';
import { committedBlocks } from './support/committed-blocks.ts';
import { realClock } from './support/real-clock.ts';

const KILLS = 14;
/** Most kills fall into block making, after some blocks; one in four into the start and the recovery. */
const BLOCKS_MAX = 20;
const KILL_AFTER_MS_MAX = 20;
const KILL_IN_START_MS_MAX = 400;

const genesis = testGenesis({ genesisTime: '2024-01-01T00:00:00Z' });
const dataDir = mkdtempSync(join(tmpdir(), 'txledger-kill-'));
const paths = enginePaths(dataDir);
const genesisPath = join(dataDir, 'genesis.json');
let child: ChildProcess | undefined;

afterEach(() => {
  child?.kill('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

/** Runs until so many blocks were seen, then kills at a random moment. */
async function runAndKill(blocks: number): Promise<void> {
  const script = fileURLToPath(new URL('./support/engine-child.ts', import.meta.url));
  child = spawn(process.execPath, [script, dataDir, genesisPath], { stdio: ['ignore', 'pipe', 'pipe'] });
  const running = child;
  let errors = '';
  running.stderr?.on('data', (data) => (errors += data));
  const ended = once(running, 'exit');
  let seen = 0;
  const enough = new Promise<void>((resolve) => {
    if (blocks === 0) resolve();
    running.stdout?.on('data', (data) => {
      seen += String(data).split('\n').length - 1;
      if (seen >= blocks) resolve();
    });
  });
  await Promise.race([enough, ended]);
  // The random moment is the point of this test; nothing is measured by it.
  const afterMs = Math.random() * (blocks === 0 ? KILL_IN_START_MS_MAX : KILL_AFTER_MS_MAX);
  await Promise.race([new Promise((resolve) => setTimeout(resolve, afterMs)), ended]);
  running.kill('SIGKILL');
  const [code, signal] = await ended;
  expect({ code, signal, errors }).toMatchObject({ code: null, signal: 'SIGKILL' });
}

const hex = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('hex');

/** Fails unless every block is there whole: its signature under it, its transactions in their tables, and no row of a block that is not there. */
function expectWhole(store: ChainStore, sql: ChainConnection): void {
  const height = store.height();
  const last = store.lastSigned();
  expect([last?.height ?? 0, hex(last?.signature)]).toEqual([
    height,
    hex(height === 0 ? undefined : signatureAt(store, height)),
  ]);
  const kept = sql
    .prepare('SELECT height FROM transfers UNION ALL SELECT height FROM other_transactions')
    .pluck()
    .all() as number[];
  const stored = sql.prepare('SELECT height, transaction_count AS count FROM blocks').all() as {
    height: number;
    count: number;
  }[];
  const expected = stored.flatMap((block) => Array.from({ length: block.count }, () => block.height));
  expect(kept.toSorted((a, b) => a - b)).toEqual(expected.toSorted((a, b) => a - b));
}

const signatureAt = (store: ChainStore, height: number) =>
  decodeCommit(store.commit(height) ?? new Uint8Array()).signatures[0]?.signature;

test(`${KILLS} kills in the middle of load leave whole blocks, one signature a height, and the state of a replay from genesis`, async () => {
  writeFileSync(genesisPath, genesis.bytes);
  const signatures = new Map<number, Set<string>>();
  const seen = (height: number, signature: string) =>
    void signatures.set(height, (signatures.get(height) ?? new Set()).add(signature));
  const heights: number[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    await runAndKill(kill % 4 === 3 ? 0 : 1 + Math.floor(Math.random() * BLOCKS_MAX));
    if (!existsSync(paths.chain)) continue;
    withChain(dataDir, (store, sql) => {
      expectWhole(store, sql);
      heights.push(store.height());
      if (store.height() > 0) seen(store.height(), hex(signatureAt(store, store.height())));
    });
  }
  expect(heights.length).toBeGreaterThanOrEqual(10);
  expect(heights.toSorted((a, b) => a - b)).toEqual(heights);
  // Killed, a process exports nothing more than at its start.
  const exported = parseSignState(readFileSync(paths.signState, 'utf8'));
  expect(exported.height).toBeLessThanOrEqual(heights.at(-1) ?? 0);
  seen(exported.height, hex(exported.signature));

  const { database, settle, close } = openChainFile(dataDir);
  const engine = await createEmbeddedEngine({
    genesis,
    dataDir,
    chain: sqliteChainStore(database),
    settle,
    validatorKey: validatorKeyFromSeed(validatorSeed(0)),
    blockIntervalMs: 1000,
    clock: realClock,
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const replayed = LedgerState.fromGenesis(genesis);
  let parent = '';
  let timeMs = 0;
  let transactions = 0;
  const { height: top } = await engine.status();
  for (let height = 1; height <= top; height++) {
    const [block] = committedBlocks(sqliteChainStore(database), height, 1);
    expect(block).toMatchObject({ height, parentHash: parent });
    expect(block?.timeMs).toBeGreaterThan(timeMs);
    const finalized = finalizeBlock(
      replayed,
      block?.transactions ?? [],
      { height, timeNs: block?.timeNs ?? 0n },
      { signatureVerified: () => true },
    );
    replayed.commit(finalized);
    expect(finalized.results.map(({ code }) => code)).toEqual(block?.codes);
    expect(block?.appHash).toBe(upperHex(replayed.appHash));
    parent = block?.hash ?? '';
    timeMs = block?.timeMs ?? 0;
    transactions += block?.transactions.length ?? 0;
  }
  expect(replayed.supply()).toBe(genesis.accounts.reduce((sum, { balance }) => sum + balance, 0n));
  await engine.close();
  close();

  withChain(dataDir, (store, sql) => {
    expectWhole(store, sql);
    for (let height = 1; height <= store.height(); height++) {
      seen(height, hex(signatureAt(store, height)));
      const block = decodeBlock(store.block(height)?.bytes ?? new Uint8Array());
      if (height > 1) seen(height - 1, hex(block.lastCommit.signatures[0]?.signature));
    }
    // What anyone could see before a kill is there after it.
    for (const line of readFileSync(join(dataDir, 'signatures.log'), 'utf8').trim().split('\n')) {
      const [height, signature] = line.split(' ');
      expect(Number(height)).toBeLessThanOrEqual(store.height());
      seen(Number(height), signature ?? '');
    }
  });
  const twice = [...signatures].filter(([, set]) => set.size !== 1).map(([height]) => height);
  expect(twice).toEqual([]);
  expect(top).toBeGreaterThan(KILLS);
  expect(transactions).toBeGreaterThan(KILLS);
  console.log(`${KILLS} kills, ${top} blocks, ${transactions} transactions`);
}, 120_000);
