/**
 * From phases to figures: the spread of each over the rounds, each phase beside the baselines of its own round, and two builds beside each
 * other. A ratio is always of neighbours, and the spread is that of the ratios: what else the machine did in a round met both.
 */
import { roundedSpread, spread, type Spread } from '../measure/statistics.ts';
import type { Limit } from '../sides/verification-limit.ts';
import { type Figures, flatFigures, type PhaseRow } from './result.ts';

export const EXPRESS = 'express';

/** By round and scenario: the limit measured beside it. */
export type Limits = Record<string, Limit>;
export const limitKey = (round: number, scenario: string): string => `${round} ${scenario}`;

function spreadsOf(samples: readonly Record<string, number>[]): Figures {
  const names = new Set(samples.flatMap((sample) => Object.keys(sample)));
  const figures: Figures = {};
  for (const name of names) {
    const values = samples
      .map((sample) => sample[name])
      .filter((value) => value !== undefined && Number.isFinite(value)) as number[];
    if (values.length > 0) figures[name] = roundedSpread(spread(values));
  }
  return figures;
}

/** Which peer's rate a scenario of ours is compared with, at the same number of connections. */
const PEERS: Record<string, Record<string, string>> = {
  'post-32': { ofAnvil: 'eth_sendRawTransaction', ofKvstoreSync: 'broadcast_tx_sync' },
  'post-128': { ofKvstoreCommit: 'broadcast_tx_commit' },
};

/** What a phase is, compared with the others of its round: raw Express, the limit of verification, peers. */
function compared(row: PhaseRow, others: readonly PhaseRow[], limit: Limit | undefined): Record<string, number> {
  const { ratePerS = Number.NaN, cpuUs = Number.NaN, p50Ms = Number.NaN } = row;
  const express =
    row.build === EXPRESS
      ? undefined
      : others.find(({ build, scenario }) => build === EXPRESS && scenario === row.scenario);
  const figures: Record<string, number> = {};
  if (limit !== undefined) {
    figures['ofOneCore'] = ratePerS / limit.oneCorePerS;
    figures['ofAllCores'] = ratePerS / limit.allCoresPerS;
    figures['verifications'] = cpuUs / limit.cpuUs;
    figures['verificationUs'] = limit.cpuUs;
  }
  if (express !== undefined) {
    figures['ofExpressRate'] = ratePerS / express.ratePerS!;
    figures['ofExpressCpu'] = express.cpuUs! / cpuUs;
    figures['p50AboveExpressMs'] = p50Ms - express.p50Ms!;
  }
  for (const [figure, scenario] of row.build === EXPRESS ? [] : Object.entries(PEERS[row.scenario] ?? {})) {
    const peer = others.find((other) => other.scenario === scenario);
    if (peer !== undefined) figures[figure] = ratePerS / peer.ratePerS!;
  }
  return figures;
}

export function figuresOf(phases: readonly PhaseRow[], limits: Limits): Record<string, Record<string, Figures>> {
  const counted = phases.filter(({ counts }) => counts);
  const figures: Record<string, Record<string, Figures>> = {};
  for (const { build, scenario } of counted) {
    if (figures[build]?.[scenario] !== undefined) continue;
    const rows = counted.filter((row) => row.build === build && row.scenario === scenario);
    const samples = rows.map((row) => ({
      ...flatFigures(row),
      ...compared(
        row,
        counted.filter(({ round }) => round === row.round),
        limits[limitKey(row.round, scenario)],
      ),
    }));
    (figures[build] ??= {})[scenario] = spreadsOf(samples);
  }
  return figures;
}

const RATIOS = ['ratePerS', 'cpuUs', 'p50Ms', 'p99Ms', 'diskBytes', 'writeCalls', 'rssMib'] as const;

/** first / second, of phases of one round. */
export function ratiosOf(phases: readonly PhaseRow[], first: string, second: string): Record<string, Figures> {
  const counted = phases.filter(({ counts }) => counts);
  const ratios: Record<string, Figures> = {};
  for (const scenario of new Set(counted.map((row) => row.scenario))) {
    const of = (build: string): PhaseRow[] => counted.filter((row) => row.build === build && row.scenario === scenario);
    const others = of(second);
    const samples = of(first).flatMap((row) => {
      const other = others.find(({ round }) => round === row.round);
      return other === undefined
        ? []
        : [Object.fromEntries(RATIOS.map((name) => [name, (row[name] ?? Number.NaN) / (other[name] ?? Number.NaN)]))];
    });
    if (samples.length > 0) ratios[scenario] = spreadsOf(samples);
  }
  return ratios;
}

export function spreadText({ min, median, max }: Spread): string {
  return `${short(median)} (${short(min)}..${short(max)})`;
}

export function short(value: number): string {
  if (Math.abs(value) >= 100) return value.toFixed(0);
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2);
}
