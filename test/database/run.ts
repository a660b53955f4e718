/**
 * Fail-over and point-in-time restore under load, with real PostgreSQL 15 servers and two gateways that have both hosts in DATABASE_URL.
 *
 * 0. Both gateways are given the second host while they run. 1. The primary dies and its synchronous standby is promoted: service is back within 5 s, nothing that was acknowledged is lost; the old primary comes back
 *    as a second one and is refused. 2. An asynchronous standby that lags is promoted: gateways end, are started again, follow; the chain's facts
 *    come back. 3. The same after a restore to an earlier moment (base backup, WAL archive, recovery_target_time).
 *
 *   node test/database/run.ts
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { decodeTransaction, txHash } from '../../server/ledger/index.ts';
import { POSTGRES_MISSING, PostgresCluster } from '../support/postgres.ts';
import { Chain, SupervisedGateway } from './gateways.ts';
import { ALICE, inputOf, Load, type Told } from './load.ts';

const LOOK_MS = 50;
const BACK_MS_MAX = 5000;
const FOLLOWED_MS_MAX = 60_000;
const LOAD_MS = 4000;
const MS_PER_S = 1000;

const startedMs = performance.now();
const tell = (line: string): void =>
  console.log(`${line} (${Math.round((performance.now() - startedMs) / MS_PER_S)} s)`);
function check(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}
async function until(what: string, holds: () => boolean | Promise<boolean>, msMax = FOLLOWED_MS_MAX): Promise<number> {
  const beganMs = performance.now();
  while (!(await holds())) {
    if (performance.now() - beganMs > msMax) throw new Error(`it did not happen within ${msMax} ms: ${what}`);
    await sleep(LOOK_MS);
  }
  return Math.round(performance.now() - beganMs);
}

if (POSTGRES_MISSING !== undefined) throw new Error(POSTGRES_MISSING);
const archive = mkdtempSync(path.join(tmpdir(), 'txledger-archive-'));
// The servers run as another user where root tests.
chmodSync(archive, 0o777);
const SETTINGS = [
  'archive_mode=on',
  `archive_command=cp %p ${archive}/%f`,
  'wal_keep_size=256MB',
  'log_min_messages=fatal',
];
const servers: PostgresCluster[] = [];
const keep = (server: PostgresCluster): PostgresCluster => {
  servers.push(server);
  return server;
};
const drop = async (server: PostgresCluster): Promise<void> => {
  servers.splice(servers.indexOf(server), 1);
  await server.stop();
};

const first = keep(await PostgresCluster.start(SETTINGS));
const database = new URL(await first.database()).pathname.slice(1);
const second = keep(await PostgresCluster.copyOf(first, SETTINGS, { standby: true }));
// Only now, so that the copy does not wait for a standby of its own when it is promoted.
await first.query("alter system set synchronous_standby_names = '*'");
await first.query('select pg_reload_conf()');
await until(
  'the standby is synchronous',
  async () => (await first.query("select 1 from pg_stat_replication where sync_state = 'sync'")).length === 1,
);
const url = `postgres://postgres:${first.password}@127.0.0.1:${first.port},127.0.0.1:${second.port}/${database}?target_session_attrs=read-write`;

const chain = new Chain();
const gateways = ['one', 'two'].map((name) => new SupervisedGateway(name, first.url(database), chain));
const load = new Load(gateways);
const isReady = async ({ gateway }: SupervisedGateway): Promise<boolean> =>
  (await gateway?.readiness())?.ready === true;
const allReady = async (): Promise<boolean> => (await Promise.all(gateways.map(isReady))).every(Boolean);

/** Every transfer that a block executed, and every one that a block's cancel names. */
function factsOfChain(): { executed: Map<string, number>; cancels: Set<string> } {
  const executed = new Map<string, number>();
  const cancels = new Set<string>();
  for (const { transactions, codes } of chain.engine.committed) {
    for (const [index, raw] of transactions.entries()) {
      const decoded = decodeTransaction(raw);
      if (!decoded.ok || codes[index] !== 0) continue;
      if (decoded.tx.kind === 'transfer') executed.set(txHash(raw), (executed.get(txHash(raw)) ?? 0) + 1);
      if (decoded.tx.kind === 'cancel') cancels.add(decoded.tx.txHash);
    }
  }
  return { executed, cancels };
}

