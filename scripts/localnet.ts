/**
 * `npm run localnet`: a whole network on this machine, on loopback. Four validators (a CometBFT node and our application
 * each), PostgreSQL, and two gateways on the development chain; supervised until Ctrl-C.
 *
 * @module
 */
import path from 'node:path';
import { withAccess } from '../server/app/access.ts';
import { DEVELOPMENT_CHAIN_ID } from '../server/app/dev-accounts.ts';
import { developmentBanner, quoted } from '../server/app/dev-banner.ts';
import { keepDevelopmentFacts } from '../server/app/development-facts.ts';
import { DataDirError } from '../server/app/folder-lock.ts';
import { findCometbft } from './localnet/cometbft.ts';
import { LocalnetError } from './localnet/failure.ts';
import { makeFolder, openLocalnetFolder, type LocalnetFolder } from './localnet/folder.ts';
import { truncateLog } from './localnet/launch.ts';
import { Network } from './localnet/network.ts';
import { prepareNodes, VALIDATORS } from './localnet/nodes.ts';
import { choosePorts, partStates, STOP, type NetworkSetup } from './localnet/parts.ts';
import { isFree } from './localnet/ports.ts';
import { awaitPostgres, findPostgres, prepareCluster, unprivilegedUser } from './localnet/postgres.ts';
import { endLeftover, isRunning } from './localnet/processes.ts';
import { createProgress, type Progress } from './localnet/progress.ts';
import { awaitReady } from './localnet/readiness.ts';
import { readState, type LocalnetState, type PartState } from './localnet/state.ts';
import { readVariables, type LocalnetVariables } from './localnet/variables.ts';
import { nodeTooOld } from './steps.ts';

/** Far above the duration of a start: a network that is not up by then will not come up. */
const READY_MS_MAX = 120_000;
/** npm forwards the SIGINT that the terminal has already sent: two that come together are one Ctrl-C. */
const SECOND_SIGNAL_MS_MIN = 1000;
const UMASK = 0o077;
const EXIT_FAILED = 1;
/** The exit code of a shell for a program that SIGINT ended. */
const EXIT_KILLED = 130;

/** Ends the parts that a killed supervisor left running, in its own order. */
async function endLeftovers(before: LocalnetState | undefined, progress: Progress): Promise<void> {
  const left = (before?.parts ?? []).toReversed().flatMap((part) => {
    const known =
      part.pid === null || part.startedAt === null ? undefined : { pid: part.pid, startedAt: part.startedAt };
    return known && isRunning(known) ? [{ part, known }] : [];
  });
  if (left.length === 0) return;
  const end = (kind: PartState['kind']): Promise<unknown> =>
    Promise.all(
      left.filter(({ part }) => part.kind === kind).map(({ part, known }) => endLeftover(known, STOP[part.kind])),
    );
  await progress.step(
    `Ending what an earlier run left behind (${left.map(({ part }) => part.name).join(', ')})`,
    async () => {
      for (const kind of ['gateway', 'node', 'app', 'postgres'] as const) await end(kind);
    },
  );
}

async function checkOuterPorts(gateways: readonly number[]): Promise<void> {
  for (const port of gateways) {
    if (!(await isFree(port)))
      throw new LocalnetError(
        `Port ${port} is taken: another program listens there. Stop it, or set PORT; the gateways take PORT and PORT+1.`,
      );
  }
}

async function prepare(
  variables: LocalnetVariables,
  folder: LocalnetFolder,
  progress: Progress,
): Promise<{ setup: NetworkSetup; state: LocalnetState }> {
  const before = readState(folder.state);
  await endLeftovers(before, progress);
  const ports = await choosePorts(variables.port, before?.parts ?? []);
  await checkOuterPorts(ports.gateways);
  const bin = await findPostgres();
  const cometbft = await findCometbft(process.env, progress);
  const cluster = { bin, data: path.join(folder.postgres, 'data'), user: unprivilegedUser(), port: ports.postgres };
  const state: LocalnetState = {
    version: 1,
    supervisorPid: process.pid,
    chainId: DEVELOPMENT_CHAIN_ID,
    gateways: ports.gateways.map((port) => `http://127.0.0.1:${port}`),
    databaseUrlFile: folder.databaseUrl,
    parts: partStates(folder, ports),
  };
  for (const { log, kind, home } of state.parts) {
    truncateLog(log);
    if (kind === 'gateway') makeFolder(home);
  }
  const { url: databaseUrl, opened } = await progress.step('Preparing the database', () =>
    prepareCluster(cluster, folder.databaseUrl),
  );
  if (opened.length > 0)
    progress.note(
      `Opened for passing through (o+x), so that PostgreSQL's user reaches ${cluster.data}: ${opened.join(', ')}`,
    );
  const { mempoolSize } = variables;
  await progress.step(`Preparing ${VALIDATORS} validators`, () =>
    prepareNodes(folder, { cometbft, ports: ports.nodes, ...(mempoolSize === undefined ? {} : { mempoolSize }) }),
  );
  return { setup: { folder, ports, variables, cometbft, cluster, databaseUrl }, state };
}

