/** A round: fresh servers, every scenario on each in turn, baselines beside them, everything checked at the end. */
import { requestBytes } from './load/request-bytes.ts';
import { closedLoop } from './load/closed-loop.ts';
import { measurePhase, type Phase } from './measure/phase.ts';
import { percentile, rounded } from './measure/statistics.ts';
import { progress } from './report/progress.ts';
import type { PhaseRow, SpeedResult } from './report/result.ts';
import { EXPRESS, limitKey, type Limits } from './report/summary.ts';
import { CONNECTIONS, READ_NAMES, readPaths, type ReadName, type Scenario } from './scenarios/scenarios.ts';
import { checkEverything } from './sides/correctness.ts';
import type { Answers } from './sides/express.child.ts';
import { ExpressServer } from './sides/express-server.ts';
import { LedgerSession, type Sets } from './sides/session.ts';
import type { VerificationLimit } from './sides/verification-limit.ts';

/** How often a void phase is tried again. */
export const REPEATS_MAX = 2;
/** What is measured is a server in service. In its first ten thousand transfers V8 compiles, which takes 50 us of processor time of each of them. */
export const WARM_UP_TRANSFERS = 12_000;
/** Of each kind. */
const TRANSFERS_PER_READ = 4;
const LIMIT_MS = 400;

export interface RoundOptions {
  round: number;
  /** Build -> folder. */
  checkouts: Record<string, string>;
  /** Of every server, beside those that each has. */
  variables?: Record<string, string>;
  scenarios: readonly Scenario[];
  sets: Sets;
  limit: VerificationLimit;
  allowNoise: boolean;
  countSyncs: boolean;
  /** Transfers of each server before the first phase. */
  warmUpTransfers?: number;
}

export interface RoundOutcome {
  phases: PhaseRow[];
  limits: Limits;
  correctness: SpeedResult['correctness'];
}

/** Why later phases are slower than those before has many causes; each build must meet them in the first place and in the second alike. */
export function order<T>(items: readonly T[], round: number): T[] {
  return round % 2 === 0 ? [...items] : items.toReversed();
}

export async function warmUp(session: LedgerSession, transfers = WARM_UP_TRANSFERS): Promise<void> {
  await session.submit(transfers);
  const paths = readPaths(session);
  for (const kind of READ_NAMES)
    await closedLoop(session.reads(paths[kind], transfers / TRANSFERS_PER_READ, CONNECTIONS));
  await session.server.settled();
}

/** What the ledger answers, for the baseline to answer the same. */
async function answersOf(session: LedgerSession): Promise<Answers> {
  const paths = readPaths(session);
  const textOf = async (path: string): Promise<string> => {
    const response = await fetch(`${session.server.baseUrl}${path}`, {
      headers: { authorization: `Bearer ${session.server.token}` },
    });
    return await response.text();
  };
  const [list10, list100, byId, account] = await Promise.all([
    textOf(paths.list10[0]!),
    textOf(paths.list100[0]!),
    textOf(paths.byId[0]!),
    textOf(paths.account[0]!),
  ]);
  // A submission is answered with five members of the transfer.
  const { from, to, amount, txHash, status } = JSON.parse(byId) as Record<string, string>;
  return { POST: JSON.stringify({ from, to, amount, txHash, status }), list10, list100, byId, account };
}

function rowOf(
  { figures, void: reasons, counts }: Phase,
  position: Pick<PhaseRow, 'round' | 'build' | 'scenario' | 'attempt'>,
): PhaseRow {
  return { ...position, ...figures, void: reasons, counts };
}