async function statusOf(hash: string): Promise<string> {
  const found = await gateways[0]?.gateway?.get(hash);
  return found === undefined ? 'unknown' : 'ok' in found ? `${found.code}: ${found.detail}` : found.status;
}

/** What both a fail-over and a restore that step back promise; returns how many cancels were reported whose rows were lost. */
async function checkAfterStepBack(): Promise<number> {
  await until('both gateways are ready again', allReady);
  await load.stop();
  check(load.faults.length === 0, load.faults[0] ?? '');
  const { height } = chain.engine;
  await until('the gateways have followed', async () => ((await gateways[0]?.gateway?.chain())?.height ?? 0) >= height);
  let lost = 0;
  const again: Told[] = [];
  for (const told of load.told) {
    const { hash } = told.transfer;
    const { executed, cancels } = factsOfChain();
    const status = await statusOf(hash);
    check((executed.get(hash) ?? 0) <= 1, `${hash} was executed twice`);
    check(!(told.cancelled && executed.has(hash)), `${hash} was reported cancelled and is executed`);
    if (executed.has(hash)) check(status === 'committed', `${hash} is on the chain and here ${status}`);
    else if (!cancels.has(hash)) again.push(told);
    else if (status !== 'cancelled') {
      lost += 1;
      await checkLostCancel(told, status);
    }
  }
  tell(
    `  ${load.told.length} acknowledged: ${lost} cancels whose rows are lost say so, ${again.length} to be sent again`,
  );
  for (const { transfer, cancelled } of again) {
    check(!cancelled, `${transfer.hash} was reported cancelled and no block has its cancel`);
    const answer = await gateways[1]?.gateway?.submit(inputOf(transfer), ALICE);
    check(answer?.ok === true, `${transfer.hash} sent again: ${JSON.stringify(answer)}`);
  }
  await until('everything sent again is settled', async () => {
    const statuses = await Promise.all(again.map(({ transfer }) => statusOf(transfer.hash)));
    return statuses.every((status) => status === 'committed');
  });
  return lost;
}

async function checkLostCancel({ transfer, cancelled }: Told, status: string): Promise<void> {
  const says = new RegExp(
    `^not_found: .* voided nonce ${transfer.tx.nonce} of ${transfer.tx.from} by a cancel that names this hash`,
  );
  check(says.test(status), `${transfer.hash} (reported cancelled: ${cancelled}) is here ${status}`);
  const repeated = await gateways[0]?.gateway?.cancel(transfer.hash, ALICE, 0);
  check(
    repeated?.ok === false && repeated.code === 'not_found' && repeated.detail.includes('can ever execute'),
    `a repeated cancel: ${JSON.stringify(repeated)}`,
  );
  const submitted = await gateways[1]?.gateway?.submit(inputOf(transfer), ALICE);
  check(
    submitted?.ok === false && submitted.code === 'nonce_cancelled' && submitted.txHash === transfer.hash,
    `submitted again: ${JSON.stringify(submitted)}`,
  );
}

