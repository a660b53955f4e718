/**
 * Whose memory a busy service's is: sends transfers by batches (or one by one) and says at each point how much is resident, and of that what
 * each thread's heap has, what is mapped from files, and what is left for allocators, SQLite's caches and stacks.
 *
 *   node test/bench/memory.ts [--checkout DIR] [--transfers 200000] [--batch 1000] [--connections 4] [--idle 15]
 *
 * --batch 1 sends one by one over 128 connections. `npm run bench:scale` records the figure of docs/PERFORMANCE.md.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ROOT } from '../../scripts/steps.ts';
import { closedLoop } from './load/closed-loop.ts';
import { PROBE_FOLDER, type ThreadMemory } from './measure/memory-probe.ts';
import { LedgerSession } from './sides/session.ts';
import { signedTransfers } from './transfers/signed.ts';

const { values } = parseArgs({
  options: {
    checkout: { type: 'string', default: ROOT },
    transfers: { type: 'string', default: '200000' },
    batch: { type: 'string', default: '1000' },
    connections: { type: 'string' },
    idle: { type: 'string', default: '15' },
  },
});
const transfers = Number(values.transfers);
const batch = Number(values.batch);
const connections = Number(values.connections ?? (batch === 1 ? 128 : 4));
const SLICE = 20_000;
const MS_PER_S = 1000;
const KIB_PER_MIB = 1024;
/** Linux's USER_HZ is 100 everywhere. */
const MS_PER_TICK = 10;

const probes = mkdtempSync(path.join(tmpdir(), 'txledger-memory-'));
const sets = {
  known: await signedTransfers('known', transfers, () => undefined),
  fresh: await signedTransfers('fresh', 0, () => undefined),
};
const session = await LedgerSession.start('this', path.resolve(values.checkout), sets, {
  NODE_OPTIONS: `--import=${path.join(import.meta.dirname, 'measure', 'memory-probe.ts')}`,
  [PROBE_FOLDER]: probes,
});

function residentMib(): { all: number; files: number } {
  const status = readFileSync(`/proc/${session.server.pid}/status`, 'utf8');
  const mib = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / KIB_PER_MIB;
  return { all: mib('VmRSS'), files: mib('RssFile') + mib('RssShmem') };
}

/** User and system time so far. */
function processorMs(): number {
  const [, user, system] =
    /\) (?:\S+ ){11}(\d+) (\d+)/.exec(readFileSync(`/proc/${session.server.pid}/stat`, 'utf8')) ?? [];
  return (Number(user) + Number(system)) * MS_PER_TICK;
}

function print(point: string): void {
  const threads = readdirSync(probes)
    .filter((name) => !name.endsWith('.tmp'))
    .map((name) => JSON.parse(readFileSync(path.join(probes, name), 'utf8')) as ThreadMemory);
  const { all, files } = residentMib();
  const known = threads.reduce((sum, { heapMib, externalMib }) => sum + heapMib + externalMib, files);
  const of = threads.map(
    ({ thread, heapMib, usedMib, externalMib }) =>
      `${thread} ${heapMib.toFixed(0)} (${usedMib.toFixed(0)} used) + ${externalMib.toFixed(0)}`,
  );
  console.log(
    `${point.padEnd(12)} RSS ${all.toFixed(0).padStart(4)} MiB: heaps + external: ${of.join(', ')}; files ${files.toFixed(0)}; the rest ${(all - known).toFixed(0)}`,
  );
}

try {
  await sleep(2 * MS_PER_S);
  print('idle');
  const startedMs = processorMs();
  for (let sent = 0; sent < transfers; sent += SLICE) {
    const count = Math.min(SLICE, transfers - sent);
    const { work, repair } =
      batch === 1
        ? session.posts('known', count, connections)
        : session.batches(Math.floor(count / batch), batch, connections);
    await repair(await closedLoop(work));
    await session.server.settled();
    print(String(sent + count));
  }
  console.log(`${(((processorMs() - startedMs) * 1000) / transfers).toFixed(0)} us of processor time a transfer`);
  await sleep(Number(values.idle) * MS_PER_S);
  print(`+ ${values.idle} s`);
} finally {
  await session.server.remove();
  rmSync(probes, { recursive: true, force: true });
}