export async function runRound(options: RoundOptions): Promise<RoundOutcome> {
  const { round, checkouts, scenarios, sets, limit, allowNoise, warmUpTransfers = WARM_UP_TRANSFERS } = options;
  const outcome: RoundOutcome = { phases: [], limits: {}, correctness: [] };
  const sessions: LedgerSession[] = [];
  let express: ExpressServer | undefined;
  const maxima = new Map<string, number>();

  const onLedger = async (scenario: Scenario, session: LedgerSession): Promise<void> => {
    for (let attempt = 0; attempt <= REPEATS_MAX; attempt += 1) {
      const ready = scenario.ready(session, maxima.get(session.build));
      if (ready === undefined)
        return progress(
          `${session.build}: ${scenario.title}: skipped: the server has no such operation, or post-128, whose rate it needs, did not count`,
        );
      const { operationsPerRequest = 1 } = ready;
      const { server } = session;
      await ready.warmUp?.(warmUpTransfers);
      const phase = await measurePhase({
        pid: server.pid,
        load: ready.load,
        operationsPerRequest,
        ...(ready.repair === undefined ? {} : { settle: () => server.settled() }),
        ledger: server,
        allowNoise,
        countSyncs: options.countSyncs,
      });
      await ready.repair?.(phase.load);
      const position = { round, build: session.build, scenario: scenario.name, attempt };
      outcome.phases.push(rowOf(phase, position));
      for (const [name, load] of Object.entries(ready.beside?.() ?? {})) {
        const at = (share: number): number => rounded(percentile(load.latenciesMs, share));
        const row = {
          operations: load.count,
          p50Ms: at(0.5),
          p99Ms: at(0.99),
          maxMs: at(1),
          void: phase.void,
          counts: phase.counts && load.refused.length === 0,
        };
        outcome.phases.push({ ...position, scenario: name, ...row });
      }
      progress(
        `round ${round + 1}, ${session.build}: ${scenario.title}: ${phase.figures.ratePerS}/s, ${phase.figures.cpuUs} us, p99 ${phase.figures.p99Ms} ms${phase.void.length === 0 ? '' : ` (${phase.void.join(', ')})`}`,
      );
      if (phase.counts && scenario.name === 'post-128') maxima.set(session.build, phase.figures.ratePerS);
      if (phase.counts) return;
    }
  };

  const onExpress = async ({ name, baseline }: Scenario): Promise<void> => {
    if (express === undefined || baseline === undefined) return;
    const session = sessions[0]!;
    const { port, pid } = express;
    const requestOf: Record<'POST' | ReadName, () => Buffer[]> = {
      POST: () =>
        Array.from({ length: 100 }, (_, index) =>
          requestBytes({
            port,
            token: session.server.token,
            method: 'POST',
            path: '/transactions',
            body: session.sets.known.body(index),
          }),
        ),
      list10: () => [requestBytes({ port, token: session.server.token, path: readPaths(session).list10[0]! })],
      list100: () => [requestBytes({ port, token: session.server.token, path: readPaths(session).list100[0]! })],
      byId: () => [requestBytes({ port, token: session.server.token, path: readPaths(session).byId[0]! })],
      account: () => [requestBytes({ port, token: session.server.token, path: readPaths(session).account[0]! })],
    };
    const requests = requestOf[baseline]();
    const accepts = (status: number): boolean => status === (baseline === 'POST' ? 202 : 200);
    const connections = name === 'post-1' ? 1 : CONNECTIONS;
    const neighbour = outcome.phases.findLast(({ build, scenario }) => build !== EXPRESS && scenario === name);
    const count = Math.max(neighbour?.operations ?? 0, warmUpTransfers);
    const work = { port, connections, count, request: (index: number) => requests[index % requests.length]!, accepts };
    await closedLoop({ ...work, count: warmUpTransfers, connections: CONNECTIONS });
    for (let attempt = 0; attempt <= REPEATS_MAX; attempt += 1) {
      const phase = await measurePhase({ pid, load: () => closedLoop(work), allowNoise, countSyncs: false });
      outcome.phases.push(rowOf(phase, { round, build: EXPRESS, scenario: name, attempt }));
      if (phase.counts) return;
    }
  };

  try {
    for (const [build, checkout] of order(Object.entries(checkouts), round)) {
      progress(`round ${round + 1}: a fresh server of ${build}`);
      sessions.push(await LedgerSession.start(build, checkout, sets, options.variables));
    }
    for (const session of sessions) await warmUp(session, warmUpTransfers);
    express = await ExpressServer.start(await answersOf(sessions[0]!));
    for (const scenario of scenarios) {
      if (Object.keys(scenario.takes).length > 0)
        outcome.limits[limitKey(round, scenario.name)] = await limit.measure(LIMIT_MS);
      for (const session of sessions) await onLedger(scenario, session);
      await onExpress(scenario);
    }
    for (const session of sessions) {
      progress(`round ${round + 1}, ${session.build}: looking every transfer and balance up`);
      outcome.correctness.push({ round, build: session.build, ...(await checkEverything(session)) });
    }
    return outcome;
  } finally {
    await express?.stop();
    for (const session of sessions) await session.server.remove();
  }
}
