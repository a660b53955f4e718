/**
 * The event stream with its sender and its receiver killed at random: while transfers are paid by batches, the server and a program that reads
 * the stream are killed with SIGKILL and started again, in turns. In the end the receiver has handled every event at least once, in the order of
 * the log, and the log is the same as its pages; what it handled again is counted.
 *
 *   node test/events/run.ts [--events 20000] [--kills 30] [--seed N]
 *
 * Kills go by progress and not by time: after so many events handled, each a moment later.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { chance } from '../client/chaos/chance.ts';
import { chainOf } from '../e2e/support/chain.ts';
import { call, freePort, Server } from '../e2e/support/server.ts';
import { endChild } from '../support/child-process.ts';
import { loadChain } from './load.ts';

/** A stream that brings nothing for this long, with the server up, has lost something. */
const STUCK_MS = 60_000;
const KILL_DELAY_MS = 150;
const LOOK_MS = 20;
const PAGE = 1000;

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '20000' },
    kills: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
  },
});
const [events, kills, seed] = [Number(values.events), Number(values.kills), Number(values.seed)];
const random = chance(seed);
const startedMs = performance.now();
const folder = mkdtempSync(path.join(tmpdir(), 'txledger-events-'));
const [handledFile, placeFile] = [path.join(folder, 'handled'), path.join(folder, 'place')];
const server = new Server({
  dataDir: path.join(folder, 'data'),
  port: await freePort(),
  variables: { BLOCK_INTERVAL_MS: '100', LOG_LEVEL: 'error', TXLEDGER_VALIDATE_RESPONSES: 'false' },
});
let receiver: ChildProcess | undefined;
let token = '';

/** So far, those that were handled again included. */
let handledCount = 0;

function startReceiver(): void {
  receiver = spawn(
    process.execPath,
    [path.join(import.meta.dirname, 'receiver.ts'), server.baseUrl, token, handledFile, placeFile],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  // One dot for each event.
  receiver.stdout?.on('data', (dots: Buffer) => (handledCount += dots.length));
}

/** Until the receiver has handled so many; false when nothing more came. */
async function handledBy(count: number): Promise<boolean> {
  let before = -1;
  for (let changedMs = performance.now(); ;) {
    if (handledCount >= count) return true;
    if (handledCount !== before) changedMs = performance.now();
    else if (performance.now() - changedMs > STUCK_MS) return false;
    before = handledCount;
    await sleep(LOOK_MS);
  }
}

async function killInTurns(): Promise<{ ofServer: number; ofReceiver: number }> {
  const done = { ofServer: 0, ofReceiver: 0 };
  for (let kill = 1; kill <= kills; kill += 1) {
    if (!(await handledBy(Math.floor((events * kill) / (kills + 1)))))
      throw new Error(`nothing came for ${STUCK_MS} ms after ${kill - 1} kills`);
    await sleep(random() * KILL_DELAY_MS);
    if (kill % 2 === 0) {
      done.ofServer += 1;
      await server.stop('SIGKILL');
      await server.start();
    } else {
      done.ofReceiver += 1;
      await endChild(receiver, 'SIGKILL');
      startReceiver();
    }
  }
  return done;
}

interface Handled {
  id: string;
  txHash: string;
}

/** Lives of the receiver, each with what it handled; the last line of a life may be cut off. */
function lives(): { from: string; handled: Handled[] }[] {
  const found: { from: string; handled: Handled[] }[] = [];
  for (const line of readFileSync(handledFile, 'latin1').split('\n')) {
    const [first = '', second = '', status] = line.split(' ');
    if (first === '=') found.push({ from: second, handled: [] });
    else if (status !== undefined && status !== '') found.at(-1)?.handled.push({ id: first, txHash: second });
  }
  return found;
}

/** As one number: heights are small, and a block has fewer than a million transactions. */
const orderOf = (id: string): number => {
  const [height = '0', index] = id.split('-');
  return Number(height) * 1e6 + (index === undefined ? 1e6 - 1 : Number(index));
};

async function logOfPages(): Promise<Handled[]> {
  const log: Handled[] = [];
  for (let cursor = ''; ;) {
    const { status, body } = await call(`${server.baseUrl}/events?after=0&order=asc&limit=${PAGE}${cursor}`, { token });
    if (status !== 200) throw new Error(`a page was answered ${status}: ${JSON.stringify(body)}`);
    for (const { id, data } of body.events) log.push({ id, txHash: data.transaction.txHash });
    if (body.nextCursor === undefined) return log;
    cursor = `&cursor=${body.nextCursor}`;
  }
}

try {
  await server.start();
  const chain = chainOf(server, await server.development());
  token = chain.dev.token;
  startReceiver();
  const [hashes, done] = await Promise.all([loadChain(chain, events), killInTurns()]);
  const log = await logOfPages();
  const last = log.at(-1)?.id;
  for (
    const endMs = performance.now() + STUCK_MS;
    performance.now() < endMs && lives().at(-1)?.handled.at(-1)?.id !== last;
  )
    await sleep(200);
  await endChild(receiver, 'SIGKILL');

  const all = lives();
  const handled = all.flatMap((life) => life.handled);
  const once = [...new Map(handled.map((each) => [each.id, each])).values()];
  const outOfOrder = all.flatMap((life) =>
    life.handled.filter(
      ({ id }, at) => orderOf(id) <= orderOf(at === 0 ? life.from : (life.handled[at - 1]?.id ?? '')),
    ),
  ).length;
  const seen = new Set(once.map(({ id }) => id));
  const lost = log.filter(({ id }) => !seen.has(id)).length;
  const paid = new Set(log.map(({ txHash }) => txHash));
  const unpaid = [...hashes].filter((hash) => !paid.has(hash)).length;
  const differs = once
    .toSorted((a, b) => orderOf(a.id) - orderOf(b.id))
    .some(({ id, txHash }, at) => log[at]?.id !== id || log[at]?.txHash !== txHash);
  console.log(
    `${log.length} events of ${hashes.size} transfers; ${done.ofServer} kills of the server, ${done.ofReceiver} of the receiver, ${all.length} lives of it: ` +
      `lost ${lost}, out of order ${outOfOrder}, handled again ${handled.length - once.length}, transfers without an event ${unpaid}, log and stream ${differs ? 'DIFFER' : 'agree'}; ${Math.round((performance.now() - startedMs) / 1000)} s`,
  );
  if (lost > 0 || outOfOrder > 0 || unpaid > 0 || differs || log.length !== events || hashes.size !== events)
    process.exitCode = 1;
} finally {
  await endChild(receiver, 'SIGKILL');
  await server.stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
