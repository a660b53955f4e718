/**
 * What a real CometBFT node offers to the application when 50,000 transactions wait:
 *
 *   COMETBFT=... node test/bench/full-mempool.ts [--transactions 50000]
 *
 * One validator with the settings of `npm run localnet`. Block 2 is held at FinalizeBlock until the mempool is full: transfers of 200 senders, and as the very last a cancel of one of them. Then it prints what
 * PrepareProposal of block 3 was given and gave back, and how long that took. It fails when not everything was offered, when a proposal is above max_tx_bytes, or when the cancel is not in block 3.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Request, type RequestPrepareProposal } from 'cosmjs-types/tendermint/abci/types';
import { nodeSettings } from '../../scripts/localnet/nodes.ts';
import { setToml } from '../../server/engine/cometbft/home/toml.ts';
import { Application, answerRequest, FrameReader } from '../../server/engine/cometbft/app/index.ts';
import { AbciServer } from '../../server/engine/cometbft/app/socket-abci-server.ts';
import { openSqliteAppStore } from '../../server/engine/cometbft/app/sqlite-app-store.ts';
import { openSqliteSnapshotStore } from '../../server/engine/cometbft/app/sqlite-snapshot-store.ts';
import { formatValidatorKey } from '../../server/engine/validator-key.ts';
import { bytesInBlock, encodeAddress, publicKeyOfSeed } from '../../server/ledger/index.ts';
import { call, freePort } from '../e2e/support/server.ts';
import { requestFrame } from '../engine/support/abci-client.ts';
import { realClock } from '../engine/support/real-clock.ts';
import { signedCancel, signedTransfer, testGenesis, validatorSeed } from '../ledger/support.ts';
import { endChild } from '../support/child-process.ts';

const { values } = parseArgs({ options: { transactions: { type: 'string', default: '50000' } } });
const TRANSACTIONS = Number(values.transactions);
const COMETBFT = process.env['COMETBFT'] ?? 'cometbft';
const SENDERS = 200;
const HELD_HEIGHT = 2n;
const BATCH = 100;
const CONNECTIONS = 8;
const POLL_MS = 100;
const WAIT_MS_MAX = 300_000;

const seeds = Array.from({ length: SENDERS }, (_, i) => Buffer.alloc(32, i + 1));
const addresses = seeds.map((seed) => encodeAddress(publicKeyOfSeed(seed), 'txlt'));
const genesis = testGenesis({
  genesisTime: '2020-01-01T00:00:00Z',
  accounts: addresses.map((address) => ({ address, balance: 10n ** 9n })),
});

const transfers = Array.from({ length: TRANSACTIONS - 1 }, (_, i) => {
  const sender = i % SENDERS;
  return signedTransfer({
    from: seeds[sender] as Buffer,
    to: addresses[(sender + 1) % SENDERS] as string,
    nonce: Math.floor(i / SENDERS),
  }).raw;
});
const cancel = signedCancel({ from: addresses[0] as string, nonce: Math.floor((TRANSACTIONS - 2) / SENDERS) }).raw;

interface Proposal {
  offered: number;
  offeredBytes: number;
  maxTxBytes: bigint;
  taken: number;
  takenBytes: number;
  hasCancel: boolean;
  ms: number;
}

const sizeOf = (txs: readonly Uint8Array[]): number => txs.reduce((sum, raw) => sum + bytesInBlock(raw), 0);

/** Passes a node's requests on, and keeps FinalizeBlock of HELD_HEIGHT until `release`. */
function gate(socket: string, target: string): { server: net.Server; held: Promise<void>; release: () => void } {
  const [held, open] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const server = net.createServer((node) => {
    const app = net.connect(target);
    const frames = new FrameReader();
    let earlier = Promise.resolve();
    node.on('data', (chunk: Buffer) => {
      frames.push(chunk);
      for (let frame = frames.next(); frame !== undefined; frame = frames.next()) {
        const request = Request.decode(frame);
        earlier = earlier.then(async () => {
          if (request.finalizeBlock?.height === HELD_HEIGHT) {
            held.resolve();
            await open.promise;
          }
          app.write(requestFrame(request));
        });
      }
    });
    app.pipe(node);
    for (const side of [node, app]) side.on('error', () => undefined);
    node.on('close', () => app.destroy());
  });
  server.listen(socket);
  return { server, held: held.promise, release: open.resolve };
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + WAIT_MS_MAX;
  while (!(await holds().catch(() => false))) {
    if (performance.now() > endMs) throw new Error(`${what} took longer than ${WAIT_MS_MAX} ms`);
    await sleep(POLL_MS);
  }
}

/** An account's transactions go in order over one connection, as CheckTx wants them. */
async function fill(node: string, txs: readonly Uint8Array[]): Promise<void> {
  const send = async (own: readonly Uint8Array[]): Promise<void> => {
    for (let at = 0; at < own.length; at += BATCH) {
      const calls = own.slice(at, at + BATCH).map((raw, id) => ({
        jsonrpc: '2.0',
        id,
        method: 'broadcast_tx_sync',
        params: { tx: Buffer.from(raw).toString('base64') },
      }));
      const { body } = await call(node, {
        method: 'POST',
        body: JSON.stringify(calls.length === 1 ? calls[0] : calls),
      });
      const refused = [body].flat().find(({ result }) => result?.code !== 0);
      if (refused !== undefined) throw new Error(`not taken: ${JSON.stringify(refused)}`);
    }
  };
  await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, connection) =>
      send(txs.filter((_tx, i) => (i % SENDERS) % CONNECTIONS === connection)),
    ),
  );
}

