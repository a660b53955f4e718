/**
 * How the application's state behaves as accounts become many: `node test/bench/app-state.ts [--accounts 100000,1000000] [--memory] [--snapshot]
 * [--replay TRANSACTIONS]`.
 *
 * For each number of accounts it makes an app.db, then measures in processes of their own: how long a start takes and how much memory it needs,
 * what a block of 1,000 transfers between random accounts costs (executing, the app hash, the commit), with next to nothing of it in the caches.
 * `--memory` does the same with the state in the heap, as before accounts were paged. `--snapshot` takes a snapshot and restores it into an empty
 * file. `--replay` executes so many transfers, signatures verified, in blocks of 1,000: what a wiped application does once its node hands it the
 * blocks. Signing them comes before and is not counted.
 */
import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { RequestFinalizeBlock } from 'cosmjs-types/tendermint/abci/types';
import { Verifiers } from '../../server/app/threads/verifiers.ts';
import { Application } from '../../server/engine/cometbft/app/index.ts';
import { loadState } from '../../server/engine/cometbft/app/load-state.ts';
import { SnapshotRestore } from '../../server/engine/cometbft/app/snapshot-restore.ts';
import { SnapshotTaker } from '../../server/engine/cometbft/app/snapshot-taker.ts';
import { openSqliteAppStore } from '../../server/engine/cometbft/app/sqlite-app-store.ts';
import { openSqliteSnapshotStore } from '../../server/engine/cometbft/app/sqlite-snapshot-store.ts';
import {
  type AccountRow,
  encodeAddress,
  finalizeBlock,
  genesisGovernance,
  LedgerState,
  StateRoot,
  type Transfer,
} from '../../server/ledger/index.ts';
import { realClock } from '../engine/support/real-clock.ts';
import { devAddress, DEV_ACCOUNTS, signedTransfer, TEST_CHAIN, testGenesis } from '../ledger/support.ts';

const BLOCK_TRANSACTIONS = 1_000;
const BLOCKS = 20;
const MB = 1024 * 1024;
const SIGNATURE = '00'.repeat(64);
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

const addressOf = (i: number): string =>
  i < DEV_ACCOUNTS ? devAddress(i) : encodeAddress(hash('sha256', String(i), 'buffer'), TEST_CHAIN.addressPrefix);
const governance = genesisGovernance(testGenesis());

function* accounts(count: number): Generator<AccountRow> {
  for (let leaf = 0; leaf < count; leaf++)
    yield { address: addressOf(leaf), leaf, account: { balance: 1_000_000n + BigInt(leaf), nonce: 0, voids: 0n } };
}

/** A time in ms, and the result. */
function timed<T>(run: () => T): [number, T] {
  const startMs = performance.now();
  const result = run();
  return [performance.now() - startMs, result];
}

function rssMb(): number {
  return process.memoryUsage.rss() / MB;
}

