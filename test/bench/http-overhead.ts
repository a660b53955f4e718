/**
 * CPU per request of the whole HTTP layer over a gateway that answers at once, against raw Express 5 answering the same bytes: what every
 * check, the contract and the log line cost a transfer and a read.
 *
 *   node test/bench/http-overhead.ts [rounds] [post|list|get|account ...]
 *
 * Both servers run in child processes and are loaded in turns, so that what else the machine does falls on both sides
 * alike; CPU time is that of the server process alone. Prints microseconds a request and the ratio, best and median.
 * PROFILE=folder has each server write a CPU profile there.
 */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

import express from 'express';
import { Registry } from 'prom-client';

import { createLogger } from '../../server/app/logging.ts';
import { createHttpApp, createHttpServer, loadContract } from '../../server/http/index.ts';
import { realClock } from '../http/support/server.ts';
import { COMMITTED, PENDING, SENDER, StubGateway, TOKEN, TRANSFER, TX_HASH } from '../http/support/stub-gateway.ts';
import { transactionDetailResource, transactionResource } from '../../server/http/operations/resource.ts';

const CONNECTIONS = 16;
const WARM_UP_REQUESTS = 4_000;
const ROUND_REQUESTS = 8_000;

const LIST = Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? PENDING : COMMITTED));
const DETAIL = { ...COMMITTED, nonce: 0, history: [{ atMs: PENDING.firstSeenAtMs, event: 'accepted' as const }] };
const ACCOUNT = { address: SENDER, balance: '1000', nonce: 3, nextNonce: 5 };
const CURSOR = 'AAAAAAAAAco';

const KINDS = {
  post: { method: 'POST', path: '/transactions', body: JSON.stringify(TRANSFER), answer: transactionResource(PENDING) },
  list: { method: 'GET', path: '/transactions?limit=10', body: '', answer: { transactions: LIST.map(transactionResource), nextCursor: CURSOR } },
  get: { method: 'GET', path: `/transactions/${TX_HASH}`, body: '', answer: transactionDetailResource(DETAIL) },
  account: { method: 'GET', path: `/accounts/${SENDER}`, body: '', answer: ACCOUNT },
} as const;
type Kind = keyof typeof KINDS;

class BenchGateway extends StubGateway {
  // Remembers no calls.
  override calls = { push: () => 0 } as unknown as StubGateway['calls'];
  readonly #principal = { tokenId: 'full', owner: 'dev', scopes: ['transactions:read', 'transactions:write'] as const };
  // As the gateway's front does for a token that it remembers, without the hash of its secret.
  override authenticate = (() => this.#principal) as unknown as StubGateway['authenticate'];
}

async function serveSide(side: string): Promise<void> {
  if (side === 'express') {
    const app = express();
    app.use(express.json());
    app.post('/transactions', (_request, response) => void response.json(KINDS.post.answer));
    app.get('/transactions', (_request, response) => void response.json(KINDS.list.answer));
    app.get('/transactions/:txHash', (_request, response) => void response.json(KINDS.get.answer));
    app.get('/accounts/:address', (_request, response) => void response.json(KINDS.account.answer));
    listen(createServer(app));
    return;
  }
  const contract = loadContract();
  const gateway = new BenchGateway();
  gateway.onList = async () => ({ ok: true, transactions: LIST, nextCursor: CURSOR });
  gateway.onGet = async () => DETAIL;
  gateway.onAccount = async () => ({ ok: true, ...ACCOUNT });
  const { app, ready, connections } = createHttpApp({
    gateway,
    contract,
    config: { allowedHosts: ['127.0.0.1'], corsOrigins: [], trustedProxies: [], connectionsMax: 1_000, connectionsPerAddressMax: 1_000, rpcAccess: 'reads', websocketsPerClientMax: 20, rateLimits: undefined, validateResponses: false, development: false },
    logger: createLogger({ level: 'info', thread: 'main' }),
    clock: realClock,
    metrics: new Registry(),
    requestIdPrefix: 'bench',
  });
  await ready;
  listen(createHttpServer(app, { contract, logger: createLogger({ level: 'silent', thread: 'main' }), requestIdPrefix: 'bench', connections }));
}

function listen(server: ReturnType<typeof createServer>): void {
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
  process.on('message', (asked) => (asked === 'end' ? process.exit(0) : process.send?.({ cpu: process.cpuUsage() })));
}

interface Side {
  child: ChildProcess;
  port: number;
  samplesUs: Record<Kind, number[]>;
}

function message<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`a server under load ended with code ${code}`));
    child.once('exit', onExit);
    child.once('message', (value) => {
      child.off('exit', onExit);
      resolve(value as T);
    });
  });
}

