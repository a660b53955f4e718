/**
 * `npm run bench`: what the ledger does on this machine, as ratios to what the machine can do in the same run.
 *
 *   npm run bench -- [--checkout DIR] [--name this] [--against DIR] [--against-name other] [--rounds 5] [--transfers 10000]
 *                    [--reads 10000] [--only post-32,byId] [--http-threads N] [--peers] [--allow-noise] [--json FILE]
 *
 * Each round starts fresh servers, as processes of their checkouts, and puts every scenario to each in turn; the next round in the
 * reverse order. One process loads them all. Beside them: raw Express answering the same bytes, and the limit of node:crypto's
 * verification. A phase is void when something was refused, the loader took more than 0.85 core or others more than 0.3; it is repeated
 * twice at most and counted. `--allow-noise` lets phases on a loaded machine count and marks the result. At the end of a round every
 * acknowledged transfer is looked up and every balance recomputed. Explained in docs/PERFORMANCE.md.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../../scripts/steps.ts';
import { syncsMissing } from './measure/syncs.ts';
import { PeerRounds } from './peers/peer-rounds.ts';
import { thisMachine } from './report/machine.ts';
import { reportText } from './report/print.ts';
import { progress, progressEnd } from './report/progress.ts';
import { writeResult } from './report/recorded-results.ts';
import type { SpeedResult } from './report/result.ts';
import { figuresOf, ratiosOf } from './report/summary.ts';
import { REPEATS_MAX, runRound, WARM_UP_TRANSFERS } from './rounds.ts';
import { scenarios } from './scenarios/scenarios.ts';
import { commitOf } from './sides/ledger-server.ts';
import { VerificationLimit } from './sides/verification-limit.ts';
import { signedTransfers } from './transfers/signed.ts';

const { values } = parseArgs({
  options: {
    checkout: { type: 'string', default: ROOT },
    name: { type: 'string', default: 'this' },
    against: { type: 'string' },
    'against-name': { type: 'string', default: 'other' },
    rounds: { type: 'string', default: '5' },
    transfers: { type: 'string', default: '10000' },
    reads: { type: 'string', default: '10000' },
    only: { type: 'string' },
    'http-threads': { type: 'string' },
    peers: { type: 'boolean', default: false },
    'allow-noise': { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const sizes = { transfers: Number(values.transfers), reads: Number(values.reads) };
const variables: Record<string, string> =
  values['http-threads'] === undefined ? {} : { HTTP_THREADS: values['http-threads'] };
const all = scenarios(sizes);
const chosen = values.only === undefined ? all : all.filter(({ name }) => values.only!.split(',').includes(name));
if (chosen.length === 0) throw new Error(`--only names none of ${all.map(({ name }) => name).join(', ')}`);
const checkouts: Record<string, string> = { [values.name]: path.resolve(values.checkout) };
if (values.against !== undefined) checkouts[values['against-name']] = path.resolve(values.against);

/** Enough for every phase and all its repeats. */
const needed = { known: WARM_UP_TRANSFERS, fresh: 0 };
for (const { takes } of chosen)
  for (const set of ['known', 'fresh'] as const) needed[set] += (takes[set] ?? 0) * (1 + REPEATS_MAX);
const signing = (set: 'known' | 'fresh') =>
  signedTransfers(set, needed[set], (done) => progress(`signed ${done} of ${needed[set]} transfers`));
const sets = { known: await signing('known'), fresh: await signing('fresh') };

const noSyncs = syncsMissing();
const result: SpeedResult = {
  kind: 'speed',
  recordedAt: new Date().toISOString(),
  machine: thisMachine(),
  noisy: values['allow-noise'],
  options: { rounds, ...sizes },
  builds: Object.fromEntries(Object.entries(checkouts).map(([name, folder]) => [name, commitOf(folder)])),
  missing: noSyncs === undefined ? [] : [noSyncs],
  phases: [],
  limits: {},
  voidPhases: 0,
  figures: {},
  ratios: {},
  correctness: [],
};
const limit = new VerificationLimit();
const peers = values.peers ? await PeerRounds.prepare(sizes.transfers, values['allow-noise']) : undefined;
result.missing.push(...(peers?.missing ?? ['peers are measured with --peers']));
try {
  for (let round = 0; round < rounds; round += 1) {
    const outcome = await runRound({
      round,
      checkouts,
      variables,
      scenarios: chosen,
      sets,
      limit,
      allowNoise: values['allow-noise'],
      countSyncs: noSyncs === undefined,
    });
    result.phases.push(...outcome.phases, ...((await peers?.run(round)) ?? []));
    result.correctness.push(...outcome.correctness);
    Object.assign(result.limits, outcome.limits);
  }
} finally {
  await limit.stop();
  await peers?.remove();
}
progressEnd();
result.voidPhases = result.phases.filter((phase) => phase.void.length > 0).length;
result.figures = figuresOf(result.phases, result.limits);
const [first, second] = Object.keys(checkouts);
if (first !== undefined && second !== undefined) result.ratios = ratiosOf(result.phases, first, second);
console.log(reportText(result, chosen));
const asked = new Set(result.phases.map(({ build, scenario }) => `${build}: ${scenario}`));
for (const { build, scenario, counts } of result.phases) if (counts) asked.delete(`${build}: ${scenario}`);
for (const never of asked) {
  console.error(`${never}: no phase counted`);
  process.exitCode = 1;
}
if (values.json !== undefined) writeResult(values.json, result);