/** Of everything that this process has run, on all its threads. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function make(file: string, count: number): Record<string, number> {
  const root = new StateRoot();
  for (const { address, account } of accounts(count)) root.add(address, account);
  const store = openSqliteAppStore(file);
  const [ms] = timed(() =>
    store.replace({
      chain: TEST_CHAIN,
      height: 0,
      appHash: root.appHash(governance),
      governance,
      accounts: accounts(count),
    }),
  );
  store.close();
  return { 'made in s': ms / 1_000, 'bytes an account': statSync(file).size / count };
}

function start(file: string, count: number, inMemory: boolean): Record<string, number> {
  const [startMs, { store, state }] = timed(() => {
    const opened = openSqliteAppStore(file);
    const stored = opened.load()!;
    return {
      store: opened,
      state: inMemory ? LedgerState.restore(stored.chain, stored) : loadState(opened, undefined)!,
    };
  });
  const startRss = rssMb();
  let [executeMs, hashMs, commitMs] = [0, 0, 0];
  const startCpuMs = cpuMs();
  for (let block = 0; block < BLOCKS; block++) {
    const random = (): string => addressOf(Math.floor(Math.random() * count));
    const txs = Array.from({ length: BLOCK_TRANSACTIONS }, (): Transfer => {
      const from = random();
      return {
        kind: 'transfer',
        chainId: TEST_CHAIN.chainId,
        from,
        to: random(),
        amount: 1n,
        nonce: state.at(state.height)!.account(from)!.nonce,
        signature: SIGNATURE,
      };
    });
    let at = 0;
    const read = (raw: Uint8Array) => ({ ok: true as const, verified: { tx: txs[at++]!, raw, hash: '' } });
    const raws = txs.map(() => new Uint8Array(0));
    const [execute, finalized] = timed(() =>
      finalizeBlock(state, raws, { height: state.height + 1, timeNs: 0n }, { read }),
    );
    const [appHash, change] = timed(() => state.commit(finalized));
    const [commit] = inMemory
      ? [0]
      : timed(() => store.commit({ height: state.height, ...change, governance: change.governance }));
    store.maintain(false);
    executeMs += execute / BLOCKS;
    hashMs += appHash / BLOCKS;
    commitMs += commit / BLOCKS;
  }
  const cpu = (cpuMs() - startCpuMs) / BLOCKS;
  const endRss = rssMb();
  store.close();
  return {
    'start ms': startMs,
    'RSS MB after it': startRss,
    'execute ms': executeMs,
    'app hash ms': hashMs,
    'commit ms': commitMs,
    'CPU ms a block, reading senders included': cpu,
    'RSS MB after the blocks': endRss,
  };
}

async function snapshot(file: string, folder: string): Promise<Record<string, number>> {
  const store = openSqliteAppStore(file);
  const snapshots = openSqliteSnapshotStore(path.join(folder, 'taken.db'));
  const { height, appHash } = store.load()!;
  const turns: (() => void)[] = [];
  const taker = new SnapshotTaker({
    snapshots,
    intervalBlocks: 1,
    reader: () => store.reader(),
    later: (fn) => turns.push(fn),
    logger: quiet,
  });
  const [takenMs] = timed(() => {
    taker.committed(height);
    while (turns.length > 0) turns.shift()!();
  });
  const takenRss = rssMb();
  const [info] = snapshots.list();
  if (info === undefined) throw new Error('no snapshot was taken');
  const target = openSqliteAppStore(path.join(folder, 'restored.db'));
  const kept = openSqliteSnapshotStore(path.join(folder, 'kept.db'));
  const restore = new SnapshotRestore({
    chainId: TEST_CHAIN.chainId,
    snapshots: kept,
    logger: quiet,
    onRestored: (state) => target.replace(state),
  });
  restore.offer({ snapshot: { ...info, height: BigInt(info.height) }, appHash }, true);
  const [restoredMs] = timed(() => {
    for (let index = 0; index < info.chunks; index++) {
      const { result } = restore.apply(index, snapshots.chunk(info.height, info.format, index)!, 'peer');
      if (result !== 1) throw new Error(`chunk ${index} was not accepted: ${result}`);
    }
  });
  const same = Buffer.compare(loadState(target, undefined)!.appHash, appHash) === 0;
  if (!same) throw new Error('the restored state has another app hash');
  for (const each of [store, snapshots, target, kept]) each.close();
  return {
    'snapshot taken in ms': takenMs,
    chunks: info.chunks,
    'RSS MB then': takenRss,
    'restored in ms': restoredMs,
    'RSS MB after it': rssMb(),
  };
}

/** Signed in slices, so that a million transfers need no gigabyte at once. */
const SLICE_BLOCKS = 50;

