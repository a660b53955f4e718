/** Two hosts of a database: a primary and its synchronous standby, which change places, are made again, and are restored to an earlier moment. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { POSTGRES_MISSING, PostgresCluster } from '../support/postgres.ts';
import type { Link } from './link.ts';

const POLL_MS = 50;
/** Far above what it takes: the machine is shared. */
const WAIT_MS_MAX = 60_000;
/** By default PostgreSQL keeps a silent standby for 60 s, and every commit waits for it as long. */
const STREAM_SILENT_MAX = '5s';

export async function until(what: string, holds: () => Promise<boolean> | boolean, msMax = WAIT_MS_MAX): Promise<void> {
  const endMs = performance.now() + msMax;
  while (!(await holds())) {
    if (performance.now() > endMs) throw new Error(`it did not happen within ${msMax / 1000} s: ${what}`);
    await sleep(POLL_MS);
  }
}

/** A copy of a primary has its settings, and would wait for a standby of its own. */
function waitForNoStandby(data: string): void {
  const file = path.join(data, 'postgresql.auto.conf');
  const lines = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, lines.filter((line) => !line.startsWith('synchronous_standby_names')).join('\n'));
}

export class Databases {
  /** By the place in DATABASE_URL. */
  readonly servers: [PostgresCluster, PostgresCluster];
  readonly database: string;
  readonly #archive: string;
  /** From the standby to the primary. */
  readonly stream: Link;
  primaryAt: 0 | 1 = 0;
  /** Made, but not in a place. */
  readonly #others: PostgresCluster[] = [];

  private constructor(first: PostgresCluster, database: string, archive: string, stream: Link) {
    this.servers = [first, first];
    this.database = database;
    this.#archive = archive;
    this.stream = stream;
  }

  /** @param ports of the two hosts. */
  static async start(port: number, openStream: (target: number) => Promise<Link>): Promise<Databases> {
    if (POSTGRES_MISSING !== undefined) throw new Error(POSTGRES_MISSING);
    const archive = mkdtempSync(path.join(tmpdir(), 'txledger-archive-'));
    // The servers run as another user where root tests.
    chmodSync(archive, 0o777);
    const first = await PostgresCluster.start(settingsWith(archive));
    try {
      const database = new URL(await first.database()).pathname.slice(1);
      const databases = new Databases(first, database, archive, await openStream(first.port));
      databases.servers[1] = await databases.#standbyOf(first, port);
      await databases.#waitForStandby();
      return databases;
    } catch (error) {
      await first.stop();
      rmSync(archive, { recursive: true, force: true });
      throw error;
    }
  }

  get primary(): PostgresCluster {
    return this.servers[this.primaryAt];
  }

  get standby(): PostgresCluster {
    return this.servers[this.standbyAt];
  }

  get standbyAt(): 0 | 1 {
    return this.primaryAt === 0 ? 1 : 0;
  }

  /** As a gateway is told it, through its own links to the two hosts. */
  url(links: readonly [Link, Link]): string {
    const [first, second] = links;
    return `postgres://postgres:${this.primary.password}@127.0.0.1:${first.port},127.0.0.1:${second.port}/${this.database}?target_session_attrs=read-write`;
  }

  /** The standby is the primary from now on; the old primary keeps its place until `makeStandby`. */
  async promote(): Promise<void> {
    await this.standby.promote();
    this.primaryAt = this.standbyAt;
  }

  /** Makes a new standby at the place that is not the primary's, and waits until commits wait for it. */
  async makeStandby(): Promise<void> {
    const old = this.standby;
    await old.stop();
    this.stream.target = this.primary.port;
    await this.stream.heal();
    await this.#confirmAlone();
    this.servers[this.standbyAt] = await this.#standbyOf(this.primary, old.port);
    await this.#waitForStandby();
  }

