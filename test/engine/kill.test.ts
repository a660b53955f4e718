/** SIGKILL at random moments, under load, on real files: the chain stays one chain and no height has two signatures. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';
import { decodeBlock, decodeCommit, upperHex } from '../../server/engine/encoding/index.ts';
import { createEmbeddedEngine, enginePaths, validatorKeyFromSeed } from '../../server/engine/embedded/index.ts';
import { parseSignState } from '../../server/engine/embedded/sign-state.ts';
import { openSqliteBlockStore } from '../../server/engine/embedded/sqlite-block-store.ts';
import { finalizeBlock, LedgerState } from '../../server/ledger/index.ts';
import { testGenesis, validatorSeed } from '../ledger/support.ts';
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

test(`${KILLS} kills in the middle of load leave one chain, one signature a height, and the state of a replay from genesis`, async () => {
  writeFileSync(genesisPath, genesis.bytes);
  const signatures = new Map<number, Set<string>>();
  const seen = (height: number, signature: Uint8Array | undefined) => {
    if (signature === undefined) return;
    signatures.set(height, (signatures.get(height) ?? new Set()).add(Buffer.from(signature).toString('hex')));
  };
  const heights: number[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    await runAndKill(kill % 4 === 3 ? 0 : 1 + Math.floor(Math.random() * BLOCKS_MAX));
    if (!existsSync(paths.signState)) continue;
    const last = parseSignState(readFileSync(paths.signState, 'utf8'));
    seen(last.height, last.signature);
    heights.push(last.height);
  }
  expect(heights.length).toBeGreaterThanOrEqual(10);
  expect(heights.toSorted((a, b) => a - b)).toEqual(heights);

  const engine = await createEmbeddedEngine({
    genesis,
    dataDir,
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
    const [block] = await engine.blocks(height, 1);
    expect(block).toMatchObject({ height, parentHash: parent });
    expect(block?.timeMs).toBeGreaterThan(timeMs);
    const finalized = finalizeBlock(replayed, block?.transactions ?? [], { signatureVerified: () => true });
    replayed.commit(finalized);
    expect(finalized.results.map(({ code }) => code)).toEqual(block?.codes);
    expect(block?.appHash).toBe(upperHex(replayed.appHash));
    parent = block?.hash ?? '';
    timeMs = block?.timeMs ?? 0;
    transactions += block?.transactions.length ?? 0;
  }
  expect(replayed.supply()).toBe(genesis.accounts.reduce((sum, { balance }) => sum + balance, 0n));
  await engine.close();

  const blocks = openSqliteBlockStore(paths.blocks, { chainId: genesis.chainId, genesisHash: genesis.hash });
  for (let height = 1; height <= blocks.blockHeight(); height++) {
    seen(height, decodeCommit(blocks.commit(height) ?? new Uint8Array()).signatures[0]?.signature);
    const block = decodeBlock(blocks.block(height)?.bytes ?? new Uint8Array());
    seen(height - 1, block.lastCommit.signatures[0]?.signature);
  }
  blocks.close();
  for (const line of readFileSync(join(dataDir, 'signatures.log'), 'utf8').trim().split('\n')) {
    const [height, signature] = line.split(' ');
    seen(Number(height), Buffer.from(signature ?? '', 'hex'));
  }
  const twice = [...signatures].filter(([, set]) => set.size !== 1).map(([height]) => height);
  expect(twice).toEqual([]);
  expect(top).toBeGreaterThan(KILLS);
  expect(transactions).toBeGreaterThan(KILLS);
  console.log(`${KILLS} kills, ${top} blocks, ${transactions} transactions`);
}, 120_000);