async function replay(
  file: string,
  count: number,
  transactions: number,
  folder: string,
): Promise<Record<string, number>> {
  const store = openSqliteAppStore(file);
  const snapshots = openSqliteSnapshotStore(path.join(folder, 'none.db'));
  const verifiers = new Verifiers({ threads: availableParallelism() - 1, clock: realClock, logger: quiet });
  const parts = {
    store,
    snapshots,
    snapshotIntervalBlocks: 0,
    chainId: undefined,
    later: setImmediate,
    logger: quiet,
    verifySignatures: verifiers.verify,
  };
  const application = new Application(parts);
  // Threads for signatures keep no process alive.
  const alive = setInterval(() => undefined, 60_000);
  let height = application.height;
  const nonce = Array.from({ length: DEV_ACCOUNTS }, (_, i) => nonceOf(store.load()!.accounts, i));
  const blocks = Math.ceil(transactions / BLOCK_TRANSACTIONS);
  let ms = 0;
  for (let done = 0; done < blocks; done += SLICE_BLOCKS) {
    const slice = Array.from({ length: Math.min(SLICE_BLOCKS, blocks - done) }, () =>
      Array.from({ length: BLOCK_TRANSACTIONS }, (_, i) => {
        const from = i % DEV_ACCOUNTS;
        return signedTransfer({
          from,
          nonce: nonce[from]!++,
          to: addressOf(Math.floor(Math.random() * count)),
          amount: 1n,
        }).raw;
      }),
    );
    const startMs = performance.now();
    for (const txs of slice) {
      height += 1;
      const finalizeBlock = {
        txs,
        height: BigInt(height),
        time: { seconds: 1_790_000_000n, nanos: 0 },
        misbehavior: [],
      } as unknown as RequestFinalizeBlock;
      await application.verifyAhead([{ finalizeBlock }]);
      const { txResults } = application.finalizeBlock(finalizeBlock);
      if (txResults.some(({ code }) => code !== 0)) throw new Error(`a transfer of block ${height} failed`);
      application.commit();
    }
    ms += performance.now() - startMs;
  }
  clearInterval(alive);
  await verifiers.close();
  application.close();
  store.close();
  snapshots.close();
  return {
    'blocks a second': blocks / (ms / 1_000),
    'transactions a second': (blocks * BLOCK_TRANSACTIONS) / (ms / 1_000),
    'RSS MB': rssMb(),
  };
}

function nonceOf(rows: Iterable<AccountRow>, leaf: number): number {
  for (const row of rows) if (row.leaf === leaf) return row.account.nonce;
  return 0;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    accounts: { type: 'string', default: '100000,1000000' },
    memory: { type: 'boolean', default: false },
    snapshot: { type: 'boolean', default: false },
    replay: { type: 'string' },
  },
});
const [mode, file = '', count = '0', extra = ''] = positionals;

if (mode !== undefined) {
  const folder = path.dirname(file);
  const run = {
    make: () => make(file, Number(count)),
    start: () => start(file, Number(count), extra === 'memory'),
    snapshot: () => snapshot(file, folder),
    replay: () => replay(file, Number(count), Number(extra), folder),
  }[mode];
  if (run === undefined) throw new Error(`unknown part ${mode}`);
  console.log(JSON.stringify(await run()));
} else {
  for (const each of values.accounts.split(',')) {
    const folder = mkdtempSync(path.join(tmpdir(), 'txledger-app-state-'));
    const db = path.join(folder, 'app.db');
    const part = (name: string, ...rest: string[]): void => {
      const child = spawnSync(process.execPath, [import.meta.filename, name, db, each, ...rest], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const found =
        child.status === 0
          ? (JSON.parse(child.stdout) as Record<string, number>)
          : { 'did not end well': child.status ?? -1 };
      const words = Object.entries(found).map(
        ([label, value]) => `${label} ${value < 10 ? value.toFixed(2) : value.toFixed(0)}`,
      );
      console.log(`${each} accounts, ${[name, ...rest].join(' ')}: ${words.join(', ')}`);
    };
    try {
      part('make');
      part('start');
      if (values.memory) part('start', 'memory');
      if (values.snapshot) part('snapshot');
      if (values.replay !== undefined) part('replay', values.replay);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}
