/** A ledger of others, as a process that answers JSON-RPC; one way of handing transactions in is one scenario. */
import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { closedLoop } from '../load/closed-loop.ts';
import type { LoadResult } from '../load/load-result.ts';
import { requestBytes } from '../load/request-bytes.ts';
import { call, environment } from '../../e2e/support/server.ts';

const READY_MS_MAX = 30_000;
const POLL_MS = 50;

export interface PeerScenario {
  /** The peer's name, under which its figures are reported. */
  build: string;
  scenario: string;
  connections: number;
  /** The JSON-RPC requests. */
  bodies: readonly string[];
  accepts(answer: string): boolean;
}

export function launch(program: string, args: readonly string[]): ChildProcess {
  return spawn(program, [...args], { env: environment({}), stdio: 'ignore' });
}

/** Resolves when the peer answers this JSON-RPC request. */
export async function answers(
  child: ChildProcess,
  port: number,
  body: string,
  holds: (answer: string) => boolean,
): Promise<void> {
  for (const endMs = performance.now() + READY_MS_MAX; performance.now() < endMs; await sleep(POLL_MS)) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    const ready = await call(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    }).then(
      (answer) => holds(JSON.stringify(answer.body)),
      () => false,
    );
    if (ready) return;
  }
  throw new Error(`it was not ready within ${READY_MS_MAX} ms`);
}

export function peerLoad(port: number, { bodies, connections, accepts }: PeerScenario): Promise<LoadResult> {
  const requests = bodies.map((body) => requestBytes({ port, method: 'POST', path: '/', body }));
  return closedLoop({
    port,
    connections,
    count: requests.length,
    request: (index) => requests[index]!,
    accepts: (status, body) => status === 200 && accepts(body.toString()),
  });
}
