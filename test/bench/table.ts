/** `node test/bench/table.ts` prints the table of what the ledger must reach, with a column for each build that docs/bench has results of. */
import { markdownTable } from './documents.ts';
import { GOALS } from './report/goals.ts';
import { type Build, buildsOf, readResults } from './report/recorded-results.ts';
import { short } from './report/summary.ts';

function circumstances({ name, commits, speed, scale, network }: Build): string {
  const runs = [
    speed &&
      `${speed.options['rounds']} rounds of \`npm run bench\` (${commits.speed}), ${speed.voidPhases} of ${speed.phases.length} phases void${speed.noisy ? ' but for --allow-noise' : ''}`,
    scale && `\`npm run bench:scale\` (${commits.scale})`,
    network && `\`npm run bench:network\` (${commits.network}), others took ${short(network.othersCores)} cores`,
  ];
  const machine = (speed ?? scale)?.machine;
  const noisy =
    (speed?.noisy ?? false) || (scale?.noisy ?? false)
      ? ' **Noisy: others used the machine meanwhile, so rates and latencies say less than the ratios of CPU.**'
      : '';
  return `- ${name}: ${runs.filter((run) => run !== undefined).join('; ')}; ${machine?.cores} cores, ${machine?.processor}, Node.js ${machine?.node}.${noisy}`;
}

export function performanceTable(builds: readonly Build[]): string {
  const rows = GOALS.map(({ what, least, moonshot, value }) => [
    what,
    least,
    moonshot,
    ...builds.map((build) => value(build) ?? 'not measured'),
  ]);
  const table = markdownTable(['What', 'At least', 'Moonshot', ...builds.map(({ name }) => name)], rows);
  return `${table}\n\nMedian (least..greatest) of the rounds.\n\n${builds.map(circumstances).join('\n')}`;
}

if (import.meta.main) console.log(performanceTable(buildsOf(readResults())));
