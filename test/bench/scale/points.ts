/** What is measured at one size of the history. */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { closedLoop } from '../load/closed-loop.ts';
import type { LoadResult } from '../load/load-result.ts';
import { measurePhase, type PhaseFigures } from '../measure/phase.ts';
import { memoryOf } from '../measure/process-facts.ts';
import { threadTimes } from '../measure/processor.ts';
import { rounded, roundedSpread, spread, type Spread } from '../measure/statistics.ts';
import { progress } from '../report/progress.ts';
import { walkList } from '../sides/correctness.ts';
import type { LedgerServer } from '../sides/ledger-server.ts';
import type { LedgerSession } from '../sides/session.ts';
import { VerificationLimit } from '../sides/verification-limit.ts';
import { PAYERS } from '../transfers/payers.ts';

export const ACCEPTED = 5000;
const ACCEPT_CONNECTIONS = 32;
/** Half a second and more: in a tenth of one a single collection of garbage decides what a read takes. */
const READS = 4000;
/** A server that has just begun compiles what it does often, and was started again at the size before. */
const WARM_UP_READS = 8000;
/** All reads in turns, so often. */
const READ_ROUNDS = 5;
const LIMIT_MS = 100;
const READ_CONNECTIONS = 8;
/** Each search reserves room for its answer, and one client has room for a few at a time. */
const SEARCH_CONNECTIONS = 2;
const IDS = 500;
const STARTS = 3;
const US_PER_MS = 1000;

export interface ReadFigures extends Pick<PhaseFigures, 'ratePerS' | 'cpuUs' | 'p50Ms' | 'p99Ms' | 'othersCores'> {
  /** Its processor time in verifications by node:crypto, measured right before: a machine is not as fast at the last size as at the first. Absent in earlier results. */
  verifications?: number;
  /** Absent in earlier results. */
  threadsUs?: PhaseFigures['threadsUs'];
}

export interface ScalePoint {
  rows: number;
  accounts: number;
  accept: PhaseFigures;
  /** Processor time of a transfer in verifications. Absent in earlier results. */
  acceptVerifications?: number;
  reads: Record<string, ReadFigures>;
  startMs: Spread;
  /** Processor time of a start, all threads. */
  startCpuMs: Spread;
  /** Right after a start. */
  startRssMib: number;
  /** All files of the data folder after an orderly end, for each row. */
  keptBytes: number;
}

/** Paths of each read; the cursors come from a walk over the whole list. */
async function pathsOf(session: LedgerSession, rows: number): Promise<Record<string, string[]>> {
  let seen = 0;
  let middle: string | undefined;
  let oldest: string | undefined;
  await walkList(session, (page, cursor) => {
    if (seen < rows / 2) middle = cursor;
    oldest = cursor;
    seen += page.length;
  });
  const list = (cursor: string | undefined): string[] => [
    `/transactions?limit=10${cursor === undefined ? '' : `&cursor=${cursor}`}`,
  ];
  const { sets, sent } = session;
  const addresses = PAYERS.known.map(({ address }) => address);
  return {
    'list head': list(undefined),
    'list middle': list(middle),
    'list oldest': list(oldest),
    'by id': Array.from(
      { length: IDS },
      (_, at) => `/transactions/${sets.known.hash(Math.floor((at * sent.known) / IDS))}`,
    ),
    'account list': addresses.map((address) => `/transactions?account=${address}&limit=10`),
    // The contract has room for it; a build without it is not measured there.
    ...((await session.server.has('/accounts/{address}/entries'))
      ? { statement: addresses.map((address) => `/accounts/${address}/entries?limit=10`) }
      : {}),
    tx_search: addresses.map(
      (address) =>
        `/rpc/tx_search?query=${encodeURIComponent(`"transfer.from='${address}'"`)}&per_page=10&order_by=${encodeURIComponent('"desc"')}`,
    ),
  };
}

/** Bytes on disk below a folder. What Node.js compiled is no part of the history. */
export function bytesBelow(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((total, entry) => {
    const where = path.join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'compile-cache' ? total : total + bytesBelow(where);
    return total + statSync(where).size;
  }, 0);
}

