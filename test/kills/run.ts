/**
 * A server is killed again and again over one data folder, while clients send, change and read: nothing that it told anyone is lost, done twice or
 * said otherwise later.
 *
 *   node test/kills/run.ts [--kills 20] [--minutes 60] [--seed 1] [--tree FOLDER] [--first]
 *
 * Kills (SIGKILL) fall into batches of 1,000; behind a new block under a backlog; into a backup; into a start, at any moment of it; and into the start that
 * writes into chain.db what only log.db has, because another process held chain.db while blocks were made, or because an older chain.db was put back. Each
 * server has one to three HTTP threads. After each start the state is compared with what is known outside (known.ts, changes.ts). At the end everything
 * is compared once more, and `txledger verify` executes the chain again from genesis. --tree is another checkout whose server is taken; with --first
 * the first violation ends the run. A run with a violation keeps its folder and says where.
 *
 * The seed decides what is asked and where kills are aimed; how they meet the threads is up to the machine.
 */
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';
import { ROOT } from '../../scripts/steps.ts';
import { chance } from '../client/chaos/chance.ts';
import { type Chain, chainOf } from '../e2e/support/chain.ts';
import { environment, freePort, Server, txledger } from '../e2e/support/server.ts';
import { endInTime, SERVER_VARIABLES } from '../power/lives.ts';
import { BATCH, Connection, type Load, startLoad } from '../power/load.ts';
import { commandResult, ended } from '../support/child-process.ts';
import { Changes } from './changes.ts';
import { Known, type Violation, VIOLATIONS } from './known.ts';

/** In this order, again and again. */
const KINDS = [
  'in a batch',
  'in a start',
  'chain.db held',
  'in a block',
  'in a backup',
  'in a batch',
  'in a start',
  'an older chain.db',
  'in a block',
] as const;
type Kind = (typeof KINDS)[number] | 'in a roll-forward';
const HTTP_THREADS_MAX = 3;
/** Short ones, so that a kill meets the making of a block often. */
const BLOCK_INTERVALS_MS = [20, 50, 100] as const;
const KILL_AFTER_BATCH_MS_MAX = 300;
const KILL_AFTER_BACKUP_MS_MAX = 60;
const KILL_IN_ROLL_FORWARD_MS_MAX = 40;
/** Blocks are made so long while chain.db is held, or behind the moment of the copy that is put back. */
const BEHIND_MS = 700;
/** Before the first start was measured. */
const START_MS_GUESS = 800;
const WAIT_MS_MAX = 20_000;
const POLL_MS = 2;
const SHOWN_MAX = 20;

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '20' },
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    tree: { type: 'string', default: ROOT },
    first: { type: 'boolean', default: false },
  },
});
const killsWanted = Number(values.kills);
const random = chance(Number(values.seed));
const program = { file: 'server/cli/txledger.ts', cwd: values.tree };
const startedMs = performance.now();
const tell = (line: string): void => console.log(`${line} (${((performance.now() - startedMs) / 1000).toFixed(1)} s)`);

const violations = new Map<Violation, number>(VIOLATIONS.map((violation) => [violation, 0]));
let violationCount = 0;
function add(violation: Violation, what: string): void {
  violations.set(violation, (violations.get(violation) ?? 0) + 1);
  violationCount += 1;
  if (violationCount <= SHOWN_MAX) tell(`VIOLATION after kill ${killCount}: ${violation}: ${what}`);
}

const folder = mkdtempSync(path.join(tmpdir(), 'txledger-kills-'));
const dataDir = path.join(folder, 'data');
const chainFile = path.join(dataDir, 'chain.db');
const known = new Known(random, add);
const heard: Known['hear'] = (askedMs, reply) => known.hear(askedMs, reply);
let changes: Changes | undefined;
let killCount = 0;
const killsOf = new Map<Kind, number>();
/** Of starts behind a kill, in milliseconds. */
const starts: number[] = [];
const met = { unreadyStarts: 0, rollForwards: 0, olderChains: 0, backups: 0 };

const isOver = (): boolean =>
  killCount >= killsWanted ||
  performance.now() - startedMs > Number(values.minutes) * 60_000 ||
  (values.first && violationCount > 0);

function killed(kind: Kind): void {
  killCount += 1;
  killsOf.set(kind, (killsOf.get(kind) ?? 0) + 1);
}

async function newServer(): Promise<Server> {
  const variables = {
    ...SERVER_VARIABLES,
    BLOCK_INTERVAL_MS: String(BLOCK_INTERVALS_MS[Math.floor(random() * BLOCK_INTERVALS_MS.length)]),
    HTTP_THREADS: String(1 + Math.floor(random() * HTTP_THREADS_MAX)),
  };
  return new Server({ dataDir, port: await freePort(), variables, program });
}

