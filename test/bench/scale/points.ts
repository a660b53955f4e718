/** What is measured at one size of the history. */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { closedLoop } from '../load/closed-loop.ts';
import { measurePhase, type PhaseFigures } from '../measure/phase.ts';
import { memoryOf } from '../measure/process-facts.ts';
import { threadTimes } from '../measure/processor.ts';
import { rounded, roundedSpread, spread, type Spread } from '../measure/statistics.ts';
import { progress } from '../report/progress.ts';
import { walkList } from '../sides/correctness.ts';
import type { LedgerServer } from '../sides/ledger-server.ts';
import type { LedgerSession } from '../sides/session.ts';
import { PAYERS } from '../transfers/payers.ts';

export const ACCEPTED = 5000;
const ACCEPT_CONNECTIONS = 32;
const READS = 1000;
/** A server that has just begun compiles what it does often; and one phase is short. */
const WARM_UP_READS = 2000;
const READ_PHASES = 3;
const READ_CONNECTIONS = 8;
/** Each search reserves room for its answer, and one client has room for a few at a time. */
const SEARCH_CONNECTIONS = 2;
const IDS = 500;
const STARTS = 3;
const US_PER_MS = 1000;

export type ReadFigures = Pick<PhaseFigures, 'ratePerS' | 'cpuUs' | 'p50Ms' | 'p99Ms' | 'othersCores'>;

export interface ScalePoint {
  rows: number;
  accounts: number;
  accept: PhaseFigures;
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
  const list = (cursor: string | undefined): string[] => [`/transactions?limit=10${cursor === undefined ? '' : `&cursor=${cursor}`}`];
  const { sets, sent } = session;
  const addresses = PAYERS.known.map(({ address }) => address);
  return {
    'list head': list(undefined),
    'list middle': list(middle),
    'list oldest': list(oldest),
    'by id': Array.from({ length: IDS }, (_, at) => `/transactions/${sets.known.hash(Math.floor((at * sent.known) / IDS))}`),
    'account list': addresses.map((address) => `/transactions?account=${address}&limit=10`),
    // The contract has room for it; a build without it is not measured there.
    ...((await session.server.has('/accounts/{address}/entries')) ? { statement: addresses.map((address) => `/accounts/${address}/entries?limit=10`) } : {}),
    tx_search: addresses.map((address) => `/rpc/tx_search?query=${encodeURIComponent(`"transfer.from='${address}'"`)}&per_page=10&order_by=${encodeURIComponent('"desc"')}`),
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
  return { startMs: roundedSpread(spread(startMs)), startCpuMs: roundedSpread(spread(cpuMs)), startRssMib: rounded(spread(rss).median) };
}

export async function measurePoint(session: LedgerSession, options: { rows: number; accounts: number; allowNoise: boolean; countSyncs: boolean }): Promise<ScalePoint> {
  const { server } = session;
  const { rows, accounts, allowNoise } = options;
  progress(`${rows} rows: accepting ${ACCEPTED} more`);
  const { work, repair } = session.posts('known', ACCEPTED, ACCEPT_CONNECTIONS);
  const accepted = await measurePhase({ pid: server.pid, load: () => closedLoop(work), settle: () => server.settled(), ledger: server, allowNoise, countSyncs: options.countSyncs });
  await repair(accepted.load);

  progress(`${rows} rows: walking the list`);
  const reads: Record<string, ReadFigures> = {};
  for (const [name, paths] of Object.entries(await pathsOf(session, rows))) {
    progress(`${rows} rows: ${name}`);
    const connections = name === 'tx_search' ? SEARCH_CONNECTIONS : READ_CONNECTIONS;
    await closedLoop(session.reads(paths, WARM_UP_READS, connections));
    const phases: ReadFigures[] = [];
    for (let phase = 0; phase < READ_PHASES; phase += 1) {
      const { load, figures } = await measurePhase({ pid: server.pid, load: () => closedLoop(session.reads(paths, READS, connections)), allowNoise, countSyncs: false });
      if (load.refused.length > 0) throw new Error(`${name}: ${JSON.stringify(load.refusals)}`);
      const { ratePerS, cpuUs, p50Ms, p99Ms, othersCores } = figures;
      phases.push({ ratePerS, cpuUs, p50Ms, p99Ms, othersCores });
    }
    // The one in the middle, by what is compared.
    reads[name] = phases.toSorted((a, b) => a.cpuUs - b.cpuUs)[READ_PHASES >> 1]!;
  }
  progress(`${rows} rows: starting ${STARTS} times`);
  const started = await starts(server);
  await server.halt();
  const keptBytes = rounded(bytesBelow(server.dataDir) / (rows + ACCEPTED));
  await server.launch();
  return { rows, accounts, accept: accepted.figures, reads, ...started, keptBytes };
}