async function bringUp(
  network: Network,
  { folder, cluster, databaseUrl }: NetworkSetup,
  state: LocalnetState,
  port: number,
  progress: Progress,
) {
  const given = new AbortController();
  try {
    network.start('postgres');
    network.start('validators');
    await progress.step('Starting PostgreSQL', () => network.whileStarting(awaitPostgres(cluster, given.signal)));
    const onDatabase: Parameters<typeof keepDevelopmentFacts>[0]['onDatabase'] = (work) =>
      withAccess({ kind: 'postgres', url: databaseUrl }, work);
    const facts = await keepDevelopmentFacts({ file: folder.development, host: '127.0.0.1', port, onDatabase });
    network.start('gateways');
    const lacking = await progress.step(
      `Waiting for ${VALIDATORS} validators and ${state.gateways.length} gateways`,
      () => network.whileStarting(awaitReady(state.gateways, READY_MS_MAX, given.signal)),
    );
    if (lacking.length > 0)
      throw new LocalnetError(
        `The network is not ready after ${READY_MS_MAX / 1000} s:\n  ${lacking.join('\n  ')}\nThe logs are in ${folder.logs}.`,
      );
    network.up();
    return facts;
  } finally {
    given.abort();
  }
}

async function takeDown(network: Network, progress: Progress): Promise<void> {
  await progress.step('Draining the gateways', () => network.stop('gateways'));
  await progress.step('Stopping nodes and applications', () => network.stop('validators'));
  await progress.step('Stopping PostgreSQL', () => network.stop('postgres'));
}

/** The first signal ends everything in order, a second one at once. @returns a function: true once a signal has come. */
function onSignals(network: Network, progress: Progress): () => boolean {
  let firstMs: number | undefined;
  const end = (): void => {
    if (firstMs === undefined) {
      firstMs = performance.now();
      void takeDown(network, progress).then(() => process.exit(0));
    } else if (performance.now() - firstMs >= SECOND_SIGNAL_MS_MIN) {
      progress.note('Killing what is left');
      network.kill();
      process.exit(EXIT_KILLED);
    }
  };
  // SIGHUP comes when the terminal is closed; the parts have no terminal and would go on.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  // An output without a reader, as after `| head`, is not a reason to end the parts.
  process.stdout.on('error', () => undefined);
  const die = (error: unknown): void => {
    console.error(error);
    network.kill();
    process.exit(EXIT_FAILED);
  };
  process.on('uncaughtException', die);
  process.on('unhandledRejection', die);
  return () => firstMs !== undefined;
}

function tell(
  facts: Parameters<typeof developmentBanner>[0],
  setup: NetworkSetup,
  state: LocalnetState,
  seconds: string,
): void {
  const { folder, variables } = setup;
  console.log(
    developmentBanner(facts, {
      dataDir: variables.dataDir,
      file: folder.development,
      hasExplorer: process.env['EXPLORER']?.trim() !== 'off',
    }),
  );
  console.log(`A network of ${VALIDATORS} validators, ready after ${seconds} s. Gateways:`);
  for (const gateway of state.gateways) console.log(`  ${gateway}`);
  console.log(`Parts, ports and processes stand in ${folder.state}, logs in ${folder.logs}.`);
  console.log(`Commands on tokens and addresses need DATABASE_URL="$(cat ${quoted(folder.databaseUrl)})".`);
  console.log('Ctrl-C stops everything.');
}

async function main(): Promise<void> {
  const startedMs = performance.now();
  if (process.platform !== 'linux')
    throw new LocalnetError(
      `npm run localnet needs Linux (it looks processes up in /proc); this is ${process.platform}. npm start runs everywhere.`,
    );
  process.umask(UMASK);
  const progress = createProgress(process.stdout);
  const variables = readVariables(process.env);
  const folder = openLocalnetFolder(path.resolve(variables.dataDir));
  const { setup, state } = await prepare(variables, folder, progress);
  const network = new Network(setup, state, progress);
  const signalled = onSignals(network, progress);
  try {
    const facts = await bringUp(network, setup, state, variables.port, progress);
    tell(facts, setup, state, ((performance.now() - startedMs) / 1000).toFixed(0));
  } catch (error) {
    // After a signal, failures are caused by the shutdown; the process ends when that is complete.
    if (signalled()) return;
    await takeDown(network, progress);
    throw error;
  }
}

const tooOld = nodeTooOld();
if (tooOld) {
  console.error(tooOld);
  process.exit(EXIT_FAILED);
}
try {
  await main();
} catch (error) {
  if (!(error instanceof LocalnetError || error instanceof DataDirError)) throw error;
  console.error(error.message);
  process.exit(EXIT_FAILED);
}
