/**
 * One CometBFT node under our gateway next to a bare CometBFT node with its built-in kvstore, in turns within one run.
 *
 *   COMETBFT=... node test/bench/cometbft.ts [--checkout DIR] [--name this] [--rounds 5] [--transactions 10000] [--connections 64]
 *                                            [--database-url postgres://...] [--json FILE]
 *
 * `bare`: broadcast_tx_sync of transactions of the same size, which the kvstore takes without looking. `ledger`: signed
 * transfers over POST /transactions: every rule, durable before the answer, then broadcast, executed and settled. Both
 * nodes run with the settings of `npm run localnet`. Transfers are signed before the clock starts. For each round it
 * prints what was accepted and committed a second and the CPU time a transaction took in all processes of the side; at
 * the end the ratios ledger / bare (min / median / max). The load runs on the same cores, so absolute figures say little.
 * `--json` keeps them, by process and thread too, for test/bench/publish.ts.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { nodeSettings } from '../../scripts/localnet/nodes.ts';
import { setToml } from '../../scripts/localnet/toml.ts';
import { ROOT } from '../../scripts/steps.ts';
import { genesisTimeOf } from '../../server/app/genesis-time.ts';
import { parseValidatorKey } from '../../server/engine/validator-key.ts';
import type * as Ledger from '../../server/ledger/index.ts';
import { encodeAddress, encodeTransaction, publicKeyOfSeed, signTransaction, type Transfer } from '../../server/ledger/index.ts';
import { call, environment, freePort } from '../e2e/support/server.ts';
import { commandResult, type CommandResult } from '../support/child-process.ts';
import { closedLoop } from './load/closed-loop.ts';
import { requestBytes } from './load/request-bytes.ts';
import { machineUs, sum, threadTimes, type ThreadTimes, usedBetween } from './measure/processor.ts';
import { rounded, roundedSpread, spread } from './measure/statistics.ts';
import { thisMachine } from './report/machine.ts';
import { writeResult } from './report/recorded-results.ts';
import type { NetworkResult } from './report/result.ts';
import { spreadText } from './report/summary.ts';
import { commitOf } from './sides/ledger-server.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    transactions: { type: 'string', default: '10000' },
    connections: { type: 'string', default: '64' },
    'database-url': { type: 'string' },
    checkout: { type: 'string', default: ROOT },
    name: { type: 'string', default: 'this' },
    json: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const perRound = Number(values.transactions);
const connections = Number(values.connections);
const COMETBFT = process.env['COMETBFT'] ?? 'cometbft';
const checkout = path.resolve(values.checkout);
/** A genesis is made by the build that reads it: what one may hold has changed between them. */
const { buildGenesis } = (await import(pathToFileURL(path.join(checkout, 'server', 'ledger', 'index.ts')).href)) as typeof Ledger;

const CHAIN_ID = 'txledger-bench-1';
/** Nonces may run 1,024 ahead of the chain, so many senders keep the window from being the limit. */
const SENDERS = 200;
const BALANCE = 10n ** 15n;
const MEMPOOL_SIZE = 50_000;
const READY_MS_MAX = 60_000;
const COMMIT_MS_MAX = 120_000;
const POLL_MS = 20;
const MS_PER_S = 1000;
const US_PER_MS = 1000;

interface Side {
  name: string;
  /** The node's own RPC. */
  node: string;
  /** By what each of them is. */
  processes: Record<string, ChildProcess>;
  /** The requests of one round, ready to be sent. */
  bodies(round: number): string[];
  post: { port: number; path: string; token?: string; accepted(body: string): boolean };
  accepted: number[];
  committed: number[];
  cpuUs: number[];
  /** A transaction's by process and thread, of each round. */
  threadsUs: Record<string, Record<string, number>>[];
}

const folder = mkdtempSync(path.join(tmpdir(), 'bench-cometbft-'));
const sides: Side[] = [];
/** What other programs took of the machine in each phase. */
const othersCores: number[] = [];
/** All that was started, in that order: also a side that never came up is ended. */
const children: ChildProcess[] = [];
const seeds = Array.from({ length: SENDERS }, (_, i) => Buffer.alloc(32, i + 1));
const senders = seeds.map((seed) => ({ seed, address: encodeAddress(publicKeyOfSeed(seed), 'txlt') }));

