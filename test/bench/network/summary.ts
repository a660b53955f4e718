/** From the rounds of each side to its figures, each side beside the bare node of the same round, and the report for people. */
import { rounded, roundedSpread, spread } from '../measure/statistics.ts';
import { sum } from '../measure/processor.ts';
import type { Figures, NetworkSide } from '../report/result.ts';
import { short, spreadText } from '../report/summary.ts';
import type { RoundFigures } from './side.ts';

export interface MeasuredSide {
  name: string;
  title: string;
  rounds: readonly RoundFigures[];
}

const KEPT = ['acceptedPerS', 'committedPerS', 'p50Ms', 'p99Ms', 'cpuUs', 'cpuVerifications', 'loaderCores'] as const;
const RATIOS = { accepted: 'acceptedPerS', committed: 'committedPerS', cpu: 'cpuUs' } as const;

const spreadOf = (values: readonly number[]) => roundedSpread(spread(values));

function threadsOf(rounds: readonly RoundFigures[]): NetworkSide['threadsUs'] {
  const [first] = rounds;
  return Object.fromEntries(
    Object.entries(first!.threadsUs).map(([process, threads]) => [
      process,
      Object.fromEntries(
        Object.keys(threads).map((thread) => [
          thread,
          rounded(spread(rounds.map(({ threadsUs }) => threadsUs[process]?.[thread] ?? 0)).median),
        ]),
      ),
    ]),
  );
}

export function sidesOf(measured: readonly MeasuredSide[]): Record<string, NetworkSide> {
  const bare = measured.find(({ name }) => name === 'bare');
  return Object.fromEntries(
    measured.map(({ name, title, rounds }) => {
      const figures: Figures = Object.fromEntries(
        KEPT.map((figure) => [figure, spreadOf(rounds.map((round) => round[figure]))]),
      );
      const ofBare: Figures | undefined =
        bare === undefined || bare.name === name
          ? undefined
          : Object.fromEntries(
              Object.entries(RATIOS).map(([ratio, figure]) => [
                ratio,
                spreadOf(rounds.map((round, at) => round[figure] / bare.rounds[at]![figure])),
              ]),
            );
      return [name, { title, figures, ...(ofBare && { ofBare }), threadsUs: threadsOf(rounds) }];
    }),
  );
}

export function networkText(
  sides: Record<string, NetworkSide>,
  run: { rounds: number; count: number; connections: number; batchConnections: number; othersCores: number },
): string {
  const lines = [
    `Medians of ${run.rounds} rounds of ${run.count} transactions over ${run.connections} connections, batches over ${run.batchConnections}; comparisons as median (min..max) of neighbouring phases. Others took ${short(run.othersCores)} cores.`,
  ];
  for (const [name, { title, figures, ofBare, threadsUs }] of Object.entries(sides)) {
    const of = (figure: string): string => short(figures[figure]!.median);
    lines.push(
      '',
      `${name}: ${title}`,
      `  ${of('acceptedPerS')} acknowledged a second, ${of('committedPerS')} committed; acknowledged after p50 ${of('p50Ms')} ms, p99 ${of('p99Ms')} ms; CPU ${of('cpuUs')} us a transaction, ${of('cpuVerifications')} verifications`,
    );
    if (ofBare !== undefined)
      lines.push(
        `  of bare: ${Object.entries(ofBare)
          .map(([ratio, value]) => `${ratio} ${spreadText(value)}`)
          .join(', ')}`,
      );
    for (const [process, threads] of Object.entries(threadsUs)) {
      const parts = Object.entries(threads).filter(([, us]) => us >= 0.5);
      const detail = parts.length > 1 ? `: ${parts.map(([thread, us]) => `${thread} ${short(us)}`).join(', ')}` : '';
      lines.push(`  ${process} ${short(sum(threads))} us${detail}`);
    }
  }
  return lines.join('\n');
}
