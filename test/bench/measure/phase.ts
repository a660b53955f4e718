/** One phase: a load on one process, with all that the process used meanwhile and whether the phase counts. */
import type { LoadResult } from '../load/load-result.ts';
import { eventLoopMaxMs, probeLiveness } from './event-loops.ts';
import { memoryOf, writtenBy } from './process-facts.ts';
import { machineUs, sum, threadTimes, usedBetween } from './processor.ts';
import { percentile, rounded } from './statistics.ts';
import { countSyncs } from './syncs.ts';
import { counts, voidBecause } from './validity.ts';

const MS_PER_S = 1000;
const US_PER_MS = 1000;

export interface PhaseFigures {
  operations: number;
  ratePerS: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
  /** Processor time of all threads of the server for one operation, until what it started is settled. */
  cpuUs: number;
  threadsUs: Record<string, number>;
  diskBytes: number;
  callBytes: number;
  writeCalls: number;
  /** For one operation; absent where they cannot be counted. */
  syncs?: number;
  /** By thread, as /metrics exports them; absent for a baseline. */
  eventLoopMaxMs?: Record<string, number>;
  /** The slowest answer of /livez, 20 a second beside the load. */
  livezMaxMs?: number;
  rssMib: number;
  rssPeakMib: number;
  loaderCores: number;
  othersCores: number;
}

export interface Phase {
  figures: PhaseFigures;
  /** Why it is void; empty when it is not. */
  void: string[];
  counts: boolean;
  load: LoadResult;
}

export interface PhaseOptions {
  pid: number;
  load(): Promise<LoadResult>;
  /** How many operations one request is, as for a batch. */
  operationsPerRequest?: number;
  /** Waits for what the load has started, as blocks after the answers. */
  settle?(): Promise<void>;
  /** A server of ours, which has /metrics and /livez. */
  ledger?: { port: number; baseUrl: string };
  allowNoise: boolean;
  countSyncs: boolean;
}

export async function measurePhase(options: PhaseOptions): Promise<Phase> {
  const { pid, ledger, operationsPerRequest = 1 } = options;
  if (ledger !== undefined) await eventLoopMaxMs(ledger.baseUrl);
  const probe = ledger === undefined ? undefined : await probeLiveness(ledger.port);
  const syncCounter = options.countSyncs ? countSyncs(pid) : undefined;
  const threads = threadTimes(pid);
  const written = writtenBy(pid);
  const machine = machineUs();
  const own = process.cpuUsage();
  const startedMs = performance.now();

  const load = await options.load();
  const used = process.cpuUsage(own);
  const loaderUs = used.user + used.system;
  const spanUs = (performance.now() - startedMs) * US_PER_MS;
  const othersUs = Math.max(0, machineUs() - machine - loaderUs - sum(usedBetween(threads, threadTimes(pid))));
  const livezMaxMs = probe?.stop();

  await options.settle?.();
  const threadsUs = usedBetween(threads, threadTimes(pid));
  const writtenAfter = writtenBy(pid);
  const syncs = await syncCounter?.stop();
  const lags = ledger === undefined ? undefined : await eventLoopMaxMs(ledger.baseUrl);
  const memory = memoryOf(pid);

  const operations = load.count * operationsPerRequest;
  const each = (value: number): number => rounded(value / operations);
  const loaderCores = loaderUs / spanUs;
  const othersCores = othersUs / spanUs;
  const circumstances = { refused: load.refused.length, loaderCores, othersCores };
  const reasons = voidBecause(circumstances);
  const figures: PhaseFigures = {
    operations,
    ratePerS: rounded(operations / (load.wallMs / MS_PER_S)),
    p50Ms: rounded(percentile(load.latenciesMs, 0.5)),
    p99Ms: rounded(percentile(load.latenciesMs, 0.99)),
    maxMs: rounded(percentile(load.latenciesMs, 1)),
    cpuUs: each(sum(threadsUs)),
    threadsUs: Object.fromEntries(Object.entries(threadsUs).map(([group, us]) => [group, each(us)])),
    diskBytes: each(writtenAfter.diskBytes - written.diskBytes),
    callBytes: each(writtenAfter.callBytes - written.callBytes),
    writeCalls: each(writtenAfter.calls - written.calls),
    ...(syncs === undefined ? {} : { syncs: each(syncs) }),
    ...(lags === undefined
      ? {}
      : { eventLoopMaxMs: Object.fromEntries(Object.entries(lags).map(([thread, ms]) => [thread, rounded(ms)])) }),
    ...(livezMaxMs === undefined ? {} : { livezMaxMs: rounded(livezMaxMs) }),
    rssMib: rounded(memory.rssMib),
    rssPeakMib: rounded(memory.peakMib),
    loaderCores: rounded(loaderCores),
    othersCores: rounded(othersCores),
  };
  return { figures, void: reasons, counts: counts(reasons, circumstances, options.allowNoise), load };
}
