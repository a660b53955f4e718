/** The report of a run for people: one line a scenario and build, then the comparisons. */
import { BESIDE_TITLES, type Scenario } from '../scenarios/scenarios.ts';
import type { Figures, SpeedResult } from './result.ts';
import { EXPRESS, short, spreadText } from './summary.ts';

const COLUMNS: [title: string, figure: string][] = [
  ['a second', 'ratePerS'],
  ['CPU us', 'cpuUs'],
  ['p50 ms', 'p50Ms'],
  ['p99 ms', 'p99Ms'],
  ['disk B', 'diskBytes'],
  ['write calls', 'writeCalls'],
  ['fsyncs', 'syncs'],
  ['/livez ms', 'livezMaxMs'],
  ['RSS MiB', 'rssMib'],
  ['loader', 'loaderCores'],
  ['others', 'othersCores'],
];
const COMPARED: [title: string, figure: string][] = [
  ["of one core's verifications", 'ofOneCore'],
  ["of all cores' verifications", 'ofAllCores'],
  ['CPU in verifications', 'verifications'],
  ['of raw Express, rate', 'ofExpressRate'],
  ['of raw Express, CPU', 'ofExpressCpu'],
  ['p50 above raw Express, ms', 'p50AboveExpressMs'],
  ['of anvil', 'ofAnvil'],
  ['of kvstore, broadcast_tx_sync', 'ofKvstoreSync'],
  ['of kvstore, broadcast_tx_commit', 'ofKvstoreCommit'],
];

function threads(figures: Figures, prefix: string): string {
  const parts = Object.entries(figures).filter(([name]) => name.startsWith(prefix));
  return parts.map(([name, { median }]) => `${name.slice(prefix.length)} ${short(median)}`).join(', ');
}

export function reportText(result: SpeedResult, scenarios: readonly Pick<Scenario, 'name' | 'title'>[]): string {
  const lines: string[] = [];
  const titles: Record<string, string> = {
    ...Object.fromEntries(scenarios.map(({ name, title }) => [name, title])),
    ...BESIDE_TITLES,
  };
  const names = new Set(Object.values(result.figures).flatMap((byScenario) => Object.keys(byScenario)));
  lines.push(
    `Medians of ${result.options['rounds']} rounds; comparisons as median (min..max) of neighbouring phases. ${result.voidPhases} phases were void.${result.noisy ? ' NOISY: others used the machine.' : ''}`,
  );
  for (const missing of result.missing) lines.push(missing);
  for (const name of names) {
    lines.push('', titles[name] ?? name, `  ${''.padEnd(10)}${COLUMNS.map(([title]) => title.padStart(12)).join('')}`);
    for (const [build, byScenario] of Object.entries(result.figures)) {
      const figures = byScenario[name];
      if (figures === undefined) continue;
      lines.push(
        `  ${build.padEnd(10)}${COLUMNS.map(([, figure]) => (figures[figure] === undefined ? '-' : short(figures[figure].median)).padStart(12)).join('')}`,
      );
      const cpu = threads(figures, 'cpu.');
      const loops = threads(figures, 'loop.');
      if (build !== EXPRESS && cpu !== '')
        lines.push(
          `  ${''.padEnd(10)}  CPU us by thread: ${cpu}${loops === '' ? '' : `; event loop blocked at most, ms: ${loops}`}`,
        );
      for (const [title, figure] of COMPARED)
        if (figures[figure] !== undefined) lines.push(`  ${''.padEnd(10)}  ${title}: ${spreadText(figures[figure])}`);
    }
    const ratios = result.ratios[name];
    if (ratios !== undefined)
      lines.push(
        `  ${Object.keys(result.builds).join(' / ')}: ${Object.entries(ratios)
          .map(([figure, value]) => `${figure} ${spreadText(value)}`)
          .join(', ')}`,
      );
  }
  const found = result.correctness.reduce((total, { transfersFound }) => total + transfersFound, 0);
  const balances = result.correctness.reduce((total, { balancesCompared }) => total + balancesCompared, 0);
  lines.push(
    '',
    `Every one of ${found} acknowledged transfers was found, once and committed; ${balances} balances were recomputed and agree.`,
  );
  return lines.join('\n');
}
