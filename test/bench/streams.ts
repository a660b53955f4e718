/**
 * What event streams cost and how late they are: opens CLIENTS streams of everything, prints what the server's process has in memory for them
 * while they are idle, and then how long after the appearance of a block each client had its event while transfers commit.
 *
 *   node test/bench/streams.ts [--clients 1000] [--rate 20] [--seconds 20] [--threads 1]
 *
 * A block appears when the chain's own websocket tells of it, in this same process. The clients share the machine with the server.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { WebSocket } from 'ws';
import { chainOf } from '../e2e/support/chain.ts';
import { freePort, Server } from '../e2e/support/server.ts';
import { eventLoopMaxMs } from './measure/event-loops.ts';

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '1000' },
    rate: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '20' },
    threads: { type: 'string', default: '1' },
  },
});
const [clients, ratePerS, seconds] = [Number(values.clients), Number(values.rate), Number(values.seconds)];
const IDLE_S = 20;
const BLOCK_INTERVAL_MS = 1000;
const KIB_PER_MIB = 1024;
/** Half of what one address may have, so that requests of this program have room. */
const PER_ADDRESS = 500;
const OPENED_AT_ONCE = 50;

const dataDir = await mkdtemp(path.join(tmpdir(), 'txledger-streams-'));
const server = new Server({
  dataDir,
  port: await freePort(),
  variables: {
    BLOCK_INTERVAL_MS: String(BLOCK_INTERVAL_MS),
    LOG_LEVEL: 'error',
    TXLEDGER_VALIDATE_RESPONSES: 'false',
    HTTP_THREADS: values.threads,
  },
});
const streams: IncomingMessage[] = [];
const appearedMs = new Map<number, number>();
const latenciesMs: number[] = [];
let isMeasured = false;
let events = 0;

function residentMib(): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1] ?? '0') / KIB_PER_MIB;
}

/** Linux tells processor time in hundredths of a second. */
function processorMs(): number {
  const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function open(at: number, token: string): Promise<void> {
  const { hostname, port } = new URL(server.baseUrl);
  const outgoing = request({
    hostname,
    port,
    path: '/events',
    agent: false,
    localAddress: `127.0.0.${2 + Math.floor(at / PER_ADDRESS)}`,
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
  });
  outgoing.end();
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  if (incoming.statusCode !== 200) throw new Error(`a stream was answered ${incoming.statusCode}`);
  incoming.setEncoding('latin1');
  incoming.on('data', (chunk: string) => take(chunk));
  incoming.on('error', () => undefined);
  streams.push(incoming);
}

/** One figure for each client and block: when the client had the block's first event. */
function take(chunk: string): void {
  if (!isMeasured) return;
  const nowMs = performance.now();
  const heights = new Set<number>();
  for (const [, height] of chunk.matchAll(/^id: (\d+)-\d+$/gm)) {
    events += 1;
    heights.add(Number(height));
  }
  for (const height of heights) {
    const fromMs = appearedMs.get(height) ?? nowMs;
    appearedMs.set(height, fromMs);
    latenciesMs.push(nowMs - fromMs);
  }
}

const quantile = (sorted: readonly number[], part: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN).toFixed(1);

try {
  await server.start();
  const chain = chainOf(server, await server.development());
  const blocks = new WebSocket(`${server.baseUrl.replace('http', 'ws')}/rpc/websocket`);
  await once(blocks, 'open');
  blocks.send(
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscribe', params: { query: "tm.event='NewBlockHeader'" } }),
  );
  blocks.on('message', (message: Buffer) => {
    const height = Number(/"height":"(\d+)"/.exec(message.toString())?.[1] ?? 0);
    if (!appearedMs.has(height)) appearedMs.set(height, performance.now());
  });
  await sleep(3 * BLOCK_INTERVAL_MS);
  const beforeMib = residentMib();
  for (let at = 0; at < clients; at += OPENED_AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(OPENED_AT_ONCE, clients - at) }, (_, more) => open(at + more, chain.dev.token)),
    );
  // Past a heartbeat of each.
  await sleep(IDLE_S * 1000);
  const idleMib = residentMib();
  await eventLoopMaxMs(server.baseUrl);
  isMeasured = true;
  const processorBeforeMs = processorMs();
  for (let nonce = 0, endMs = performance.now() + seconds * 1000; performance.now() < endMs; nonce += 1) {
    const sentMs = performance.now();
    const { status } = await chain.submit(chain.signed(0, 1, 1n, nonce));
    if (status !== 202) throw new Error(`a transfer was answered ${status}`);
    await sleep(Math.max(0, 1000 / ratePerS - (performance.now() - sentMs)));
  }
  await sleep(2 * BLOCK_INTERVAL_MS);
  const loops = await eventLoopMaxMs(server.baseUrl);
  blocks.terminate();
  const sorted = latenciesMs.toSorted((a, b) => a - b);
  console.table({
    streams: streams.length,
    'memory before, MiB': beforeMib.toFixed(0),
    'memory of idle streams, MiB': (idleMib - beforeMib).toFixed(0),
    'memory after the load, MiB': (residentMib() - beforeMib).toFixed(0),
    'events received': events,
    'processor of the server for each piece written, us': (
      ((processorMs() - processorBeforeMs) * 1000) /
      latenciesMs.length
    ).toFixed(0),
    'after the block, p50, ms': quantile(sorted, 0.5),
    'after the block, p99, ms': quantile(sorted, 0.99),
    'after the block, most, ms': quantile(sorted, 1),
    'event loop blocked, most, ms': JSON.stringify(loops),
  });
} finally {
  for (const stream of streams) stream.destroy();
  await server.stop('SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
}