async function measure(): Promise<Proposal> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-mempool-'));
  const home = path.join(folder, 'node');
  const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const store = openSqliteAppStore(path.join(folder, 'app.db'));
  const snapshots = openSqliteSnapshotStore(path.join(folder, 'snapshots.db'));
  const application = new Application({
    store,
    snapshots,
    snapshotIntervalBlocks: 0,
    chainId: undefined,
    later: setImmediate,
    logger,
  });
  let proposal: Proposal | undefined;
  const watch = (prepare: RequestPrepareProposal, txs: readonly Uint8Array[], ms: number): void => {
    if (prepare.height !== HELD_HEIGHT + 1n) return;
    const { txs: offered, maxTxBytes } = prepare;
    const hasCancel = txs.some((raw) => Buffer.from(raw).equals(cancel));
    proposal = {
      offered: offered.length,
      offeredBytes: sizeOf(offered),
      maxTxBytes,
      taken: txs.length,
      takenBytes: sizeOf(txs),
      hasCancel,
      ms,
    };
  };
  const server = new AbciServer({
    answer: (request) => {
      const startMs = performance.now();
      const response = answerRequest(application, request);
      if (request.prepareProposal && response?.prepareProposal)
        watch(request.prepareProposal, response.prepareProposal.txs, performance.now() - startMs);
      return response;
    },
    onDefect: (error) => {
      throw error;
    },
    later: setImmediate,
    clock: realClock,
    logger,
  });
  const between = path.join(folder, 'gate.sock');
  const { server: proxy, held, release } = gate(between, path.join(folder, 'app.sock'));
  let child;
  try {
    await server.listen({ path: path.join(folder, 'app.sock') });
    await once(spawn(COMETBFT, ['init', '--home', home], { stdio: 'ignore' }), 'exit');
    writeFileSync(path.join(home, 'config/genesis.json'), genesis.bytes);
    writeFileSync(path.join(home, 'config/priv_validator_key.json'), formatValidatorKey(validatorSeed(0)));
    const rpc = await freePort();
    const settings = nodeSettings({ rpc, p2p: await freePort(), abci: 0 }, '', TRANSACTIONS);
    const file = path.join(home, 'config/config.toml');
    writeFileSync(
      file,
      setToml(readFileSync(file, 'utf8'), { ...settings, '': { proxy_app: `unix://${between}`, log_level: 'error' } }),
    );
    child = spawn(COMETBFT, ['start', '--home', home], { stdio: 'ignore' });
    const node = `http://127.0.0.1:${rpc}`;
    const result = async (route: string): Promise<any> => (await call(`${node}/${route}`)).body.result;
    await held;
    const fillMs = performance.now();
    await fill(node, transfers);
    await fill(node, [cancel]);
    const waiting = await result('num_unconfirmed_txs');
    if (Number(waiting.total) !== TRANSACTIONS) throw new Error(`the mempool has ${waiting.total} of ${TRANSACTIONS}`);
    console.log(
      `${waiting.total} wait, ${waiting.total_bytes} bytes, after ${((performance.now() - fillMs) / 1000).toFixed(1)} s`,
    );
    const releasedMs = performance.now();
    release();
    await until('block 3', async () => Number((await result('status')).sync_info.latest_block_height) >= 3);
    const blockMs = performance.now() - releasedMs;
    if (proposal === undefined) throw new Error('block 3 was made without a proposal');
    const { block_metas: metas } = await result('blockchain?minHeight=3&maxHeight=3');
    const { offered, offeredBytes, maxTxBytes, taken, takenBytes, hasCancel, ms } = proposal;
    console.log(
      `PrepareProposal offered ${offered} (${offeredBytes} bytes), max_tx_bytes ${maxTxBytes}; gave ${taken} (${takenBytes} bytes) in ${ms.toFixed(0)} ms; the cancel that came last is ${hasCancel ? 'in it' : 'NOT in it'}`,
    );
    console.log(
      `block 3 has ${metas[0].block_size} bytes and came ${(blockMs / 1000).toFixed(1)} s after block 2 went on (recheck of all included)`,
    );
    return proposal;
  } finally {
    await endChild(child, 'SIGKILL');
    proxy.close();
    await server.close();
    application.close();
    store.close();
    snapshots.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const { offered, takenBytes, maxTxBytes, hasCancel } = await measure();
const faults = [
  ...(offered === TRANSACTIONS ? [] : ['not everything was offered']),
  ...(BigInt(takenBytes) <= maxTxBytes ? [] : ['the proposal is above max_tx_bytes']),
  ...(hasCancel ? [] : ['the cancel waits behind the backlog']),
];
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
