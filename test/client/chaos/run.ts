/**
 * The kill-the-network test: 2,000 transfers from two client processes through a proxy that drops, delays, duplicates and cuts, while
 * clients and server are killed at random. In the end every payment has executed exactly once, every balance is exact, and nothing
 * that a client called refused, failed, cancelled or expired has committed.
 *
 *   node test/client/chaos/run.ts [--seed N] [--transfers N]
 *
 * The seed decides which faults are drawn in which order; how they meet the processes is up to the machine.
 */
import { spawn } from 'node:child_process';
import { EventEmitter, on, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  type Client,
  createClient,
  eachTransaction,
  encodeAddress,
  generateSeed,
  getAccount,
  signerFromSeed,
  type Transaction,
} from '../../../client/src/index.ts';
import { freePort, Server } from '../../e2e/support/server.ts';
import { chance } from './chance.ts';
import { readJournal } from './journal.ts';
import { ChaosProxy } from './proxy.ts';

/** It took six minutes on two cores that a dozen other programs used too. */
const RUN_MS_MAX = 600_000;
const WORKERS = 2;
/** A transfer that is held up holds up those of its account behind it, so each worker has some. */
const ACCOUNTS_PER_WORKER = 4;
/** Amounts of different workers do not overlap, so that an amount names a payment. */
const AMOUNTS_PER_WORKER = 1_000_000;
/**
 * Kills go by progress and not by time, so that a slow machine sees as many as a fast one: a client dies after so many entries in its
 * journal, the server after so many payments settled, each a moment later.
 */
const KILL_CLIENT_ENTRIES = [30, 150] as const;
const KILL_SERVER_SETTLED = [80, 200] as const;
const KILL_DELAY_MS = [0, 300] as const;
/** Some clients die early whatever they did: in the middle of sending again what their predecessor had signed. */
const EARLY_DEATHS = 0.15;
const EARLY_DEATH_MS = [300, 3_000] as const;

const { values } = parseArgs({ options: { seed: { type: 'string' }, transfers: { type: 'string', default: '2000' } } });
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const perWorker = Math.ceil(Number(values.transfers) / WORKERS);
const random = chance(seed);
const between = ([least, most]: readonly [number, number]): number => least + random() * (most - least);

const faults: string[] = [];
const check = (holds: boolean, what: string): void => {
  if (!holds) faults.push(what);
};

interface Worker {
  readonly name: string;
  readonly accounts: readonly { address: string; seed: string }[];
  readonly to: string;
  readonly journal: string;
  readonly first: number;
  kills: number;
  done: boolean;
}

const folder = mkdtempSync(join(tmpdir(), 'client-chaos-'));
const server = new Server({
  dataDir: join(folder, 'data'),
  port: await freePort(),
  variables: { BLOCK_INTERVAL_MS: '200', LOG_LEVEL: 'error' },
});
const startedMs = performance.now();
const outOfTime = (): boolean => performance.now() - startedMs > RUN_MS_MAX;
let serverKills = 0;
const progress = new EventEmitter();

/** Runs a worker to its end through any number of deaths. */
async function keepRunning(worker: Worker, baseUrl: string, token: string): Promise<void> {
  while (!outOfTime()) {
    const program = join(import.meta.dirname, 'worker.ts');
    const seeds = worker.accounts.map(({ seed: own }) => own).join(',');
    const args = [program, baseUrl, token, seeds, worker.to, String(worker.first), String(perWorker), worker.journal];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(child, 'close') as Promise<[number | null]>;
    const timers: NodeJS.Timeout[] = [];
    const killAfter = (delayMs: number): void => void timers.push(setTimeout(() => child.kill('SIGKILL'), delayMs));
    if (random() < EARLY_DEATHS) killAfter(between(EARLY_DEATH_MS));
    let entriesLeft = Math.round(between(KILL_CLIENT_ENTRIES));
    // One character for each entry in the journal, an s for a payment settled.
    child.stdout.on('data', (letters: Buffer) => {
      progress.emit('settled', letters.toString().split('s').length - 1);
      entriesLeft -= letters.length;
      if (entriesLeft <= 0 && entriesLeft + letters.length > 0) killAfter(between(KILL_DELAY_MS));
    });
    const stuck = setTimeout(() => child.kill('SIGKILL'), Math.max(0, RUN_MS_MAX - (performance.now() - startedMs)));
    const [code] = await ended;
    for (const timer of [...timers, stuck]) clearTimeout(timer);
    if (code === 0) {
      worker.done = true;
      return;
    }
    worker.kills += 1;
    if (code !== null) {
      check(false, `a client ended with ${code}`);
      return;
    }
  }
}

