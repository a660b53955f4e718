/** `node test/bench/model.ts` prints what the measured costs make of 1, 2, 4, 16 and 64 cores, and of a network of four. */
import { CORES, type Costs, onNetwork, onOneMachine, type NetworkCosts, perProcess, VALIDATORS } from './cost-model.ts';
import { markdownTable } from './documents.ts';
import { type Build, buildsOf, readResults } from './report/recorded-results.ts';
import { short } from './report/summary.ts';

/** The build before HTTP_THREADS. */
const ONE_HTTP_THREAD = ['97c6cf1'];
const SCENARIOS: Record<string, string> = {
  'post-128': 'one by one, 128 connections',
  'batch-1000': 'batches of 1,000',
};
/** The side of `npm run bench:network` with the load on both of its gateways. */
const WHOLE = 'network-2';
const GATEWAYS = 2;
const TOGETHER = 100;

/** Processor time by thread, the medians of the rounds. */
function costsOf({ name, commits, speed }: Build, scenario: string): Costs | undefined {
  const figures = speed?.figures[name]?.[scenario];
  if (figures === undefined) return undefined;
  const threads = Object.entries(figures).filter(([figure]) => figure.startsWith('cpu.'));
  return {
    threadsUs: Object.fromEntries(threads.map(([figure, { median }]) => [figure.slice('cpu.'.length), median])),
    diskBytes: figures['diskBytes']?.median ?? 0,
    httpThreadsScale: !ONE_HTTP_THREAD.includes(commits.speed ?? ''),
  };
}

const threadsText = (threadsUs: Record<string, number>): string =>
  Object.entries(threadsUs)
    .filter(([, us]) => us >= 0.5)
    .map(([name, us]) => `${name} ${short(us)}`)
    .join(', ');

const perS = (rate: number): string => String(Math.round(rate / TOGETHER) * TOGETHER);

/** Of a whole network where one was measured: gossip between nodes and the database are in it. */
function networkCostsOf({ network }: Build): { costs: NetworkCosts; how: string } | undefined {
  if (network === undefined) return undefined;
  const whole = network.sides?.[WHOLE];
  if (whole === undefined) return { costs: network.threadsUs as NetworkCosts, how: 'one of each and no database' };
  return {
    costs: perProcess({ threadsUs: whole.threadsUs, validators: VALIDATORS, gateways: GATEWAYS }),
    how: whole.title,
  };
}

export function modelText(builds: readonly Build[]): string {
  const parts: string[] = [];
  for (const build of builds) {
    for (const [scenario, title] of Object.entries(SCENARIOS)) {
      const costs = costsOf(build, scenario);
      if (costs === undefined) continue;
      const measured = build.speed?.figures[build.name]?.[scenario]?.['ratePerS']?.median;
      const rows = CORES.map((cores) => {
        const { httpThreads, ratePerS, boundBy, diskMibPerS } = onOneMachine(costs, cores);
        return [String(cores), String(httpThreads), perS(ratePerS), boundBy, short(diskMibPerS)];
      });
      parts.push(
        `**${build.name} ${build.commits.speed}, ${title}.** Measured, in microseconds of a transfer: ${threadsText(costs.threadsUs)}. Measured on ${build.speed?.machine.cores} cores that the loader shared: ${short(measured ?? Number.NaN)} a second.`,
        markdownTable(['Cores', 'HTTP threads', 'Transfers a second', 'Bound by', 'MiB/s to disk'], rows),
      );
    }
    const measured = networkCostsOf(build);
    if (measured === undefined) continue;
    const rows = CORES.map((cores) => {
      const { httpThreads, ratePerS, boundBy } = onNetwork(
        measured.costs,
        cores,
        !ONE_HTTP_THREAD.includes(build.commits.network ?? ''),
      );
      return [String(cores), String(httpThreads), perS(ratePerS), boundBy];
    });
    const used = Object.entries(measured.costs)
      .map(([name, threads]) => `${name}: ${threadsText(threads)}`)
      .join('; ');
    parts.push(
      `**${build.name} ${build.commits.network}, a network of ${VALIDATORS} machines, each a node, an application and a gateway.** Measured with ${measured.how}, in microseconds of a transfer in one process of each kind: ${used}.`,
      markdownTable(['Cores of each machine', 'HTTP threads', 'Transfers a second', 'Bound by'], rows),
    );
  }
  return parts.join('\n\n');
}

if (import.meta.main) console.log(modelText(buildsOf(readResults())));
