/** `node test/bench/model.ts` prints what the measured costs make of 1, 2, 4, 16 and 64 cores, and of a network of four. */
import { CORES, type Costs, onNetwork, onOneMachine, type NetworkCosts, VALIDATORS } from './cost-model.ts';
import { markdownTable } from './documents.ts';
import { type Build, buildsOf, readResults } from './report/recorded-results.ts';
import { short } from './report/summary.ts';

/** The build before HTTP_THREADS. */
const ONE_HTTP_THREAD = ['97c6cf1'];
const SCENARIOS: Record<string, string> = { 'post-128': 'one by one, 128 connections', 'batch-1000': 'batches of 1,000' };
const TOGETHER = 100;

/** Processor time by thread, the medians of the rounds. */
function costsOf({ name, commit, speed }: Build, scenario: string): Costs | undefined {
  const figures = speed?.figures[name]?.[scenario];
  if (figures === undefined) return undefined;
  const threads = Object.entries(figures).filter(([figure]) => figure.startsWith('cpu.'));
  return {
    threadsUs: Object.fromEntries(threads.map(([figure, { median }]) => [figure.slice('cpu.'.length), median])),
    diskBytes: figures['diskBytes']?.median ?? 0,
    httpThreadsScale: !ONE_HTTP_THREAD.includes(commit),
  };
}

const threadsText = (threadsUs: Record<string, number>): string =>
  Object.entries(threadsUs)
    .filter(([, us]) => us >= 0.5)
    .map(([name, us]) => `${name} ${short(us)}`)
    .join(', ');

const perS = (rate: number): string => String(Math.round(rate / TOGETHER) * TOGETHER);

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
        `**${build.name} ${build.commit}, ${title}.** Measured, in microseconds of a transfer: ${threadsText(costs.threadsUs)}. Measured on ${build.speed?.machine.cores} cores that the loader shared: ${short(measured ?? Number.NaN)} a second.`,
        markdownTable(['Cores', 'HTTP threads', 'Transfers a second', 'Bound by', 'MiB/s to disk'], rows),
      );
    }
    const threadsUs = build.network?.threadsUs as NetworkCosts | undefined;
    if (threadsUs === undefined) continue;
    const rows = CORES.map((cores) => {
      const { httpThreads, ratePerS, boundBy } = onNetwork(threadsUs, cores, !ONE_HTTP_THREAD.includes(build.commit));
      return [String(cores), String(httpThreads), perS(ratePerS), boundBy];
    });
    const used = (['gateway', 'application', 'node'] as const).map((name) => `${name}: ${threadsText(threadsUs[name])}`).join('; ');
    parts.push(
      `**${build.name} ${build.commit}, a network of ${VALIDATORS} machines, each a node, an application and a gateway.** Measured with one of each, in microseconds of a transfer: ${used}.`,
      markdownTable(['Cores of each machine', 'HTTP threads', 'Transfers a second', 'Bound by'], rows),
    );
  }
  return parts.join('\n\n');
}

if (import.meta.main) console.log(modelText(buildsOf(readResults())));