async function keepKillingServer(signal: AbortSignal): Promise<void> {
  for (;;) {
    let settledLeft = between(KILL_SERVER_SETTLED);
    try {
      for await (const [settled] of on(progress, 'settled', { signal })) {
        settledLeft -= settled as number;
        if (settledLeft <= 0) break;
      }
    } catch {
      return; // The clients have finished.
    }
    await sleep(between(KILL_DELAY_MS));
    serverKills += 1;
    await server.stop(random() < 0.7 ? 'SIGKILL' : 'SIGTERM');
    await server.start();
  }
}

/** What the accounts of a worker hold together. */
async function balanceOf(client: Client, { accounts }: Worker): Promise<bigint> {
  const balances = await Promise.all(accounts.map(({ address }) => getAccount(client, { address })));
  return balances.reduce((sum, { balance }) => sum + BigInt(balance), 0n);
}

/** How every payment ended, by what the service itself says in the end. */
async function judge(worker: Worker, balanceBefore: bigint, token: string): Promise<void> {
  const client = createClient({ baseUrl: server.baseUrl, token });
  const entries = readJournal(worker.journal);
  const byHash = new Map<string, Transaction>();
  const executed = new Map<string, number>();
  for await (const transaction of eachTransaction(client, { to: worker.to, limit: 1000 })) {
    byHash.set(transaction.txHash, transaction);
    if (transaction.status === 'committed')
      executed.set(transaction.amount, (executed.get(transaction.amount) ?? 0) + 1);
  }
  let sum = 0n;
  for (let index = 0; index < perWorker; index++) {
    const amount = String(worker.first + index);
    sum += BigInt(amount);
    check(executed.get(amount) === 1, `payment of ${amount} executed ${executed.get(amount) ?? 0} times`);
  }
  check(executed.size === perWorker, `${executed.size} amounts were paid instead of ${perWorker}`);
  let settled = 0;
  for (const entry of entries) {
    if (entry.kind === 'refused')
      check(
        byHash.get(entry.txHash)?.status !== 'committed',
        `${entry.txHash} was reported refused (${entry.why}) and committed`,
      );
    if (entry.kind === 'settled') {
      settled += 1;
      check(
        byHash.get(entry.txHash)?.status === entry.outcome,
        `${entry.txHash} was reported ${entry.outcome} and is ${byHash.get(entry.txHash)?.status}`,
      );
    }
  }
  check(settled >= perWorker, `${settled} payments were reported settled`);
  check(
    BigInt((await getAccount(client, { address: worker.to })).balance) === sum,
    'the receiver holds another sum than was paid',
  );
  check((await balanceOf(client, worker)) === balanceBefore - sum, 'the senders lost another sum than they paid');
}

let proxy: ChaosProxy | undefined;
try {
  await server.start();
  const { token, accounts } = await server.development();
  proxy = new ChaosProxy(server.baseUrl, chance(seed + 1));
  const baseUrl = await proxy.listen(await freePort());
  const direct = createClient({ baseUrl: server.baseUrl, token });
  const workers: Worker[] = [];
  const before: bigint[] = [];
  for (let i = 0; i < WORKERS; i++) {
    const receiver = await signerFromSeed(generateSeed());
    const own = accounts.slice(i * ACCOUNTS_PER_WORKER, (i + 1) * ACCOUNTS_PER_WORKER);
    workers.push({
      name: `worker ${i}`,
      accounts: own,
      to: encodeAddress(receiver.publicKey, 'txlt'),
      journal: join(folder, `journal-${i}`),
      first: (i + 1) * AMOUNTS_PER_WORKER,
      kills: 0,
      done: false,
    });
    before.push(await balanceOf(direct, workers[i]!));
  }
  const finished = new AbortController();
  const killing = keepKillingServer(finished.signal).catch((error: unknown) =>
    check(false, `the server did not come back: ${String(error)}`),
  );
  await Promise.all(workers.map((worker) => keepRunning(worker, baseUrl, token)));
  finished.abort();
  await killing;
  for (const [i, worker] of workers.entries()) {
    check(worker.done, `${worker.name} did not finish within ${RUN_MS_MAX} ms`);
    await judge(worker, before[i]!, token);
  }
  const clientKills = workers.reduce((all, { kills }) => all + kills, 0);
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  console.log(
    `client chaos: seed ${seed}, ${perWorker * WORKERS} transfers in ${seconds} s, ${clientKills} client kills, ${serverKills} server kills, proxy ${JSON.stringify(proxy.counts)}`,
  );
} finally {
  proxy?.close();
  await server.stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
for (const fault of faults.slice(0, 20)) console.error(fault);
console.log(`${faults.length === 0 ? 1 : 0} passed, ${faults.length === 0 ? 0 : 1} failed`);
process.exitCode = faults.length === 0 ? 0 : 1;
