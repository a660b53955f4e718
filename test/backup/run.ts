/**
 * Backups with real processes: taken again and again while 32 connections send, each verified, restored and started; killed at random moments;
 * data folders put together by hand refused, or whole, at the start; and the same of a gateway's database on PostgreSQL.
 *
 *   node test/backup/run.ts [--rounds 2] [--kills 6] [--seed 1]
 */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ROOT } from '../../scripts/steps.ts';
import { chance } from '../client/chaos/chance.ts';
import { chainOf } from '../e2e/support/chain.ts';
import { environment, freePort, Server, txledger } from '../e2e/support/server.ts';
import { ended } from '../support/child-process.ts';
import { POSTGRES_MISSING } from '../support/postgres.ts';
import { openChainReader } from '../../server/store/embedded/connection.ts';
import { gatewayRun } from './gateway-run.ts';
import { refuseTornCopies } from './torn-copies.ts';
import { type Load, startLoad } from './under-load.ts';

/** Longest after the folder of a backup is there that it is killed: more than a backup takes here. */
const KILL_MS_MAX = 60;
const GATEWAY_ROUNDS = 1;
/** Many blocks of them, so that statements are further than the file. */
const TRANSFERS_IN_THE_LOG = 1000;
/** In chain.db before the kills: enough pages that a copy takes several slices. */
const TRANSFERS_BEFORE_KILLS = 5000;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '2' },
    kills: { type: 'string', default: '6' },
    seed: { type: 'string', default: '1' },
  },
});
const random = chance(Number(values.seed));
const startedMs = performance.now();
const parent = mkdtempSync(path.join(tmpdir(), 'txledger-backup-run-'));
const file = (name: string): string => path.join(parent, name);
const faults: string[] = [];
const seconds = (): string => `${Math.round((performance.now() - startedMs) / 1000)} s`;
const tell = (line: string): void => console.log(`${line} (${seconds()})`);
const LOAD_VARIABLES = { BLOCK_INTERVAL_MS: '100', LOG_LEVEL: 'error', TXLEDGER_VALIDATE_RESPONSES: 'false' };
const server = new Server({ dataDir: file('data'), port: await freePort(), variables: LOAD_VARIABLES });
const variables = { DATA_DIR: server.dataDir };

async function succeeds(...args: string[]): Promise<any> {
  const { code, stdout, stderr } = await txledger([...args, '--json'], variables);
  if (code !== 0) throw new Error(`txledger ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`);
  return JSON.parse(stdout);
}

/** @returns how many that were acknowledged before the backup began are not in the service that is started from it. */
async function backUpAndStart(round: number, load: Load): Promise<number> {
  const before = load.acknowledged.length;
  const { folder } = await succeeds('backup', '--into', file('backups'), '--keep', '2', '--with-keys');
  await succeeds('verify', folder);
  const dataDir = file(`restored-${round}`);
  await succeeds('restore', folder, '--data-dir', dataDir);
  const again = new Server({ dataDir, port: await freePort(), variables: LOAD_VARIABLES });
  await again.start();
  try {
    const chain = chainOf(again, await again.development());
    const there = new Set((await chain.list()).map(({ txHash }) => txHash));
    const lost = load.acknowledged.slice(0, before).filter((hash) => !there.has(hash)).length;
    tell(`backup ${round}: ${before} transfers were acknowledged before it, ${there.size} are in it, ${lost} lost`);
    return lost;
  } finally {
    await again.stop();
  }
}

/** @returns whether what it left is no backup, or a whole one. */
async function killedBackup(index: number): Promise<'whole' | 'torn' | 'nothing'> {
  const out = file(`killed-${index}`);
  const child = spawn(process.execPath, ['server/cli/txledger.ts', 'backup', '--out', out], {
    cwd: ROOT,
    env: environment(variables),
    stdio: 'ignore',
  });
  const end = ended(child);
  while (!existsSync(`${out}.partial`) && child.exitCode === null && !existsSync(out)) await sleep(1);
  await sleep(random() * KILL_MS_MAX);
  child.kill('SIGKILL');
  await end;
  const left = existsSync(out) ? out : existsSync(`${out}.partial`) ? `${out}.partial` : undefined;
  if (left === undefined) return 'nothing';
  const { code, stderr } = await txledger(['verify', left]);
  if (code !== (left === out ? 0 : 1))
    faults.push(`a backup that was killed left ${left}, and verify ended with ${code}: ${stderr}`);
  if (left === out) return 'whole';
  // The next one takes the leftover away.
  const next = await txledger(['backup', '--out', out], variables);
  if (next.code !== 0 || existsSync(`${out}.partial`))
    faults.push(`no backup could be taken after ${left}: ${next.code} ${next.stderr}`);
  return 'torn';
}

try {
  await server.start();
  const load = await startLoad(chainOf(server, await server.development()));
  let lost = 0;
  // The first is of an early moment: what is old later.
  await succeeds(
    'restore',
    (await succeeds('backup', '--out', file('early-backup'), '--with-keys')).folder,
    '--data-dir',
    file('early'),
  );
  cpSync(path.join(server.dataDir, 'chain.db'), file('torn.db'));
  for (let round = 1; round <= Number(values.rounds); round += 1) lost += await backUpAndStart(round, load);
  if (lost > 0) faults.push(`${lost} acknowledged transfers are not in the backups that were begun after them`);
  while (load.acknowledged.length < TRANSFERS_BEFORE_KILLS) await sleep(50);

  const left = { whole: 0, torn: 0, nothing: 0 };
  for (let kill = 1; kill <= Number(values.kills); kill += 1) left[await killedBackup(kill)] += 1;
  tell(
    `${values.kills} backups killed: ${left.torn} left a folder that is refused, ${left.whole} were whole, ${left.nothing} left nothing`,
  );

  // Held open, a reader keeps the log from being brought into the file: what is written from here on is in the log alone.
  const reader = openChainReader(path.join(server.dataDir, 'chain.db'));
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM blocks').get();
  for (const until = load.acknowledged.length + TRANSFERS_IN_THE_LOG; load.acknowledged.length < until;)
    await sleep(50);
  await server.stop('SIGKILL');
  reader.close();
  await load.stop().catch(() => undefined);
  const torn = await refuseTornCopies({ early: file('early'), torn: file('torn.db'), killed: server.dataDir }, parent);
  faults.push(...torn.faults);
  tell(`${torn.refused} folders put together by hand refused, or whole, at the start`);

  if (POSTGRES_MISSING === undefined) {
    const gateway = await gatewayRun(GATEWAY_ROUNDS, parent);
    faults.push(...gateway.faults);
    tell(
      `a gateway on PostgreSQL: ${GATEWAY_ROUNDS} of its backups verified and restored while ${gateway.transfers} transfers were accepted`,
    );
  } else tell(`a gateway on PostgreSQL: not run, ${POSTGRES_MISSING}`);
} catch (error) {
  faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
} finally {
  await server.stop('SIGKILL');
  rmSync(parent, { recursive: true, force: true });
}
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