try {
  await until('both gateways are ready', allReady);
  tell('1. two gateways on a primary with a synchronous standby');
  load.start();
  await sleep(LOAD_MS / 2);
  for (const gateway of gateways) {
    const refusal = await gateway.relocate(first.url('postgres')).catch((error: Error) => error.message);
    check(/it is no database of a gateway/.test(String(refusal)), `an empty database was not refused: ${refusal}`);
    const [told, beganMs] = [load.told.length, performance.now()];
    await gateway.relocate(url);
    tell(
      `  moved to both hosts under load in ${Math.round(performance.now() - beganMs)} ms, ${load.told.length - told} acknowledged meanwhile`,
    );
  }
  await sleep(LOAD_MS / 2);
  const before = load.told.length;
  await first.kill9();
  await second.promote();
  const backMs = await until(
    'transfers are acknowledged again by both gateways',
    async () => load.told.length > before + 2 && (await allReady()),
    BACK_MS_MAX,
  );
  tell(`  the primary was killed and its standby promoted: back after ${backMs} ms`);
  await first.restart();
  await first.query('alter system reset synchronous_standby_names');
  await first.query('select pg_reload_conf()');
  const seqOf = async (server: PostgresCluster): Promise<number> =>
    Number((await server.query('select sum(last_seq) as last_seq from shards', database))[0]?.last_seq);
  const [oldSeq, newSeq] = [await seqOf(first), await seqOf(second)];
  await until(
    'the old primary is named and refused',
    () =>
      gateways.every(({ logged }) =>
        logged.some(({ fields }) => /its timeline 1 is older than 2/.test(String((fields as { why?: unknown }).why))),
      ),
    BACK_MS_MAX,
  );
  await sleep(LOAD_MS / 2);
  await load.stop();
  check((await seqOf(first)) === oldSeq, 'a gateway wrote to the old primary');
  check((await seqOf(second)) > newSeq, 'nothing was written to the new primary');
  check(load.faults.length === 0, load.faults[0] ?? '');
  check(
    gateways.every(({ ends }) => ends.length === 0),
    `a gateway ended: ${gateways.map(({ ends }) => ends.join(';')).join(' ')}`,
  );
  for (const { transfer } of load.told)
    check((await statusOf(transfer.hash)) !== 'unknown', `${transfer.hash} was acknowledged and is lost`);
  tell(`  ${load.told.length} acknowledged, none lost; the old primary, back as a second one, got no write`);
  await drop(first);

  tell('2. an asynchronous standby that lags is promoted');
  const third = keep(await PostgresCluster.copyOf(second, SETTINGS, { standby: true, port: first.port }));
  load.start();
  await until(
    'the standby streams',
    async () => (await second.query('select 1 from pg_stat_replication')).length === 1,
  );
  await sleep(LOAD_MS / 4);
  await third.query("alter system set primary_conninfo = ''");
  await third.query('select pg_reload_conf()');
  await until('the standby lags', async () => (await third.query('select 1 from pg_stat_wal_receiver')).length === 0);
  await sleep(LOAD_MS);
  await second.kill9();
  await third.promote();
  await until('both gateways ended', () => gateways.every(({ ends }) => ends.length > 0));
  check(
    gateways.every(({ ends }) => /^the database stands at block \d+/.test(ends[0] ?? '')),
    `they ended otherwise: ${gateways.map(({ ends }) => ends[0])}`,
  );
  check((await checkAfterStepBack()) > 0, 'no reported cancel lost its row: this showed nothing');
  await drop(second);

  tell('3. a restore to an earlier moment, from a base backup and the WAL archive');
  load.start();
  await sleep(LOAD_MS / 4);
  const restored = keep(await PostgresCluster.copyOf(third, SETTINGS, { port: second.port, start: false }));
  await sleep(LOAD_MS / 4);
  const [{ target }] = await third.query('select clock_timestamp()::text as target');
  await sleep(LOAD_MS);
  const [{ segment }] = await third.query('select pg_walfile_name(pg_switch_wal()) as segment');
  await until(
    'the WAL is archived',
    async () =>
      (await third.query(`select 1 from pg_stat_archiver where last_archived_wal >= '${segment}'`)).length === 1,
  );
  const endsBefore = gateways.map(({ ends }) => ends.length);
  await third.shutdown();
  writeFileSync(path.join(restored.data, 'recovery.signal'), '');
  restored.settings.push(
    `restore_command=cp ${archive}/%f %p`,
    `recovery_target_time=${target}`,
    'recovery_target_action=promote',
  );
  await restored.restart();
  await until('both gateways ended', () => gateways.every(({ ends }, index) => ends.length > (endsBefore[index] ?? 0)));
  check((await checkAfterStepBack()) > 0, 'no reported cancel lost its row: this showed nothing');
  tell('all held');
} finally {
  await load.stop();
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  chain.stop();
  for (const server of servers) await server.stop();
  rmSync(archive, { recursive: true, force: true });
}
