/**
 * From phases to figures: the spread of each over the rounds, each phase beside the baselines of its own round, and two builds beside each
 * other. A ratio is always of neighbours, and the spread is that of the ratios: what else the machine did in a round met both.
 */
import { roundedSpread, spread, type Spread } from '../measure/statistics.ts';
import type { Limit } from '../sides/verification-limit.ts';
import { type Figures, flatFigures, type PhaseRow } from './result.ts';

export const EXPRESS = 'express';

/** round -> scenario -> the limit measured beside it. */
export type Limits = Map<string, Limit>;
export const limitKey = (round: number, scenario: string): string => `${round} ${scenario}`;

function spreadsOf(samples: readonly Record<string, number>[]): Figures {
  const names = new Set(samples.flatMap((sample) => Object.keys(sample)));
  const figures: Figures = {};
  for (const name of names) {
    const values = samples.map((sample) => sample[name]).filter((value) => value !== undefined && Number.isFinite(value)) as number[];
    if (values.length > 0) figures[name] = roundedSpread(spread(values));
  }
  return figures;
}

/** What a phase is, compared with raw Express and with the limit of verification in its round. */
function compared(row: PhaseRow, express: PhaseRow | undefined, limit: Limit | undefined): Record<string, number> {
  const { ratePerS = Number.NaN, cpuUs = Number.NaN, p50Ms = Number.NaN } = row;
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
  return figures;
}

export function figuresOf(phases: readonly PhaseRow[], limits: Limits): Record<string, Record<string, Figures>> {
  const counted = phases.filter(({ counts }) => counts);
  const figures: Record<string, Record<string, Figures>> = {};
  for (const { build, scenario } of counted) {
    if (figures[build]?.[scenario] !== undefined) continue;
    const rows = counted.filter((row) => row.build === build && row.scenario === scenario);
    const samples = rows.map((row) => {
      const express = build === EXPRESS ? undefined : counted.find((other) => other.build === EXPRESS && other.scenario === scenario && other.round === row.round);
      return { ...flatFigures(row), ...compared(row, express, limits.get(limitKey(row.round, scenario))) };
    });
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
      return other === undefined ? [] : [Object.fromEntries(RATIOS.map((name) => [name, (row[name] ?? Number.NaN) / (other[name] ?? Number.NaN)]))];
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
