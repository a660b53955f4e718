/**
 * `node test/bench/guard.ts [--record] [--rounds 5]`: whether a transfer or a read costs more processor time than it did.
 *
 * Processor time by the clock of the scheduler, in ratios to a baseline right beside it: a transfer against a verification by node:crypto, a
 * read against raw Express answering the same bytes. The ratios of recorded.json may be exceeded by 20 %. Rates and latencies are printed
 * and decide nothing.
 *
 * Why the median of the ratios of neighbouring phases: another program on the machine makes a phase dearer (caches, shared cores) and no
 * phase cheaper, but it can make a baseline dearer too, so the least ratio may be too small and the greatest is noise; the machine's own speed
 * changes for minutes at a time and falls out of a ratio of neighbours. A round in which one phase met such a neighbour moves the median of
 * five by at most one place. Where the median is above the bound the guard measures once more, twice as long, and judges by all of it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../../scripts/steps.ts';
import { exceeded, type Recorded } from './guard-rules.ts';
import { progress, progressEnd } from './report/progress.ts';
import type { PhaseRow } from './report/result.ts';
import { figuresOf, type Limits, spreadText } from './report/summary.ts';
import { REPEATS_MAX, runRound, WARM_UP_TRANSFERS } from './rounds.ts';
import { scenarios } from './scenarios/scenarios.ts';
import { commitOf } from './sides/ledger-server.ts';
import { VerificationLimit } from './sides/verification-limit.ts';
import { signedTransfers } from './transfers/signed.ts';

const { values } = parseArgs({ options: { record: { type: 'boolean', default: false }, rounds: { type: 'string', default: '5' }, checkout: { type: 'string', default: ROOT } } });
const FILE = path.join(import.meta.dirname, 'recorded.json');
const rounds = Number(values.rounds);
const TRANSFERS = 3000;
const READS = 3000;
const BUILD = 'this';

const guarded = scenarios({ transfers: TRANSFERS, reads: READS }).filter(({ name }) => ['post-32', 'list10', 'byId'].includes(name));
const sets = {
  known: await signedTransfers('known', WARM_UP_TRANSFERS + TRANSFERS * (1 + REPEATS_MAX), (done) => progress(`signed ${done} transfers`)),
  fresh: await signedTransfers('fresh', 0, () => {}),
};
const limit = new VerificationLimit();
const phases: PhaseRow[] = [];
const limits: Limits = {};

/** Measures further rounds. @returns what they and all before them show. */
async function measure(from: number, to: number): Promise<Recorded['ratios']> {
  for (let round = from; round < to; round += 1) {
    const outcome = await runRound({ round, checkouts: { [BUILD]: path.resolve(values.checkout) }, scenarios: guarded, sets, limit, allowNoise: true, countSyncs: false });
    phases.push(...outcome.phases);
    Object.assign(limits, outcome.limits);
  }
  const figures = figuresOf(phases, limits)[BUILD]!;
  const shown = (scenario: string, figure: string): number => {
    console.log(`${scenario}: ${spreadText(figures[scenario]![figure]!)} ${figure}; ${spreadText(figures[scenario]!['cpuUs']!)} us; ${spreadText(figures[scenario]!['ratePerS']!)} a second, p99 ${spreadText(figures[scenario]!['p99Ms']!)} ms`);
    return figures[scenario]![figure]!.median;
  };
  progressEnd();
  return {
    transferInVerifications: shown('post-32', 'verifications'),
    listInExpressReads: 1 / shown('list10', 'ofExpressCpu'),
    byIdInExpressReads: 1 / shown('byId', 'ofExpressCpu'),
  };
}

try {
  let ratios = await measure(0, rounds);
  if (values.record) {
    const recorded: Recorded = { commit: commitOf(path.resolve(values.checkout)), recordedAt: new Date().toISOString(), ratios };
    writeFileSync(FILE, `${JSON.stringify(recorded, (_, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value), 2)}\n`);
    console.log(`recorded in ${path.relative(ROOT, FILE)}`);
  } else {
    const { ratios: recorded } = JSON.parse(readFileSync(FILE, 'utf8')) as Recorded;
    if (exceeded(ratios, recorded).length > 0) ratios = await measure(rounds, rounds * 2);
    for (const [name, ratio] of Object.entries(ratios)) console.log(`${name}: ${ratio.toFixed(2)}, recorded ${recorded[name as keyof typeof recorded].toFixed(2)}`);
    const complaints = exceeded(ratios, recorded);
    for (const complaint of complaints) console.error(complaint);
    console.log(complaints.length === 0 ? 'No operation costs more than 20 % above what is recorded.' : 'Make it cheaper, or say in the commit why it has to cost more and run: node test/bench/guard.ts --record');
    process.exitCode = complaints.length === 0 ? 0 : 1;
  }
} finally {
  await limit.stop();
}