async function start(side: string): Promise<Side> {
  const folder = process.env.PROFILE;
  const child = fork(fileURLToPath(import.meta.url), [`--serve=${side}`], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-name=${side}.cpuprofile`, `--cpu-prof-dir=${folder}`] });
  const { port } = await message<{ port: number }>(child);
  return { child, port, samplesUs: { post: [], list: [], get: [], account: [] } };
}

async function cpuUs({ child }: Side): Promise<number> {
  const answer = message<{ cpu: NodeJS.CpuUsage }>(child);
  child.send('cpu');
  const { cpu } = await answer;
  return cpu.user + cpu.system;
}

async function load(side: Side, kind: Kind, requests: number): Promise<void> {
  const { method, path, body } = KINDS[kind];
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const headers = { Authorization: `Bearer ${TOKEN}`, ...(body !== '' && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }) };
  let left = requests;
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const outgoing = request({ host: '127.0.0.1', port: side.port, method, path, headers, agent }, (answer) => {
        if ((answer.statusCode ?? 500) >= 300) reject(new Error(`status ${answer.statusCode}`));
        answer.resume();
        answer.once('end', resolve);
      });
      outgoing.once('error', reject);
      outgoing.end(body);
    });
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await one();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  agent.destroy();
}

async function main(rounds: number, kinds: readonly Kind[]): Promise<void> {
  const sides = { express: await start('express'), ledger: await start('ledger') };
  for (const side of Object.values(sides)) for (const kind of kinds) await load(side, kind, WARM_UP_REQUESTS);
  for (let round = 0; round < rounds; round += 1) {
    for (const kind of kinds) {
      for (const side of round % 2 === 0 ? [sides.express, sides.ledger] : [sides.ledger, sides.express]) {
        const before = await cpuUs(side);
        await load(side, kind, ROUND_REQUESTS);
        side.samplesUs[kind].push(((await cpuUs(side)) - before) / ROUND_REQUESTS);
      }
    }
  }
  for (const kind of kinds) {
    const sorted = (side: Side): number[] => side.samplesUs[kind].toSorted((a, b) => a - b);
    const best = (side: Side): number => sorted(side)[0] ?? Number.NaN;
    const median = (side: Side): number => sorted(side)[Math.floor(rounds / 2)] ?? Number.NaN;
    for (const [name, of] of [['best', best], ['median', median]] as const) {
      const [raw, ours] = [of(sides.express), of(sides.ledger)];
      console.log(`${kind.padEnd(8)} ${name.padEnd(7)} raw Express ${raw.toFixed(1)} us, this server ${ours.toFixed(1)} us; raw / ours ${(raw / ours).toFixed(2)}, above it ${(ours - raw).toFixed(1)} us`);
    }
  }
  for (const { child } of Object.values(sides)) child.send('end');
}

const serveArgument = process.argv.find((argument) => argument.startsWith('--serve='));
if (serveArgument === undefined) await main(Number(process.argv[2] ?? 7), process.argv.length > 3 ? (process.argv.slice(3) as Kind[]) : (Object.keys(KINDS) as Kind[]));
else await serveSide(serveArgument.slice('--serve='.length));
