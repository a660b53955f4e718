/**
 * How long the ABCI application keeps a node waiting: `node test/bench/abci-app.ts`.
 *
 * The application runs as a process of its own. A mempool of 50,000 transfers is checked, PrepareProposal is given all of them, and a block of
 * the largest size is examined, executed and committed, once with signatures that the process has verified before and once with ones that it
 * never saw. Meanwhile another connection asks queries, one after the other: the longest answer is how long the event loop was not free.
 * Beside the time that passed stands the time that the application's thread had a core (Linux tells it): on a busy machine only that counts.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BLOCK_TRANSACTIONS_MAX } from '../../server/engine/cometbft/app/index.ts';
import { AbciClient, initChainOf, type RequestParts } from '../engine/support/abci-client.ts';
import { DEV_ACCOUNTS, devAddress, signedTransfer, testGenesis } from '../ledger/support.ts';

/** What waits when the first block is made: a block more than PrepareProposal is to see. */
const MEMPOOL_TRANSACTIONS = 55_000;
const NS_PER_MS = 1e6;

const folder = mkdtempSync(path.join(tmpdir(), 'txledger-bench-'));
const socket = path.join(folder, 'abci.sock');
const app = spawn(process.execPath, ['server/cli/txledger.ts', 'app'], {
  env: {
    ...process.env,
    DATA_DIR: path.join(folder, 'app'),
    ABCI_LISTEN: `unix://${socket}`,
    TXLEDGER_SNAPSHOT_INTERVAL: '0',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
await new Promise((resolve) => app.stdout.once('data', resolve));
const [consensus, mempool, query] = [
  await AbciClient.connect({ path: socket }),
  await AbciClient.connect({ path: socket }),
  await AbciClient.connect({ path: socket }),
];

const asking = new AbortController();
let longestMs = 0;
async function askQueries(): Promise<void> {
  while (!asking.signal.aborted) {
    const startMs = performance.now();
    await query.ask({ query: { path: `/account/${devAddress(0)}` } });
    longestMs = Math.max(longestMs, performance.now() - startMs);
  }
}

/** Time that the application's main thread has run so far. */
function cpuMs(): number {
  return Number(readFileSync(`/proc/${app.pid}/task/${app.pid}/schedstat`, 'utf8').split(' ')[0]) / NS_PER_MS;
}

async function measure(
  name: string,
  client: AbciClient,
  requests: RequestParts[],
  perTransaction: number,
): Promise<void> {
  longestMs = 0;
  const startCpuMs = cpuMs();
  const startMs = performance.now();
  const answers = await client.all(requests);
  const tookMs = performance.now() - startMs;
  const cpu = cpuMs() - startCpuMs;
  const exception = answers.find((answer) => answer.exception)?.exception;
  if (exception) throw new Error(exception.error);
  // Let the query that was waiting be answered.
  await query.ask({ flush: {} });
  const each = `${((cpu * 1000) / perTransaction).toFixed(1)} us a transaction`;
  console.log(
    `${name.padEnd(52)} ${cpu.toFixed(0).padStart(6)} ms on the core  ${each.padStart(24)}  passed ${tookMs.toFixed(0)} ms  longest query ${longestMs.toFixed(0)} ms`,
  );
}

try {
  await consensus.all([{ initChain: initChainOf(testGenesis()) }, { finalizeBlock: { height: 1n } }, { commit: {} }]);
  const transfers = Array.from({ length: MEMPOOL_TRANSACTIONS }, (_, i) => {
    const from = i % DEV_ACCOUNTS;
    return signedTransfer({ from, to: (from + 1) % DEV_ACCOUNTS, nonce: Math.floor(i / DEV_ACCOUNTS) }).raw;
  });
  const queries = askQueries();
  const first = transfers.slice(0, BLOCK_TRANSACTIONS_MAX);
  const second = transfers.slice(BLOCK_TRANSACTIONS_MAX, 2 * BLOCK_TRANSACTIONS_MAX);
  const known = 'verified before';
  await measure(
    `ProcessProposal of ${first.length}, never seen`,
    consensus,
    [{ processProposal: { txs: first, height: 2n } }],
    first.length,
  );
  await measure(
    `FinalizeBlock of ${first.length}, ${known}`,
    consensus,
    [{ finalizeBlock: { txs: first, height: 2n } }],
    first.length,
  );
  await measure(`Commit of ${first.length}`, consensus, [{ commit: {} }], first.length);
  const rest = transfers.slice(BLOCK_TRANSACTIONS_MAX);
  await measure(
    `CheckTx of ${rest.length}`,
    mempool,
    rest.map((tx) => ({ checkTx: { tx } })),
    rest.length,
  );
  const prepare = { prepareProposal: { txs: rest, maxTxBytes: 100_000_000n, height: 3n } };
  await measure(`PrepareProposal with ${rest.length} waiting`, consensus, [prepare], rest.length);
  await measure(
    `ProcessProposal of ${second.length}, ${known}`,
    consensus,
    [{ processProposal: { txs: second, height: 3n } }],
    second.length,
  );
  await measure(
    `FinalizeBlock of ${second.length}, ${known}`,
    consensus,
    [{ finalizeBlock: { txs: second, height: 3n } }],
    second.length,
  );
  await measure(`Commit of ${second.length}`, consensus, [{ commit: {} }], second.length);
  const left = rest.slice(BLOCK_TRANSACTIONS_MAX);
  await measure(
    `recheck of ${left.length}`,
    mempool,
    left.map((tx) => ({ checkTx: { tx, type: 1 } })),
    left.length,
  );
  asking.abort();
  await queries;
} finally {
  app.kill('SIGKILL');
  for (const client of [consensus, mempool, query]) client.close();
  rmSync(folder, { recursive: true, force: true });
}
