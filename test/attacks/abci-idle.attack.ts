/**
 * Connections of sixteen addresses to the application's socket that never ask for anything. Then a node comes, with its four: each has to be answered, and
 * InitChain with a time beyond all years must not end the process.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { environment, freePort } from '../e2e/support/server.ts';
import { AbciClient } from '../engine/support/abci-client.ts';
import { endChild } from '../support/child-process.ts';
import { ADDRESSES, addressOf } from './load.ts';
import { checkoutOfArguments } from './target.ts';

const IDLE = ADDRESSES;
const NODE_CONNECTIONS = 4;
const ANSWER_MS_MAX = 3_000;
const IMPOSSIBLE_S = 2n ** 63n - 1n;

const checkout = checkoutOfArguments();
const folder = mkdtempSync(path.join(tmpdir(), 'txledger-attack-'));
const port = await freePort();
const app = spawn(process.execPath, ['server/cli/txledger.ts', 'app'], {
  cwd: checkout,
  env: environment({ DATA_DIR: path.join(folder, 'data'), ABCI_LISTEN: `tcp://127.0.0.1:${port}`, LOG_LEVEL: 'warn' }),
  stdio: 'ignore',
});
const idle: net.Socket[] = [];
const node: AbciClient[] = [];

const connect = async (): Promise<AbciClient> => {
  const client = await AbciClient.connect({ host: '127.0.0.1', port });
  client.socket.on('error', () => undefined);
  return client;
};
const inTime = <T>(work: Promise<T>): Promise<T | undefined> =>
  Promise.race([work, sleep(ANSWER_MS_MAX).then(() => undefined)]).catch(() => undefined);

try {
  for (const endMs = performance.now() + 10_000; performance.now() < endMs; await sleep(50)) {
    const first = await connect().catch(() => undefined);
    first?.close();
    if (first) break;
  }
  for (let i = 0; i < IDLE; i++) {
    const socket = net.connect({ host: '127.0.0.1', port, localAddress: addressOf(i) }).on('error', () => undefined);
    await once(socket, 'connect');
    idle.push(socket);
  }
  await sleep(200);
  for (let i = 0; i < NODE_CONNECTIONS; i++) node.push(await connect());
  const answered = (await Promise.all(node.map((client) => inTime(client.ask({ info: {} }))))).filter(
    (answer) => answer?.info !== undefined,
  ).length;
  for (const socket of idle) socket.destroy();
  const other = await connect();
  node.push(other);
  const refusal = await inTime(
    other.ask({ initChain: { time: { seconds: IMPOSSIBLE_S, nanos: 0 }, chainId: 'attacked-1' } }),
  );
  await sleep(500);
  const alive =
    (await inTime((async () => (await connect()).ask({ echo: { message: 'alive' } }))()))?.echo !== undefined &&
    app.exitCode === null;
  const held = answered === NODE_CONNECTIONS && alive && refusal?.exception !== undefined;
  console.log(
    JSON.stringify({
      attack: 'abci-idle',
      checkout: path.basename(checkout),
      held,
      nodeConnectionsAnswered: answered,
      of: NODE_CONNECTIONS,
      aliveAfterInitChain: alive,
      refusal: refusal?.exception?.error,
    }),
  );
  if (!held) process.exitCode = 1;
} finally {
  for (const socket of idle) socket.destroy();
  for (const client of node) client.close();
  await endChild(app, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