function launch(program: string, args: readonly string[], variables: Record<string, string> = {}): ChildProcess {
  const child = spawn(program, [...args], { cwd: checkout, env: environment(variables), stdio: ['ignore', 'ignore', 'pipe'] });
  children.push(child);
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-2_000)));
  child.once('exit', (code) => code !== null && code !== 0 && console.error(`${path.basename(program)} ${args[0]} ended with ${code}: ${errors}`));
  return child;
}

function txledger(args: readonly string[], variables: Record<string, string> = {}): Promise<CommandResult> {
  return commandResult(spawn(process.execPath, ['server/cli/txledger.ts', ...args], { cwd: checkout, env: environment(variables), stdio: ['ignore', 'pipe', 'pipe'] }));
}

async function until(what: string, holds: () => Promise<boolean>, msMax: number): Promise<void> {
  const endMs = performance.now() + msMax;
  while (!(await holds().catch(() => false))) {
    if (performance.now() > endMs) throw new Error(`${what} took longer than ${msMax} ms`);
    await sleep(POLL_MS);
  }
}

/** A home with one validator and our settings. @returns its folder and the node's RPC port. */
async function makeHome(name: string, proxyApp: string | undefined, abciPort: number): Promise<{ home: string; rpc: number }> {
  const home = path.join(folder, name);
  const [code] = (await once(spawn(COMETBFT, ['init', '--home', home], { stdio: 'ignore' }), 'exit')) as [number | null];
  if (code !== 0) throw new Error(`cometbft init ended with ${code}`);
  const rpc = await freePort();
  const file = path.join(home, 'config', 'config.toml');
  const settings = nodeSettings({ rpc, p2p: await freePort(), abci: abciPort }, '', MEMPOOL_SIZE);
  writeFileSync(file, setToml(readFileSync(file, 'utf8'), proxyApp === undefined ? settings : { ...settings, '': { ...settings[''], proxy_app: proxyApp } }));
  return { home, rpc };
}

const height = async (node: string): Promise<number> => Number((await call(`${node}/status`)).body.result.sync_info.latest_block_height);
const started = (node: string): Promise<void> => until(node, async () => (await height(node)) > 0, READY_MS_MAX);

async function bareSide(): Promise<Side> {
  const { home, rpc } = await makeHome('bare', 'kvstore', 0);
  const node = `http://127.0.0.1:${rpc}`;
  const processes = { node: launch(COMETBFT, ['start', '--home', home]) };
  await started(node);
  const size = transfers(0, 1)[0]?.raw.length ?? 0;
  const bodies = (round: number): string[] =>
    Array.from({ length: perRound }, (_, i) => {
      const tx = Buffer.from(`r${round}i${i}=`.padEnd(size, 'x')).toString('base64');
      return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'broadcast_tx_sync', params: { tx } });
    });
  const post = { port: rpc, path: '/', accepted: (body: string) => body.includes('"code":0') };
  return { name: 'bare', node, processes, bodies, post, accepted: [], committed: [], cpuUs: [], threadsUs: [] };
}

/** `count` signed transfers of each round's own nonces, in the order in which they are sent. */
function transfers(round: number, count: number): { body: string; raw: Uint8Array }[] {
  const perSender = Math.ceil(perRound / SENDERS);
  return Array.from({ length: count }, (_, i) => {
    const sender = senders[i % SENDERS] as (typeof senders)[number];
    const to = (senders[(i + 1) % SENDERS] as (typeof senders)[number]).address;
    const nonce = round * perSender + Math.floor(i / SENDERS);
    const transfer = signTransaction<Transfer>({ kind: 'transfer', chainId: CHAIN_ID, from: sender.address, to, amount: 1n, nonce }, sender.seed);
    const { from, signature } = transfer;
    return { body: JSON.stringify({ from, to, amount: '1', nonce, signature }), raw: encodeTransaction(transfer) };
  });
}