async function starts(server: LedgerServer): Promise<Pick<ScalePoint, 'startMs' | 'startCpuMs' | 'startRssMib'>> {
  const startMs: number[] = [];
  const cpuMs: number[] = [];
  const rss: number[] = [];
  for (let time = 0; time < STARTS; time += 1) {
    await server.halt();
    startMs.push(await server.launch());
    cpuMs.push([...threadTimes(server.pid).values()].reduce((total, { us }) => total + us, 0) / US_PER_MS);
    rss.push(memoryOf(server.pid).rssMib);
  }
  return {
    startMs: roundedSpread(spread(startMs)),
    startCpuMs: roundedSpread(spread(cpuMs)),
    startRssMib: rounded(spread(rss).median),
  };
}

export async function measurePoint(
  session: LedgerSession,
  options: { rows: number; accounts: number; allowNoise: boolean; countSyncs: boolean },
): Promise<ScalePoint> {
  const { server } = session;
  const { rows, accounts, allowNoise } = options;
  progress(`${rows} rows: accepting ${ACCEPTED} more`);
  const { work, repair } = session.posts('known', ACCEPTED, ACCEPT_CONNECTIONS);
  const limit = new VerificationLimit();
  try {
    const { cpuUs: verificationUs } = await limit.measure(LIMIT_MS);
    const accepted = await measurePhase({
      pid: server.pid,
      load: () => closedLoop(work),
      settle: () => server.settled(),
      ledger: server,
      allowNoise,
      countSyncs: options.countSyncs,
    });
    await repair(accepted.load);
    const reads = await measureReads(session, rows, limit, allowNoise);
    progress(`${rows} rows: starting ${STARTS} times`);
    const started = await starts(server);
    await server.halt();
    const keptBytes = rounded(bytesBelow(server.dataDir) / (rows + ACCEPTED));
    await server.launch();
    return {
      rows,
      accounts,
      accept: accepted.figures,
      acceptVerifications: rounded(accepted.figures.cpuUs / verificationUs),
      reads,
      ...started,
      keptBytes,
    };
  } finally {
    await limit.stop();
  }
}

/** Of each read the phase in the middle, by what is compared. */
async function measureReads(
  session: LedgerSession,
  rows: number,
  limit: VerificationLimit,
  allowNoise: boolean,
): Promise<Record<string, ReadFigures>> {
  progress(`${rows} rows: walking the list`);
  const paths = Object.entries(await pathsOf(session, rows));
  const connectionsOf = (name: string): number => (name === 'tx_search' ? SEARCH_CONNECTIONS : READ_CONNECTIONS);
  for (const [name, asked] of paths) await closedLoop(session.reads(asked, WARM_UP_READS, connectionsOf(name)));
  const phases: Record<string, (ReadFigures & { verifications: number })[]> = {};
  for (let round = 0; round < READ_ROUNDS; round += 1) {
    for (const [name, asked] of paths) {
      progress(`${rows} rows: ${name}`);
      const { cpuUs: verificationUs } = await limit.measure(LIMIT_MS);
      const load = (): Promise<LoadResult> => closedLoop(session.reads(asked, READS, connectionsOf(name)));
      const phase = await measurePhase({ pid: session.server.pid, load, allowNoise, countSyncs: false });
      if (phase.load.refused.length > 0) throw new Error(`${name}: ${JSON.stringify(phase.load.refusals)}`);
      const { ratePerS, cpuUs, threadsUs, p50Ms, p99Ms, othersCores } = phase.figures;
      (phases[name] ??= []).push({
        ratePerS,
        cpuUs,
        threadsUs,
        verifications: rounded(cpuUs / verificationUs),
        p50Ms,
        p99Ms,
        othersCores,
      });
    }
  }
  return Object.fromEntries(
    Object.entries(phases).map(([name, found]) => [
      name,
      found.toSorted((a, b) => a.verifications - b.verifications)[READ_ROUNDS >> 1]!,
    ]),
  );
}
