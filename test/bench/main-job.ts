/**
 * The main job of this checkout next to that of another one, in turns within one run: what a change costs a transfer.
 *
 *   node test/bench/main-job.ts --against CHECKOUT [--rounds 5] [--transfers 4000] [--reads 4000] [--connections 32] [--command start|serve]
 *
 * A round starts a fresh server of each. Both take signed transfers one by one over kept connections, then list ten, then read
 * each transaction by its id, in turns of 200 requests whose order is reversed each time: what else happens on the machine
 * meets both alike. Everything acknowledged is looked up; a refusal ends the run. Prints the servers' CPU time an
 * operation (all threads, from /proc) and the ratio this / other of each round as min, median, max.
 */
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../../scripts/steps.ts';
import { operatorKeyOf } from '../../server/app/operator-key.ts';
import { encodeTransaction, signTransaction, txHash } from '../../server/ledger/index.ts';
import { CHAIN_ID, PAYEE, PAYER, Target } from '../attacks/target.ts';
import { devAddress, devSeed } from '../ledger/support.ts';

const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    transfers: { type: 'string', default: '4000' },
    reads: { type: 'string', default: '4000' },
    connections: { type: 'string', default: '32' },
    command: { type: 'string', default: 'start' },
  },
});
if (values.against === undefined) throw new Error('--against CHECKOUT: the folder of the other checkout, with its dependencies installed');
const connections = Number(values.connections);
const command = values.command === 'serve' ? 'serve' : 'start';
const DEV_CHAIN_ID = 'txledger-dev-1';
/** Linux tells CPU time in hundredths of a second. */
const US_PER_TICK = 10_000;
const UTIME = 11;
/** Requests in a turn: a fraction of a second. */
const SLICE = 200;
/** Far above what a test machine asks for, so that no phase is refused for its rate. */
const RATE_PER_S = '1000000';

const payers = command === 'serve' ? [PAYER] : Array.from({ length: 8 }, (_, index) => ({ address: devAddress(index), seed: devSeed(index) }));
const chainId = command === 'serve' ? CHAIN_ID : DEV_CHAIN_ID;
const payee = command === 'serve' ? PAYEE.address : operatorKeyOf(new Uint8Array(32).fill(9), 'txlt').address;

function signedTransfers(count: number): { body: string; hash: string }[] {
  return Array.from({ length: count }, (_, index) => {
    const payer = payers[index % payers.length]!;
    const nonce = Math.floor(index / payers.length);
    const signed = signTransaction({ kind: 'transfer', chainId, from: payer.address, to: payee, amount: 1n, nonce }, payer.seed);
    const body = JSON.stringify({ from: payer.address, to: payee, amount: '1', nonce, signature: signed.signature });
    return { body, hash: txHash(encodeTransaction(signed)) };
  });
}

function cpuUs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[UTIME]) + Number(fields[UTIME + 1])) * US_PER_TICK;
}

interface Asked {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
  status: number;
}

async function ask(target: Target, agent: Agent, { method, path: where, body, status }: Asked): Promise<void> {
  const headers = { authorization: `Bearer ${target.token}`, ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length }) };
  const got = await new Promise<number | undefined>((resolve, reject) => {
    const sent = request({ agent, method, host: '127.0.0.1', port: target.port, path: where, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode)).on('error', reject);
    });
    sent.on('error', reject).end(body);
  });
  if (got !== status) throw new Error(`${method} ${where} answered ${got}, expected ${status}:\n${target.output}`);
}

type Side = 'this' | 'other';
const SIDES: readonly Side[] = ['this', 'other'];
const JOBS = ['POST /transactions', 'GET list of 10', 'GET by id'] as const;
type Job = (typeof JOBS)[number];
/** CPU microseconds of each server an operation. */
type Costs = Record<Side, number>;

async function perform(target: Target, agent: Agent, work: readonly Asked[]): Promise<void> {
  const queue = work.values();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (const item of queue) await ask(target, agent, item);
    }),
  );
}

const WARM_UP = 1_000;
const transfers = signedTransfers(Number(values.transfers) + WARM_UP);
const submit = ({ body }: { body: string }): Asked => ({ method: 'POST', path: '/transactions', body, status: 202 });
const read = ({ hash }: { hash: string }): Asked => ({ method: 'GET', path: `/transactions/${hash}`, status: 200 });
const LIST: Asked = { method: 'GET', path: '/transactions', status: 200 };
const reads = Number(values.reads);
const work: Record<Job, readonly Asked[]> = {
  'POST /transactions': transfers.slice(WARM_UP).map(submit),
  'GET list of 10': Array.from({ length: reads }, () => LIST),
  'GET by id': transfers.slice(-reads).map(read),
};

/** Two fresh servers, which work in turns of SLICE requests. What each does between its turns (blocks) counts as its own. */
async function round(turn: number): Promise<Record<Job, Costs>> {
  const variables = { TXLEDGER_RATE_PER_TOKEN_PER_S: RATE_PER_S, TXLEDGER_RATE_PER_IP_PER_S: RATE_PER_S };
  const targets: Partial<Record<Side, Target>> = {};
  const agents = { this: new Agent({ keepAlive: true, maxSockets: connections }), other: new Agent({ keepAlive: true, maxSockets: connections }) };
  try {
    for (const side of SIDES) targets[side] = await Target.start({ command, checkout: checkouts[side], variables });
    const { this: ours, other } = targets as Record<Side, Target>;
    const target = { this: ours, other };
    for (const side of SIDES) await perform(target[side], agents[side], transfers.slice(0, WARM_UP).map(submit));
    const costs: Partial<Record<Job, Costs>> = {};
    for (const job of JOBS) {
      const before = { this: cpuUs(ours.pid), other: cpuUs(other.pid) };
      for (let from = 0, slice = turn; from < work[job].length; from += SLICE, slice += 1) {
        const order = slice % 2 === 0 ? SIDES : SIDES.toReversed();
        for (const side of order) await perform(target[side], agents[side], work[job].slice(from, from + SLICE));
      }
      const cost = (side: Side): number => (cpuUs(target[side].pid) - before[side]) / work[job].length;
      costs[job] = { this: cost('this'), other: cost('other') };
    }
    return costs as Record<Job, Costs>;
  } finally {
    for (const side of SIDES) {
      agents[side].destroy();
      await targets[side]?.stop();
    }
  }
}

const checkouts: Record<Side, string> = { this: ROOT, other: path.resolve(values.against) };
const rounds: Record<Job, Costs>[] = [];
for (let count = 0; count < Number(values.rounds); count += 1) {
  const costs = await round(count);
  rounds.push(costs);
  for (const job of JOBS) console.log(`round ${count + 1} ${job}: this ${Math.round(costs[job].this)} us, other ${Math.round(costs[job].other)} us`);
}
for (const job of JOBS) {
  const ratios = rounds.map((costs) => costs[job].this / costs[job].other).toSorted((a, b) => a - b);
  const at = (share: number): string => ratios[Math.round((ratios.length - 1) * share)]!.toFixed(3);
  console.log(`${job}: CPU this / other: min ${at(0)}, median ${at(0.5)}, max ${at(1)}`);
}
