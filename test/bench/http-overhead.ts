/**
 * CPU per POST of the whole HTTP layer over a gateway that answers at once, against raw Express 5 with express.json
 * answering an empty POST: what every check, the contract and the log line cost a transfer.
 *
 *   node test/bench/http-overhead.ts [rounds]
 *
 * Both servers run in child processes and are loaded in turns, so that what else the machine does falls on both sides
 * alike; CPU time is that of the server process alone. Prints microseconds a request and the ratio, best and median.
 */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

import express from 'express';
import pino from 'pino';
import { Registry } from 'prom-client';

import { createHttpApp, createHttpServer, loadContract } from '../../server/http/index.ts';
import { realClock } from '../http/support/server.ts';
import { StubGateway, TOKEN, TRANSFER } from '../http/support/stub-gateway.ts';

const CONNECTIONS = 16;
const WARM_UP_REQUESTS = 4_000;
const ROUND_REQUESTS = 8_000;
/** Log lines are made but written many at a time: what one write call costs is a matter of the machine and its log sink. */
const LOG_BUFFER_BYTES = 8 * 1024;

async function serveSide(side: string): Promise<void> {
  if (side === 'express') {
    const app = express();
    app.use(express.json());
    app.post('/transactions', (_request, response) => {
      response.json({});
    });
    listen(createServer(app));
    return;
  }
  const contract = loadContract();
  const { app, ready, connections } = createHttpApp({
    gateway: new StubGateway(),
    contract,
    config: { allowedHosts: ['127.0.0.1'], corsOrigins: [], trustedProxies: [], connectionsMax: 1_000, connectionsPerAddressMax: 1_000, rpcAccess: 'reads', websocketsPerClientMax: 20, rateLimits: undefined, validateResponses: false, development: false },
    logger: pino({ level: 'info' }, pino.destination({ dest: '/dev/null', sync: false, minLength: LOG_BUFFER_BYTES })),
    clock: realClock,
    metrics: new Registry(),
    requestIdPrefix: 'bench',
  });
  await ready;
  listen(createHttpServer(app, { contract, logger: pino({ level: 'silent' }), requestIdPrefix: 'bench', connections }));
}

function listen(server: ReturnType<typeof createServer>): void {
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
  process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
}

interface Side {
  child: ChildProcess;
  port: number;
  body: string;
  samplesUs: number[];
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

async function start(side: string, body: string): Promise<Side> {
  const child = fork(fileURLToPath(import.meta.url), [`--serve=${side}`], { execArgv: [] });
  const { port } = await message<{ port: number }>(child);
  return { child, port, body, samplesUs: [] };
}

async function cpuUs({ child }: Side): Promise<number> {
  const answer = message<{ cpu: NodeJS.CpuUsage }>(child);
  child.send('cpu');
  const { cpu } = await answer;
  return cpu.user + cpu.system;
}

async function load(side: Side, requests: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const headers = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(side.body) };
  let left = requests;
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const outgoing = request({ host: '127.0.0.1', port: side.port, method: 'POST', path: '/transactions', headers, agent }, (answer) => {
        if ((answer.statusCode ?? 500) >= 300) reject(new Error(`status ${answer.statusCode}`));
        answer.resume();
        answer.once('end', resolve);
      });
      outgoing.once('error', reject);
      outgoing.end(side.body);
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

async function main(rounds: number): Promise<void> {
  const sides = { express: await start('express', '{}'), ledger: await start('ledger', JSON.stringify(TRANSFER)) };
  for (const side of Object.values(sides)) await load(side, WARM_UP_REQUESTS);
  for (let round = 0; round < rounds; round += 1) {
    for (const side of Object.values(sides)) {
      const before = await cpuUs(side);
      await load(side, ROUND_REQUESTS);
      side.samplesUs.push(((await cpuUs(side)) - before) / ROUND_REQUESTS);
    }
  }
  const sorted = (side: Side): number[] => side.samplesUs.toSorted((a, b) => a - b);
  const best = (side: Side): number => sorted(side)[0] ?? Number.NaN;
  const median = (side: Side): number => sorted(side)[Math.floor(rounds / 2)] ?? Number.NaN;
  for (const [name, of] of [['best', best], ['median', median]] as const) {
    const [raw, ours] = [of(sides.express), of(sides.ledger)];
    console.log(`${name}: raw Express ${raw.toFixed(1)} us, this server ${ours.toFixed(1)} us a POST; ratio ${(ours / raw).toFixed(2)}, above it ${(ours - raw).toFixed(1)} us`);
  }
  for (const { child } of Object.values(sides)) child.kill();
}

const serveArgument = process.argv.find((argument) => argument.startsWith('--serve='));
if (serveArgument === undefined) await main(Number(process.argv[2] ?? 7));
else await serveSide(serveArgument.slice('--serve='.length));