  /** Commits do not wait for the standby any more. */
  async #confirmAlone(): Promise<void> {
    await this.primary.query('alter system reset synchronous_standby_names');
    await this.primary.query('select pg_reload_conf()');
  }

  /** The standby lags from now on, and commits do not wait for it. */
  async letStandbyLag(): Promise<void> {
    await this.#confirmAlone();
    this.stream.cut();
  }

  /** Lets the old primary take writes beside the new one for a while. @returns whether it got any. */
  async runOldPrimary(ms: number): Promise<boolean> {
    const old = this.standby;
    waitForNoStandby(old.data);
    if (old.pid === undefined) await old.restart();
    else await old.query('select pg_reload_conf()');
    // What was sent to it while it was the primary may still be done; nobody hears of that.
    const busy = `select 1 from pg_stat_activity where datname = '${this.database}' and state <> 'idle' and pid <> pg_backend_pid()`;
    await until('the old primary has done what it was told before', async () => (await old.query(busy)).length === 0);
    const seqs = async (): Promise<string> =>
      String((await old.query('select sum(last_seq) as seqs from shards', this.database))[0]?.seqs);
    const before = await seqs();
    await sleep(ms);
    return (await seqs()) !== before;
  }

  /** A base backup of the primary. */
  async backup(): Promise<PostgresCluster> {
    const copy = await PostgresCluster.copyOf(this.primary, settingsWith(this.#archive), {
      port: this.primary.port,
      start: false,
      beforeStart: waitForNoStandby,
    });
    this.#others.push(copy);
    return copy;
  }

  /** The present moment, and after it the WAL that restores to it is archived. */
  async mark(): Promise<string> {
    const [{ target }] = await this.primary.query('select clock_timestamp()::text as target');
    return target as string;
  }

  /** Replaces the primary by the backup, with everything up to that moment, and ends the standby. */
  async restore(copy: PostgresCluster, target: string): Promise<void> {
    const { primary } = this;
    const [{ segment }] = await primary.query('select pg_walfile_name(pg_switch_wal()) as segment');
    await until(
      'the WAL is archived',
      async () =>
        (await primary.query(`select 1 from pg_stat_archiver where last_archived_wal >= '${segment}'`)).length === 1,
    );
    await primary.shutdown();
    await this.standby.shutdown();
    writeFileSync(path.join(copy.data, 'recovery.signal'), '');
    copy.settings.push(
      `restore_command=cp ${this.#archive}/%f %p`,
      `recovery_target_time=${target}`,
      'recovery_target_action=promote',
    );
    await copy.restart();
    this.servers[this.primaryAt] = copy;
    this.#others.splice(this.#others.indexOf(copy), 1, primary);
    await until(
      'the restored server takes writes',
      async () => (await copy.query('select pg_is_in_recovery() as is'))[0]?.is === false,
    );
  }

  async isWhole(): Promise<boolean> {
    return (await this.primary.query("select 1 from pg_stat_replication where sync_state = 'sync'")).length === 1;
  }

  async stop(): Promise<void> {
    for (const server of new Set([...this.servers, ...this.#others])) {
      server.signal('SIGCONT');
      await server.kill9();
      await server.stop();
    }
    rmSync(this.#archive, { recursive: true, force: true });
  }

  async #standbyOf(primary: PostgresCluster, port: number): Promise<PostgresCluster> {
    const conninfo = `host=127.0.0.1 port=${this.stream.port} user=postgres password=${primary.password}`;
    return PostgresCluster.copyOf(primary, [...settingsWith(this.#archive), `primary_conninfo=${conninfo}`], {
      standby: true,
      port,
    });
  }

  async #waitForStandby(): Promise<void> {
    await this.primary.query("alter system set synchronous_standby_names = '*'");
    await this.primary.query('select pg_reload_conf()');
    await until('the standby is synchronous', () => this.isWhole());
  }
}

function settingsWith(archive: string): string[] {
  return [
    ...[
      'archive_mode=on',
      `archive_command=cp %p ${archive}/%f`,
      'wal_keep_size=256MB',
      'log_min_messages=fatal',
      'max_connections=100',
    ],
    ...[`wal_sender_timeout=${STREAM_SILENT_MAX}`, `wal_receiver_timeout=${STREAM_SILENT_MAX}`],
  ];
}
