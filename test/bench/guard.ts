/**
 * `node test/bench/guard.ts [--record] [--rounds 5]`: whether a transfer or a read costs more processor time than it did.
 *
 * The build of recorded.json is checked out and measured beside this one, in turns, on fresh servers: an operation may take a fifth more
 * processor time than there. Rates and latencies are printed and decide nothing.
 *
 * Why beside that build and not beside the number that it had: a machine that others use makes groups of transfers smaller and caches colder,
 * and then the very same build costs a quarter more verifications, or Express reads, than where it was recorded; both builds meet that alike.
 * The median of the ratios of neighbouring phases is judged; above the bound the guard measures once more, twice as long, and judges by all.
 *
 * `--record` makes the present commit the one to compare with. A clone without that commit is compared with its recorded numbers, roughly.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../../scripts/steps.ts';
import { dearer, dearerThanRecorded, type Costs, MORE_MAX, type Recorded } from './guard-rules.ts';
import { checkOutRecorded } from './recorded-build.ts';
import { progress, progressEnd } from './report/progress.ts';
import type { PhaseRow } from './report/result.ts';
import { figuresOf, type Limits, ratiosOf, spreadText } from './report/summary.ts';
import { REPEATS_MAX, runRound } from './rounds.ts';
import { scenarios } from './scenarios/scenarios.ts';
import { commitOf } from './sides/ledger-server.ts';
import { VerificationLimit } from './sides/verification-limit.ts';
import { signedTransfers } from './transfers/signed.ts';

const { values } = parseArgs({
  options: {
    record: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    checkout: { type: 'string', default: ROOT },
  },
});
const FILE = path.join(import.meta.dirname, 'recorded.json');
const rounds = Number(values.rounds);
const TRANSFERS = 3000;
const READS = 3000;
/** Two builds are compared that are warm to the same degree; less than for figures, because every change waits for this. */
const GUARD_WARM_UP = 2000;
const GUARDED = ['post-32', 'list10', 'byId'];
const THIS = 'this';
const RECORDED = 'recorded';

const checkout = path.resolve(values.checkout);
const recorded = JSON.parse(readFileSync(FILE, 'utf8')) as Recorded;
const guarded = scenarios({ transfers: TRANSFERS, reads: READS }).filter(({ name }) => GUARDED.includes(name));
const sets = {
  known: await signedTransfers('known', GUARD_WARM_UP + TRANSFERS * (1 + REPEATS_MAX), (done) =>
    progress(`signed ${done} transfers`),
  ),
  fresh: await signedTransfers('fresh', 0, () => {}),
};
const limit = new VerificationLimit();
const phases: PhaseRow[] = [];
const limits: Limits = {};

async function measure(checkouts: Record<string, string>, from: number, to: number): Promise<void> {
  for (let round = from; round < to; round += 1) {
    const outcome = await runRound({
      round,
      checkouts,
      scenarios: guarded,
      sets,
      limit,
      allowNoise: true,
      countSyncs: false,
      warmUpTransfers: GUARD_WARM_UP,
    });
    phases.push(...outcome.phases);
    Object.assign(limits, outcome.limits);
  }
  progressEnd();
}

/** What this build costs beside the baselines, by all rounds so far. */
function costs(): Costs {
  const figures = figuresOf(phases, limits)[THIS]!;
  const shown = (scenario: string, figure: string): number => {
    console.log(
      `${scenario}: ${spreadText(figures[scenario]![figure]!)} ${figure}; ${spreadText(figures[scenario]!['cpuUs']!)} us; ${spreadText(figures[scenario]!['ratePerS']!)} a second, p99 ${spreadText(figures[scenario]!['p99Ms']!)} ms`,
    );
    return figures[scenario]![figure]!.median;
  };
  return {
    transferInVerifications: shown('post-32', 'verifications'),
    listInExpressReads: 1 / shown('list10', 'ofExpressCpu'),
    byIdInExpressReads: 1 / shown('byId', 'ofExpressCpu'),
  };
}

/** Processor time, this build / the recorded one. */
function beside(): Record<string, number> {
  const ratios = ratiosOf(phases, THIS, RECORDED);
  for (const name of GUARDED)
    console.log(`${name}: ${spreadText(ratios[name]!['cpuUs']!)} of the processor time of ${recorded.commit}`);
  return Object.fromEntries(GUARDED.map((name) => [name, ratios[name]!['cpuUs']!.median]));
}

async function record(): Promise<void> {
  await measure({ [THIS]: checkout }, 0, rounds);
  const now: Recorded = { commit: commitOf(checkout), recordedAt: new Date().toISOString(), ratios: costs() };
  if (now.commit.endsWith('-dirty')) throw new Error('commit first: what is recorded has to be found again');
  writeFileSync(
    FILE,
    `${JSON.stringify(now, (_, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value), 2)}\n`,
  );
  console.log(`recorded in ${path.relative(ROOT, FILE)}`);
}

async function complaintsOf(): Promise<string[]> {
  const other = checkOutRecorded(recorded.commit);
  if (other === undefined) {
    console.log(`This clone does not have ${recorded.commit}, the build that was recorded: compared with its numbers.`);
    await measure({ [THIS]: checkout }, 0, rounds);
    return dearerThanRecorded(costs(), recorded.ratios);
  }
  try {
    const checkouts = { [THIS]: checkout, [RECORDED]: other.folder };
    await measure(checkouts, 0, rounds);
    const complaints = dearer(beside());
    if (complaints.length > 0) await measure(checkouts, rounds, rounds * 2);
    costs();
    return complaints.length > 0 ? dearer(beside()) : [];
  } finally {
    other.remove();
  }
}

try {
  if (values.record) await record();
  else {
    const complaints = await complaintsOf();
    for (const complaint of complaints) console.error(complaint);
    console.log(
      complaints.length === 0
        ? `No operation costs more than ${MORE_MAX * 100} % above what is recorded.`
        : 'Make it cheaper, or say in the commit why it has to cost more and run: node test/bench/guard.ts --record',
    );
    process.exitCode = complaints.length === 0 ? 0 : 1;
  }
} finally {
  await limit.stop();
}
