/**
 * `npm run bench:pieces`: what a transfer and a read are made of, microsecond by microsecond.
 *
 *   npm run bench:pieces -- [--checkout DIR] [--name this] [--transfers 10000] [--reads 20000] [--only post-32,byId] [--json FILE]
 *
 * The same scenarios are put to two fresh servers, one after the other: of the first the processor time of each thread is taken, of the second, which
 * profiles itself, how that is shared among pieces. So what the profiler costs is in no figure. Time in which a thread waits for events
 * is left out; where it waits inside a native function, or is interrupted, a profile cannot tell that from work, so a share is good to a tenth or so.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../../scripts/steps.ts';
import { measurePhase } from './measure/phase.ts';
import { rounded } from './measure/statistics.ts';
import { monotonicUs, readProfiles, sharesOf, type Span } from './pieces/profile.ts';
import { piecesText, WHOLE } from './pieces/report.ts';
import { thisMachine } from './report/machine.ts';
import { progress, progressEnd } from './report/progress.ts';
import { writeResult } from './report/recorded-results.ts';
import type { PiecesResult, ScenarioPieces } from './report/result.ts';
import { warmUp, WARM_UP_TRANSFERS } from './rounds.ts';
import { type Ready, type Scenario, scenarios } from './scenarios/scenarios.ts';
import { commitOf } from './sides/ledger-server.ts';
import { LedgerSession } from './sides/session.ts';
import { VerificationLimit } from './sides/verification-limit.ts';
import { signedTransfers } from './transfers/signed.ts';

const LIMIT_MS = 400;
const SAMPLE_US = 250;

const { values } = parseArgs({
  options: {
    checkout: { type: 'string', default: ROOT },
    name: { type: 'string', default: 'this' },
    transfers: { type: 'string', default: '10000' },
    reads: { type: 'string', default: '20000' },
    only: { type: 'string', default: 'post-32,batch-1000,list10,byId,account,list100' },
    json: { type: 'string' },
  },
});
const only = values.only.split(',');
const chosen = scenarios({ transfers: Number(values.transfers), reads: Number(values.reads) }).filter(({ name }) =>
  only.includes(name),
);
if (chosen.length !== only.length) throw new Error(`--only ${values.only}: not all of them are scenarios`);
const checkout = path.resolve(values.checkout);
const needed = WARM_UP_TRANSFERS + chosen.reduce((total, { takes }) => total + (takes.known ?? 0), 0);
const sets = {
  known: await signedTransfers('known', needed, (done) => progress(`signed ${done} of ${needed} transfers`)),
  fresh: await signedTransfers('fresh', 0, () => undefined),
};

/** Puts each scenario to a fresh server. */
async function onFreshServer(
  variables: Record<string, string>,
  each: (scenario: Scenario, ready: Ready, session: LedgerSession) => Promise<void>,
): Promise<void> {
  const session = await LedgerSession.start(values.name, checkout, sets, variables);
  try {
    await warmUp(session);
    for (const scenario of chosen) {
      const ready = scenario.ready(session, undefined);
      if (ready === undefined) throw new Error(`${scenario.title}: the server has no such operation`);
      await each(scenario, ready, session);
      await session.server.settled();
    }
    await session.server.halt();
  } finally {
    await session.server.remove();
  }
}

const folder = mkdtempSync(path.join(tmpdir(), 'bench-pieces-'));
const limit = new VerificationLimit();
try {
  const result: Record<string, ScenarioPieces> = {};
  await onFreshServer({}, async ({ name, title }, ready, { server }) => {
    progress(`processor time: ${title}`);
    const { cpuUs: verificationUs } = await limit.measure(LIMIT_MS);
    const { operationsPerRequest = 1 } = ready;
    const { figures } = await measurePhase({
      pid: server.pid,
      load: ready.load,
      operationsPerRequest,
      settle: () => server.settled(),
      allowNoise: true,
      countSyncs: false,
    });
    result[name] = {
      title,
      verificationUs,
      threads: Object.fromEntries(Object.entries(figures.threadsUs).map(([thread, us]) => [thread, { [WHOLE]: us }])),
    };
  });
  const spans = new Map<string, Span>();
  const NODE_OPTIONS = `--cpu-prof --cpu-prof-dir=${folder} --cpu-prof-interval=${SAMPLE_US}`;
  await onFreshServer({ NODE_OPTIONS }, async ({ name, title }, ready, { server }) => {
    progress(`profile: ${title}`);
    const fromUs = monotonicUs();
    await ready.load();
    await server.settled();
    spans.set(name, { fromUs, toUs: monotonicUs() });
  });
  progressEnd();
  for (const [thread, profile] of readProfiles(folder)) {
    for (const [name, span] of spans) {
      const { threads } = result[name]!;
      const us = threads[thread]?.[WHOLE];
      const shares = Object.entries(sharesOf(profile, span));
      if (us !== undefined && shares.length > 0)
        threads[thread] = Object.fromEntries(shares.map(([piece, share]) => [piece, rounded(share * us)]));
    }
  }
  const pieces: PiecesResult = {
    kind: 'pieces',
    recordedAt: new Date().toISOString(),
    machine: thisMachine(),
    build: values.name,
    commit: commitOf(checkout),
    scenarios: result,
  };
  console.log(piecesText(pieces));
  if (values.json !== undefined) writeResult(values.json, pieces);
} finally {
  await limit.stop();
  rmSync(folder, { recursive: true, force: true });
}
