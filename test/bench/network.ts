/**
 * `npm run bench:network`: what is run, beside a bare CometBFT node with the same settings, in turns within one run.
 *
 *   COMETBFT=... npm run bench:network -- [--sides bare,bare-batch,app,one,one-batch,one-pg,one-pg-batch,network-1,network-2,network-batch]
 *                                         [--rounds 3] [--transactions 8000]
 *                                         [--connections 64] [--batch 100] [--batch-connections 8]
 *                                         [--checkout DIR] [--name this] [--json FILE]
 *
 * `bare` is one node with its kvstore; `app` one with the ledger as its application and no gateway, given signed transfers as the bare one is; `one` a node, its application and a gateway on SQLite, `one-pg` on PostgreSQL; `network-1` and
 * `network-2` are `npm run localnet`, four validators, PostgreSQL and two gateways, with the load on one gateway or on both. `-batch` is the same with
 * `--batch` transactions in each request (`network-batch` with the load on one gateway). Each round puts the
 * same number of transactions of the same size to every side, and the next round does it in the reverse order. Transfers are signed before the
 * clock starts. A ratio is that of one round; the report gives median, least and greatest, and the processor time of a transaction in every
 * process, in microseconds and in verifications by node:crypto, measured before the round. The load runs on the same cores, so absolute rates say little.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PostgresCluster } from '../support/postgres.ts';
import { spread } from './measure/statistics.ts';
import { ArgumentError, type Arguments, HELP, readArguments } from './network/arguments.ts';
import { inBatches, RPC_CALLS, TRANSFERS } from './network/batches.ts';
import { bareNode } from './network/bare.ts';
import { localnetSide, type RunningLocalnet, startLocalnet } from './network/localnet-side.ts';
import { applicationAlone, oneNode } from './network/one-node.ts';
import { Programs } from './network/programs.ts';
import { type MeasuredSide, networkText, sidesOf } from './network/summary.ts';
import { type RoundFigures, runRound, type Side } from './network/side.ts';
import { thisMachine } from './report/machine.ts';
import { progress, progressEnd } from './report/progress.ts';
import { writeResult } from './report/recorded-results.ts';
import type { NetworkResult } from './report/result.ts';
import { commitOf } from './sides/ledger-server.ts';
import { VerificationLimit } from './sides/verification-limit.ts';

const USAGE_EXIT_CODE = 2;
/** Before each round. */
const VERIFY_MS = 300;

/** Ends the process where there is nothing to measure. */
function argumentsGiven(): Arguments {
  try {
    const given = readArguments(process.argv.slice(2));
    if (given !== undefined) return given;
    process.stdout.write(HELP);
    process.exit(0);
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    console.error(`${error.message}. npm run bench:network -- --help shows what there is.`);
    process.exit(USAGE_EXIT_CODE);
  }
}

const {
  sides: wanted,
  rounds: roundsWanted,
  transactions: count,
  connections,
  batch,
  batchConnections,
  checkout,
  name: build,
  json,
} = argumentsGiven();

const limit = new VerificationLimit();

/** Starts the sides, puts the rounds to each in turns, and ends them. */
async function measured(names: readonly string[]): Promise<MeasuredSide[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-network-'));
  const programs = new Programs(checkout);
  const started = new Map<string, Promise<Side>>();
  let localnet: RunningLocalnet | undefined;
  let networkRounds = 0;
  let cluster: PostgresCluster | undefined;

  const sideNamed = async (name: string): Promise<Side> => {
    if (name === 'bare') return await bareNode(folder, programs);
    if (name === 'app') return await applicationAlone({ folder, programs, checkout });
    if (name === 'one') return await oneNode({ folder, programs, checkout });
    if (name === 'one-pg')
      return await oneNode({ folder, programs, checkout, cluster: (cluster = await PostgresCluster.start()) });
    localnet ??= await startLocalnet(folder);
    return localnetSide(localnet, name === 'network-2' ? 2 : 1, () => networkRounds++);
  };
  /** One server for the side and for the side in batches. */
  const start = async (name: string): Promise<Side> => {
    const single = name.replace(/-batch$/, '');
    const starting = started.get(single) ?? sideNamed(single);
    started.set(single, starting);
    const side = { ...(await starting), name: single };
    return single === name ? side : inBatches(side, single === 'bare' ? RPC_CALLS : TRANSFERS, batch);
  };

  try {
    const sides: { side: Side; rounds: RoundFigures[] }[] = [];
    for (const name of names) {
      progress(`starting ${name}`);
      sides.push({ side: await start(name), rounds: [] });
    }
    // The first round warms all up.
    for (let round = 0; round <= roundsWanted; round += 1) {
      for (const { side, rounds } of round % 2 === 0 ? sides : sides.toReversed()) {
        progress(`round ${round} of ${roundsWanted}: ${side.title}`);
        const { cpuUs: verificationUs } = await limit.measure(VERIFY_MS);
        const figures = await runRound(
          side,
          count,
          side.perRequest === 1 ? connections : batchConnections,
          verificationUs,
        );
        if (round > 0) rounds.push(figures);
      }
    }
    return sides.map(({ side: { name, title }, rounds }) => ({ name, title, rounds }));
  } finally {
    await localnet?.network.destroy();
    await programs.end();
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

// Twelve idle processes of a network of four take a quarter of a core, so it runs by itself, beside a bare node of its own.
const isNetwork = (name: string): boolean => name.startsWith('network');
const ofNetwork = wanted.filter((name) => isNetwork(name) || name === 'bare');
try {
  const single = wanted.some((name) => !isNetwork(name))
    ? await measured(wanted.filter((name) => !isNetwork(name)))
    : [];
  const network = wanted.some(isNetwork) ? await measured(ofNetwork) : [];
  progressEnd();
  const result = { ...sidesOf(network), ...sidesOf(single) };
  const othersCores = spread(
    [...single, ...network].flatMap(({ rounds }) => rounds.map((figures) => figures.othersCores)),
  ).median;
  console.log(networkText(result, { rounds: roundsWanted, count, connections, batchConnections, othersCores }));
  const { bare, one } = result;
  if (json !== undefined) {
    if (bare === undefined || one?.ofBare === undefined)
      throw new Error('a recorded result needs the sides bare and one');
    writeResult(json, {
      kind: 'network',
      recordedAt: new Date().toISOString(),
      machine: thisMachine(),
      build,
      commit: commitOf(checkout),
      othersCores,
      ratios: one.ofBare as NetworkResult['ratios'],
      threadsUs: { ...one.threadsUs, bare: bare.threadsUs['node']! },
      sides: result,
    });
  }
} finally {
  await limit.stop();
}
