/** The file that a run writes, and what the tables, charts and the model read. */
import type { PhaseFigures } from '../measure/phase.ts';
import type { Spread } from '../measure/statistics.ts';
import type { ScalePoint } from '../scale/points.ts';
import type { Limit } from '../sides/verification-limit.ts';

export interface Machine {
  cores: number;
  processor: string;
  memoryGib: number;
  node: string;
}

/** One phase, without its single latencies. */
export interface PhaseRow extends Partial<PhaseFigures> {
  round: number;
  build: string;
  scenario: string;
  attempt: number;
  void: string[];
  counts: boolean;
}

/** Names of figures: those of a phase, and those that compare it with a baseline of its round. */
export type Figures = Record<string, Spread>;

export interface SpeedResult {
  kind: 'speed';
  recordedAt: string;
  machine: Machine;
  /** Whether phases counted in spite of others' work on the machine. */
  noisy: boolean;
  options: Record<string, number>;
  /** Build -> the commit that was measured. */
  builds: Record<string, string>;
  /** What could not be measured, and why. */
  missing: string[];
  phases: PhaseRow[];
  /** By round and scenario, measured right before it. */
  limits: Record<string, Limit>;
  voidPhases: number;
  /** build -> scenario -> figure; the raw Express server is `express`, each peer has its own name. */
  figures: Record<string, Record<string, Figures>>;
  /** First build / second build, of neighbouring phases: scenario -> figure. */
  ratios: Record<string, Figures>;
  correctness: { round: number; build: string; transfersFound: number; balancesCompared: number }[];
}

export interface ScaleResult {
  kind: 'scale';
  recordedAt: string;
  machine: Machine;
  noisy: boolean;
  build: string;
  commit: string;
  points: ScalePoint[];
  /** Resident memory after so many transfers through one process; absent when no process took so many. */
  rssAfter200000Mib?: number;
}

/** What a side of `npm run bench:network` did and cost. */
export interface NetworkSide {
  title: string;
  /** `acceptedPerS`, `committedPerS`, `p50Ms`, `p99Ms`, `cpuUs`, `cpuVerifications`. */
  figures: Figures;
  /** side / bare, of one round: `accepted`, `committed`, `cpu`. Absent for bare itself. */
  ofBare?: Figures;
  /** Microseconds of a transaction: process -> thread. Processes of one kind are added up. */
  threadsUs: Record<string, Record<string, number>>;
}

/** The cometbft engine beside a bare node, from `npm run bench:network`. */
export interface NetworkResult {
  kind: 'network';
  recordedAt: string;
  machine: Machine;
  build: string;
  commit: string;
  /** What other programs took of the machine, median of the phases. */
  othersCores: number;
  /** One node with one gateway / bare. */
  ratios: Record<'accepted' | 'committed' | 'cpu', Spread>;
  /** Microseconds of a transaction with one node: process (`node`, `application`, `gateway`, `bare`) -> thread. */
  threadsUs: Record<string, Record<string, number>>;
  /** All that were measured; absent in results of builds before it. */
  sides?: Record<string, NetworkSide>;
}

/** What one scenario costs: thread -> piece -> microseconds of an operation. */
export interface ScenarioPieces {
  title: string;
  /** Processor time of one verification by node:crypto, measured before it. */
  verificationUs: number;
  threads: Record<string, Record<string, number>>;
}

/** From `npm run bench:pieces`. */
export interface PiecesResult {
  kind: 'pieces';
  recordedAt: string;
  machine: Machine;
  build: string;
  commit: string;
  scenarios: Record<string, ScenarioPieces>;
}

export type Result = SpeedResult | ScaleResult | NetworkResult | PiecesResult;

/** Threads' shares of a phase read as `cpu.main`, `cpu.v8`; the event loops' as `loop.main`. */
export function flatFigures(row: PhaseRow): Record<string, number> {
  const flat: Record<string, number> = {};
  for (const [name, value] of Object.entries(row))
    if (typeof value === 'number' && !['round', 'attempt'].includes(name)) flat[name] = value;
  for (const [thread, us] of Object.entries(row.threadsUs ?? {})) flat[`cpu.${thread}`] = us;
  for (const [thread, ms] of Object.entries(row.eventLoopMaxMs ?? {})) flat[`loop.${thread}`] = ms;
  return flat;
}