async function ledgerSide(): Promise<Side> {
  const abci = await freePort();
  const { home, rpc } = await makeHome('ledger', undefined, abci);
  const node = `http://127.0.0.1:${rpc}`;
  const key = parseValidatorKey(readFileSync(path.join(home, 'config', 'priv_validator_key.json'), 'utf8'));
  if (!key.ok) throw new Error(key.message);
  const operatorKey = path.join(folder, 'operator_key.json');
  const operator = (await txledger(['operator-key', 'create', '--out', operatorKey, '--prefix', 'txlt'])).stdout.trim();
  const genesis = path.join(home, 'config', 'genesis.json');
  writeFileSync(
    genesis,
    buildGenesis({
      genesisTime: genesisTimeOf(Date.now()),
      chainId: CHAIN_ID,
      addressPrefix: 'txlt',
      validators: [{ publicKey: Buffer.from(key.key.publicKey).toString('hex'), power: 10, name: 'bench' }],
      accounts: senders.map(({ address }) => ({ address, balance: BALANCE })),
      cancellers: [operator],
      governors: [operator],
      threshold: 1,
      currency: { code: 'TST', scale: 2 },
    }),
  );
  for (const name of ['app', 'gateway']) mkdirSync(path.join(folder, name), { mode: 0o700 });
  const app = launch(process.execPath, ['server/cli/txledger.ts', 'app'], { DATA_DIR: path.join(folder, 'app'), ABCI_LISTEN: `tcp://127.0.0.1:${abci}`, LOG_LEVEL: 'error' });
  const comet = launch(COMETBFT, ['start', '--home', home]);
  await started(node);
  const port = await freePort();
  const databaseUrl = values['database-url'];
  const variables = {
    ENGINE: 'cometbft',
    COMETBFT_RPC_URL: node,
    GENESIS_FILE: genesis,
    OPERATOR_KEY_FILE: operatorKey,
    DATA_DIR: path.join(folder, 'gateway'),
    PORT: String(port),
    LOG_LEVEL: 'warn',
    DRAIN_DELAY_S: '0',
    TXLEDGER_RATE_PER_TOKEN_PER_S: '1000000',
    TXLEDGER_RATE_PER_IP_PER_S: '1000000',
    TXLEDGER_PENDING_PER_OWNER_MAX: '1000000',
    TXLEDGER_PENDING_MAX: '5000000',
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  };
  const made = await txledger(['token', 'create', '--owner', 'bench', '--scope', 'transactions:read', '--scope', 'transactions:write'], variables);
  if (made.code !== 0) throw new Error(made.stderr);
  const gateway = launch(process.execPath, ['server/cli/txledger.ts', 'serve'], variables);
  await until('the gateway', async () => (await call(`http://127.0.0.1:${port}/readyz`)).status === 200, READY_MS_MAX);
  const post = {
    port,
    path: '/transactions',
    token: made.stdout.trim(),
    accepted: (body: string) => body.includes('"status":"pending"'),
  };
  return { name: 'ledger', node, processes: { node: comet, application: app, gateway }, bodies: (round) => transfers(round, perRound).map(({ body }) => body), post, accepted: [], committed: [], cpuUs: [], threadsUs: [] };
}

/** Processor time of all threads of all processes of a side. */
function times({ processes }: Side): Record<string, ThreadTimes> {
  return Object.fromEntries(Object.entries(processes).map(([name, { pid }]) => [name, threadTimes(pid!)]));
}

async function send({ post }: Side, bodies: readonly string[]): Promise<void> {
  const { port, token, accepted } = post;
  const requests = bodies.map((body) => requestBytes({ port, method: 'POST', path: post.path, body, ...(token === undefined ? {} : { token }) }));
  const { refusals } = await closedLoop({ port, connections, count: requests.length, request: (index) => requests[index]!, accepts: (_, body) => accepted(body.toString()) });
  if (Object.keys(refusals).length > 0) throw new Error(`not accepted: ${JSON.stringify(refusals)}`);
}