/** Starts the server, and compares what it says with what is known. */
async function started(server: Server, isAll = false): Promise<Chain<Server>> {
  const ms = await server.start();
  if (killCount > 0) starts.push(ms);
  const chain = chainOf(server, await server.development());
  if (changes === undefined) {
    const scopes = ['access:manage', 'transactions:read'].flatMap((scope) => ['--scope', scope]);
    const made = await txledger(['token', 'create', '--owner', 'killer', ...scopes, '--json'], server.storeVariables);
    if (made.code !== 0) throw new Error(`no token could be made: ${made.stderr}`);
    changes = new Changes(JSON.parse(made.stdout).token as string, random, heard, add);
  }
  const connection = new Connection(chain);
  await known.compare(chain, connection, isAll);
  connection.close();
  await changes.compare(chain);
  return chain;
}

/** Waits for a moment, and no longer than clients send. */
async function until(load: Load, isThere: () => boolean | Promise<boolean>): Promise<void> {
  const state = { isOver: false };
  void load.done.finally(() => (state.isOver = true)).catch(() => undefined);
  for (const endMs = performance.now() + WAIT_MS_MAX; performance.now() < endMs && !state.isOver;) {
    if (await isThere()) return;
    await sleep(POLL_MS);
  }
}

/** Lets clients send until the moment that this kind is about, and kills the server. */
async function liveAndDie(kind: (typeof KINDS)[number]): Promise<void> {
  const server = await newServer();
  const chain = await started(server);
  const load = await startLoad(chain, 1, heard);
  const changing = (changes as Changes).run(chain);
  changing.catch(() => undefined);
  let after = async (): Promise<void> => undefined;
  if (kind === 'in a batch') {
    await sleep(random() * KILL_AFTER_BATCH_MS_MAX);
  } else if (kind === 'in a block') {
    await until(load, () => load.acknowledged.length >= BATCH);
    const connection = new Connection(chain);
    const height = async (): Promise<number> =>
      Number((await connection.ask('GET', '/rpc/status')).body.result.sync_info.latest_block_height);
    const first = await height();
    await until(load, async () => (await height()) > first);
    connection.close();
    await sleep(random() * BLOCK_INTERVALS_MS[0]);
  } else if (kind === 'in a backup') {
    await until(load, () => load.acknowledged.length >= BATCH);
    after = await backUp();
  } else if (kind === 'chain.db held') {
    const other = new Database(chainFile);
    other.pragma(`busy_timeout = ${WAIT_MS_MAX}`);
    other.exec('BEGIN IMMEDIATE');
    await sleep(BEHIND_MS * (1 + random()));
    after = async () => void other.close();
  } else if (kind === 'an older chain.db') {
    await until(load, () => load.acknowledged.length >= BATCH / 2);
    const copy = path.join(folder, 'older.db');
    const other = new Database(chainFile, { readonly: true });
    await other.backup(copy);
    other.close();
    await sleep(BEHIND_MS * random());
    after = async () => putBack(copy);
  }
  await server.stop('SIGKILL');
  killed(kind);
  // Also after a fault: another process may hold chain.db.
  await Promise.all([load.done, changing]).finally(after);
}

