/**
 * `npm run bench:scale`: what a growing history costs. Fills one server to 10,000, 100,000 and 1,000,000 transfers, a tenth of them to
 * accounts never seen before, and measures at each size what accepting, reading, starting and keeping take.
 *
 *   npm run bench:scale -- [--checkout DIR] [--name this] [--sizes 10000,100000,1000000] [--minutes 60] [--allow-noise] [--json FILE]
 *
 * Ten million on request: --sizes 10000,100000,1000000,10000000 --minutes 240. It fills by batches where the server has them, else over
 * 128 connections. When the minutes are over it stops filling and measures
 * the size that it reached. At the end everything is checked as
 * `npm run bench` does. `node test/bench/publish.ts` draws what --json
 * wrote into docs/bench.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../../scripts/steps.ts';
import { closedLoop } from './load/closed-loop.ts';
import { memoryOf } from './measure/process-facts.ts';
import { rounded } from './measure/statistics.ts';
import { syncsMissing } from './measure/syncs.ts';
import { thisMachine } from './report/machine.ts';
import { progress, progressEnd } from './report/progress.ts';
import { writeResult } from './report/recorded-results.ts';
import type { ScaleResult } from './report/result.ts';
import { short } from './report/summary.ts';
import { ACCEPTED, measurePoint } from './scale/points.ts';
import { checkEverything } from './sides/correctness.ts';
import { commitOf } from './sides/ledger-server.ts';
import { LedgerSession } from './sides/session.ts';
import type { SetName } from './transfers/payers.ts';
import { signedTransfers } from './transfers/signed.ts';

const { values } = parseArgs({
  options: {
    checkout: { type: 'string', default: ROOT },
    name: { type: 'string', default: 'this' },
    sizes: { type: 'string', default: '10000,100000,1000000' },
    minutes: { type: 'string', default: '60' },
    'allow-noise': { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});
const sizes = values.sizes
  .split(',')
  .map(Number)
  .toSorted((a, b) => a - b);
const MS_PER_MINUTE = 60_000;
const endMs = performance.now() + Number(values.minutes) * MS_PER_MINUTE;
const FRESH_SHARE = 10;
const SLICE = 20_000;
const BATCH = 1000;
const BATCH_CONNECTIONS = 4;
const FILL_CONNECTIONS = 128;
/** DESIGN names the memory after so many transfers through one process. */
const RSS_TRANSFERS = 200_000;

const largest = sizes.at(-1)!;
const needed = { known: largest + sizes.length * ACCEPTED, fresh: Math.ceil(largest / FRESH_SHARE) + BATCH };
const sign = (set: SetName) =>
  signedTransfers(set, needed[set], (done) =>
    progress(`signed ${done} of ${needed[set]} transfers (${set} receivers)`),
  );
const sets = { known: await sign('known'), fresh: await sign('fresh') };
const checkout = path.resolve(values.checkout);
const noSyncs = syncsMissing();
const result: ScaleResult = {
  kind: 'scale',
  recordedAt: new Date().toISOString(),
  machine: thisMachine(),
  noisy: values['allow-noise'],
  build: values.name,
  commit: commitOf(checkout),
  points: [],
};
const session = await LedgerSession.start(values.name, checkout, sets);
let rows = 0;
let sinceStart = 0;

async function fill(set: SetName, count: number): Promise<void> {
  const inBatches = session.hasBatch ? Math.floor(count / BATCH) : 0;
  const single = count - inBatches * BATCH;
  const sendings = [
    ...(inBatches > 0 ? [session.batches(inBatches, BATCH, Math.min(BATCH_CONNECTIONS, inBatches), set)] : []),
    ...(single > 0 ? [session.posts(set, single, FILL_CONNECTIONS)] : []),
  ];
  for (const { work, repair } of sendings) await repair(await closedLoop(work));
}

/** @returns false when the time was over before. */
async function fillTo(size: number): Promise<boolean> {
  while (rows < size) {
    if (performance.now() > endMs) return false;
    const count = Math.min(SLICE, size - rows);
    const fresh = Math.floor(count / FRESH_SHARE);
    await fill('fresh', fresh);
    await fill('known', count - fresh);
    await session.server.settled();
    rows += count;
    sinceStart += count;
    if (sinceStart >= RSS_TRANSFERS) result.rssAfter200000Mib ??= rounded(memoryOf(session.server.pid).rssMib);
    progress(`${rows} of ${largest} rows`);
  }
  return true;
}

try {
  for (const size of sizes) {
    const inTime = await fillTo(size);
    if (!inTime) progress(`${values.minutes} minutes are over: ${rows} rows are measured instead of ${size}`);
    const point = await measurePoint(session, {
      rows,
      accounts: session.sent.fresh,
      allowNoise: values['allow-noise'],
      countSyncs: noSyncs === undefined,
    });
    result.points.push(point);
    rows += ACCEPTED;
    sinceStart = 0;
    if (values.json !== undefined) writeResult(values.json, result);
    if (!inTime) break;
  }
  progress('looking every transfer and balance up');
  const checked = await checkEverything(session);
  if (values.json !== undefined) writeResult(values.json, result);
  progressEnd();
  for (const { rows: at, accept, reads, startMs, startRssMib, keptBytes } of result.points) {
    const read = Object.entries(reads).map(
      ([name, { cpuUs, p50Ms, p99Ms }]) => `${name} ${short(cpuUs)} us (p50 ${short(p50Ms)}, p99 ${short(p99Ms)} ms)`,
    );
    console.log(
      `${at} rows: accept ${short(accept.cpuUs)} us, ${short(accept.diskBytes)} B written; kept ${short(keptBytes)} B; start ${short(startMs.median)} ms, ${short(startRssMib)} MiB`,
    );
    console.log(`  ${read.join('; ')}`);
  }
  if (result.rssAfter200000Mib !== undefined)
    console.log(`RSS after ${RSS_TRANSFERS} transfers: ${result.rssAfter200000Mib} MiB`);
  console.log(
    `Every one of ${checked.transfersFound} acknowledged transfers was found; ${checked.balancesCompared} balances agree.`,
  );
} finally {
  await session.server.remove();
}