/** Transactions in the blocks above `from`. */
async function transactionsSince(node: string, from: number): Promise<number> {
  let count = 0;
  const top = await height(node);
  // A node answers 20 headers at most.
  for (let low = from + 1; low <= top; low += 20) {
    const { body } = await call(`${node}/blockchain?minHeight=${low}&maxHeight=${Math.min(low + 19, top)}`);
    for (const meta of body.result.block_metas as { num_txs: string }[]) count += Number(meta.num_txs);
  }
  return count;
}

async function runRound(side: Side, round: number): Promise<void> {
  const bodies = side.bodies(round);
  const from = await height(side.node);
  const before = times(side);
  const machine = machineUs();
  const own = process.cpuUsage();
  const startMs = performance.now();
  await send(side, bodies);
  const acceptedMs = performance.now() - startMs;
  await until(`${side.name}: the commit`, async () => (await transactionsSince(side.node, from)) >= bodies.length, COMMIT_MS_MAX);
  const committedMs = performance.now() - startMs;
  const after = times(side);
  const threadsUs = Object.fromEntries(
    Object.keys(side.processes).map((name) => {
      const used = usedBetween(before[name]!, after[name]!);
      return [name, Object.fromEntries(Object.entries(used).map(([group, us]) => [group, us / bodies.length]))];
    }),
  );
  const used = process.cpuUsage(own);
  const oursUs = used.user + used.system + bodies.length * Object.values(threadsUs).reduce((total, threads) => total + sum(threads), 0);
  othersCores.push(Math.max(0, machineUs() - machine - oursUs) / (committedMs * US_PER_MS));
  side.threadsUs.push(threadsUs);
  side.accepted.push(bodies.length / (acceptedMs / MS_PER_S));
  side.committed.push(bodies.length / (committedMs / MS_PER_S));
  side.cpuUs.push(Object.values(threadsUs).reduce((total, used) => total + sum(used), 0));
  console.log(
    `round ${round}, ${side.name}: ${Math.round(side.accepted.at(-1) ?? 0)} accepted/s, ${Math.round(side.committed.at(-1) ?? 0)} committed/s, ${Math.round(side.cpuUs.at(-1) ?? 0)} us CPU a transaction`,
  );
}

/** The first round warms both up. */
const ofRounds = (of: readonly number[]): number[] => of.slice(1);
const ratios = (of: (side: Side) => readonly number[], [bare, ledger]: readonly [Side, Side]) =>
  roundedSpread(spread(ofRounds(of(ledger)).map((value, at) => value / ofRounds(of(bare))[at]!)));

/** The median over the rounds of each thread's microseconds. */
function medianThreads({ threadsUs }: Side): Record<string, Record<string, number>> {
  const first = threadsUs[1]!;
  return Object.fromEntries(
    Object.entries(first).map(([name, groups]) => [
      name,
      Object.fromEntries(Object.keys(groups).map((group) => [group, rounded(spread(threadsUs.slice(1).map((round) => round[name]?.[group] ?? 0)).median)])),
    ]),
  );
}

try {
  sides.push(await bareSide());
  sides.push(await ledgerSide());
  for (let round = 0; round <= rounds; round += 1) for (const side of sides) await runRound(side, round);
  const pair = sides as unknown as readonly [Side, Side];
  const result: NetworkResult = {
    kind: 'network',
    recordedAt: new Date().toISOString(),
    machine: thisMachine(),
    build: values.name,
    commit: commitOf(checkout),
    othersCores: rounded(spread(othersCores).median),
    ratios: { accepted: ratios((side) => side.accepted, pair), committed: ratios((side) => side.committed, pair), cpu: ratios((side) => side.cpuUs, pair) },
    threadsUs: { ...medianThreads(pair[1]), bare: medianThreads(pair[0])['node']! },
  };
  for (const [name, value] of Object.entries(result.ratios)) console.log(`${name}, ledger / bare: ${spreadText(value)}`);
  if (values.json !== undefined) writeResult(values.json, result);
} finally {
  for (const child of children.toReversed()) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
  rmSync(folder, { recursive: true, force: true });
}