/** Begins one, and returns at a moment within it. @returns what waits for its end: a backup that says it is whole is. */
async function backUp(): Promise<() => Promise<void>> {
  const out = path.join(folder, `backup-${killCount}`);
  const child = spawn(process.execPath, [program.file, 'backup', '--out', out], {
    cwd: program.cwd,
    env: environment({ DATA_DIR: dataDir }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const result = commandResult(child);
  while (!existsSync(`${out}.partial`) && !existsSync(out) && child.exitCode === null) await sleep(POLL_MS);
  await sleep(random() * KILL_AFTER_BACKUP_MS_MAX);
  return async () => {
    const { code } = await result;
    if (code === 0) {
      met.backups += 1;
      const { code: verdict, stderr } = await txledger(['verify', '--quick', out]);
      if (verdict !== 0) add('other', `a backup beside a kill does not verify: ${stderr}`);
    }
    for (const left of [out, `${out}.partial`]) rmSync(left, { recursive: true, force: true });
  };
}

/** Undefined where no process may be asked: how far chain.db is, and what log.db has. */
function places(file = chainFile): { held: number; first: number; last: number } {
  const read = <T>(name: string, query: string): T => {
    const sql = new Database(name, { readonly: true });
    try {
      return sql.prepare(query).raw().get() as T;
    } finally {
      sql.close();
    }
  };
  const [held] = read<[number]>(file, 'SELECT entry_seq FROM chain');
  const [first, last] = read<[number, number]>(
    path.join(dataDir, 'log.db'),
    'SELECT min(CASE WHEN seq > 0 THEN seq END), max(seq) FROM log',
  );
  return { held, first, last };
}

/** In the place of chain.db, if the log still has what comes behind it: otherwise a start refuses it, which test/backup shows. */
function putBack(copy: string): void {
  const { held, first } = places(copy);
  if (first > held + 1) return;
  met.olderChains += 1;
  for (const end of ['-wal', '-shm']) rmSync(chainFile + end, { force: true });
  copyFileSync(copy, chainFile);
}

async function killStart(): Promise<void> {
  const server = await newServer();
  const child = server.spawn();
  const end = ended(child);
  const usual = starts.toSorted((a, b) => a - b)[Math.floor(starts.length / 2)] ?? START_MS_GUESS;
  await Promise.race([sleep(random() * usual), end]);
  if (child.exitCode !== null) add('other', `a start ended with ${child.exitCode}: ${server.output}`);
  await server.stop('SIGKILL');
  killed('in a start');
}

/** A start that has to write into chain.db what only the log has is killed as soon as it writes. */
async function killRollForward(): Promise<void> {
  const before = places();
  if (before.held >= before.last) return;
  const server = await newServer();
  const wal = `${chainFile}-wal`;
  const changedMs = (): number => statSync(wal, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const then = changedMs();
  const child = server.spawn();
  for (const endMs = performance.now() + WAIT_MS_MAX; performance.now() < endMs && child.exitCode === null;) {
    if (changedMs() !== then) break;
    await sleep(1);
  }
  await sleep(random() * KILL_IN_ROLL_FORWARD_MS_MAX);
  if (child.exitCode !== null) add('other', `a start ended with ${child.exitCode}: ${server.output}`);
  await server.stop('SIGKILL');
  killed('in a roll-forward');
  const { held } = places();
  if (held > before.held && held < before.last) met.rollForwards += 1;
}

const at = (sorted: readonly number[], share: number): number =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);

function table(): string {
  const sorted = starts.toSorted((a, b) => a - b);
  const { transfers, blocks, receipts, pages } = known.counts;
  return [
    '',
    `| ${killCount} kills | |`,
    '|---|---|',
    ...[...killsOf].map(([kind, count]) => `| ${kind} | ${count} |`),
    `| starts that were writing chain.db when they were killed | ${met.rollForwards} |`,
    `| older chain.db put back | ${met.olderChains} |`,
    `| backups that were whole although the server was killed | ${met.backups} |`,
    `| transfers decided, blocks | ${transfers}, ${blocks} |`,
    `| changes of tokens and webhooks acknowledged | ${changes?.acknowledged ?? 0} |`,
    `| receipts, whole pages of statements compared | ${receipts}, ${pages} |`,
    `| start after a kill, ms: median, p99, longest | ${at(sorted, 0.5)}, ${at(sorted, 0.99)}, ${at(sorted, 1)} |`,
    ...[...violations].map(([violation, count]) => `| ${violation} | ${count} |`),
    '',
  ].join('\n');
}

try {
  console.log(`seed ${values.seed}`);
  let told = 0;
  for (let round = 0; !isOver(); round += 1) {
    const kind = KINDS[round % KINDS.length] as (typeof KINDS)[number];
    if (kind === 'in a start') await killStart();
    else await liveAndDie(kind);
    if (kind === 'chain.db held' || kind === 'an older chain.db') await killRollForward();
    if (killCount >= told + 10) {
      told = killCount;
      tell(`${killCount} of ${killsWanted} kills, ${known.counts.transfers} transfers, ${violationCount} violations`);
    }
  }
  const last = await newServer();
  await started(last, true);
  const code = await endInTime(last);
  if (code !== 0) add('other', `the last server ended with ${code}: ${last.output}`);
  const { code: verdict, stdout, stderr } = await txledger(['verify', dataDir]);
  if (verdict !== 0) add('other', `the chain does not verify: ${stdout}${stderr}`);
} catch (error) {
  add('other', (error as Error).stack ?? String(error));
}
console.log(table());
if (violationCount === 0) {
  rmSync(folder, { recursive: true });
  tell('no violation');
} else {
  tell(`${violationCount} violations; the folder is ${folder}`);
  process.exitCode = 1;
}
// Of a server that a fault left running.
process.exit();
