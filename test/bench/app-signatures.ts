/**
 * What signatures cost the ABCI application: `node test/bench/app-signatures.ts [--checkout DIR]`, where DIR is another build, with its packages.
 *
 * The application runs alone as a process of its own. ROUNDS proposals of 5,000 transfers that it has never seen are judged one after the other,
 * then CHECKS transfers are checked, all of them sent at once.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { AbciClient, initChainOf } from '../engine/support/abci-client.ts';
import { DEV_ACCOUNTS, signedTransfer, testGenesis } from '../ledger/support.ts';

const PROPOSAL_TRANSACTIONS = 5_000;
const ROUNDS = 30;
const CHECKS = 30_000;

const { values } = parseArgs({ options: { checkout: { type: 'string', default: '.' } } });
const folder = mkdtempSync(path.join(tmpdir(), 'txledger-bench-'));
const socket = path.join(folder, 'abci.sock');
const app = spawn(process.execPath, [path.join(values.checkout, 'server/cli/txledger.ts'), 'app'], {
  env: {
    ...process.env,
    DATA_DIR: path.join(folder, 'app'),
    ABCI_LISTEN: `unix://${socket}`,
    TXLEDGER_SNAPSHOT_INTERVAL: '0',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});

/** Amounts differ by round, so that no transfer is met twice. */
function transfers(count: number, amount: bigint): Uint8Array[] {
  return Array.from(
    { length: count },
    (_, i) =>
      signedTransfer({
        from: i % DEV_ACCOUNTS,
        to: (i + 1) % DEV_ACCOUNTS,
        nonce: Math.floor(i / DEV_ACCOUNTS),
        amount,
      }).raw,
  );
}

try {
  await once(app.stdout, 'data');
  const client = await AbciClient.connect({ path: socket });
  await client.all([{ initChain: initChainOf(testGenesis()) }, { finalizeBlock: { height: 1n } }, { commit: {} }]);
  const took: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const txs = transfers(PROPOSAL_TRANSACTIONS, BigInt(round + 1));
    const startMs = performance.now();
    const { processProposal } = await client.ask({ processProposal: { txs, height: 2n } });
    took.push(performance.now() - startMs);
    if (processProposal?.status !== 1) throw new Error('a proposal was refused');
  }
  took.sort((a, b) => a - b);
  const at = (share: number): string => took[Math.min(ROUNDS - 1, Math.floor(share * ROUNDS))]!.toFixed(0);
  console.log(
    `ProcessProposal of ${PROPOSAL_TRANSACTIONS} never seen: p50 ${at(0.5)} ms, p99 of ${ROUNDS} ${at(0.99)} ms, least ${at(0)} ms`,
  );
  const checks = transfers(CHECKS, 1_000n).map((tx) => ({ checkTx: { tx } }));
  const startMs = performance.now();
  const answers = await client.all(checks);
  const ms = performance.now() - startMs;
  if (answers.some(({ checkTx }) => checkTx?.code !== 0)) throw new Error('a transfer was refused');
  console.log(`CheckTx of ${CHECKS}: ${((CHECKS * 1_000) / ms).toFixed(0)} a second`);
  client.close();
} finally {
  app.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
