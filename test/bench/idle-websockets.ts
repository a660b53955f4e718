/**
 * What idle websockets cost the server: opens them step by step, each with a subscription that nothing matches, and prints resident
 * memory and CPU time of the server's process while blocks are made. Bounded: SOCKETS connections, SECONDS a step.
 *
 *   node test/bench/idle-websockets.ts
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { WS_CONNECTIONS_PER_IP_DEFAULT } from '../../server/http/limits.ts';
import { freePort, Server } from '../e2e/support/server.ts';

const STEPS = [0, 1000, 2000, 4000];
const SECONDS = 10;
const BLOCK_INTERVAL_MS = 1000;
const KIB_PER_MIB = 1024;
/** Linux tells CPU time in hundredths of a second. */
const TICKS_PER_S = 100;

function residentMib(pid: number): number {
  const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
  return Number(kib) / KIB_PER_MIB;
}

function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_S;
}

const dataDir = await mkdtemp(path.join(tmpdir(), 'txledger-sockets-'));
const server = new Server({
  dataDir,
  port: await freePort(),
  variables: { BLOCK_INTERVAL_MS: String(BLOCK_INTERVAL_MS), LOG_LEVEL: 'error' },
});
const sockets: WebSocket[] = [];
try {
  await server.start();
  const pid = server.pid;
  for (const count of STEPS) {
    while (sockets.length < count) {
      const localAddress = `127.0.0.${2 + Math.floor(sockets.length / WS_CONNECTIONS_PER_IP_DEFAULT)}`;
      const socket = new WebSocket(`${server.baseUrl.replace('http', 'ws')}/rpc/websocket`, { localAddress });
      sockets.push(socket);
      await once(socket, 'open');
      socket.send(
        JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'subscribe',
          params: { query: "tm.event='Tx' AND transfer.sender='nobody'" },
        }),
      );
      await once(socket, 'message');
    }
    const before = cpuSeconds(pid);
    await sleep(SECONDS * 1000);
    const open = sockets.filter(({ readyState }) => readyState === WebSocket.OPEN).length;
    console.log(
      `${open} idle websockets: ${residentMib(pid).toFixed(0)} MiB resident, ${(((cpuSeconds(pid) - before) / SECONDS) * 100).toFixed(1)} % of a core`,
    );
  }
} finally {
  for (const socket of sockets) socket.terminate();
  await server.stop('SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
}
