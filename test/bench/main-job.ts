/**
 * The main job of this checkout next to that of another one, in turns within one run: what a change costs a transfer.
 *
 *   node test/bench/main-job.ts --against CHECKOUT [--rounds 5] [--transfers 4000] [--reads 4000] [--connections 32] [--command start|serve]
 *
 * Each phase is a fresh server that takes signed transfers one by one over kept connections, then lists ten, then reads
 * each transaction by its id. The order of the two is reversed every other round. Everything acknowledged is looked up; a
 * phase in which anything was refused ends the run. Prints the server's CPU time an operation (all its threads, from
 * /proc) and the ratio this / other between the two phases of a round as min, median, max. Rates are printed for
 * orientation: the loader shares the cores.
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

/** @returns CPU microseconds of the server an operation, and operations a second. */
async function measured(target: Target, work: readonly Asked[]): Promise<{ cpu: number; rate: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const queue = work.values();
  const startedMs = performance.now();
  const before = cpuUs(target.pid);
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (const item of queue) await ask(target, agent, item);
    }),
  );
  const cpu = (cpuUs(target.pid) - before) / work.length;
  const rate = (work.length * 1000) / (performance.now() - startedMs);
  agent.destroy();
  return { cpu, rate };
}

const WARM_UP = 1_000;
const transfers = signedTransfers(Number(values.transfers) + WARM_UP);
const submit = ({ body }: { body: string }): Asked => ({ method: 'POST', path: '/transactions', body, status: 202 });
const read = ({ hash }: { hash: string }): Asked => ({ method: 'GET', path: `/transactions/${hash}`, status: 200 });

type Phase = Record<'POST /transactions' | 'GET list of 10' | 'GET by id', { cpu: number; rate: number }>;

async function phase(checkout: string): Promise<Phase> {
  const variables = { TXLEDGER_RATE_PER_TOKEN_PER_S: RATE_PER_S, TXLEDGER_RATE_PER_IP_PER_S: RATE_PER_S };
  const target = await Target.start({ command, checkout, variables });
  try {
    await measured(target, transfers.slice(0, WARM_UP).map(submit));
    const posted = await measured(target, transfers.slice(WARM_UP).map(submit));
    const reads = Number(values.reads);
    const list: Asked = { method: 'GET', path: '/transactions', status: 200 };
    const listed = await measured(target, Array.from({ length: reads }, () => list));
    const found = await measured(target, transfers.slice(-reads).map(read));
    return { 'POST /transactions': posted, 'GET list of 10': listed, 'GET by id': found };
  } finally {
    await target.stop();
  }
}

const sides = { this: ROOT, other: path.resolve(values.against) };
const rounds: { this: Phase; other: Phase }[] = [];
for (let round = 0; round < Number(values.rounds); round += 1) {
  const order = round % 2 === 0 ? (['this', 'other'] as const) : (['other', 'this'] as const);
  const phases: Partial<Record<'this' | 'other', Phase>> = {};
  for (const side of order) phases[side] = await phase(sides[side]);
  const both = phases as { this: Phase; other: Phase };
  rounds.push(both);
  for (const name of Object.keys(both.this) as (keyof Phase)[]) {
    const told = ({ cpu, rate }: { cpu: number; rate: number }): string => `${Math.round(cpu)} us, ${Math.round(rate)}/s`;
    console.log(`round ${round + 1} ${name}: this ${told(both.this[name])}; other ${told(both.other[name])}`);
  }
}
for (const name of Object.keys(rounds[0]!.this) as (keyof Phase)[]) {
  const ratios = rounds.map((round) => round.this[name].cpu / round.other[name].cpu).toSorted((a, b) => a - b);
  const at = (share: number): string => ratios[Math.round((ratios.length - 1) * share)]!.toFixed(3);
  console.log(`${name}: CPU this / other: min ${at(0)}, median ${at(0.5)}, max ${at(1)}`);
}
