/**
 * A PostgreSQL 15 cluster of its own in a temporary folder, on loopback, with fsync on, that a test may kill.
 *
 * The programs are those of the machine (POSTGRES_BIN, Debian's folder, or PATH); nothing is installed. Where there
 * are none, tests skip and say so.
 */
import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, chownSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { openPostgresStore } from '../../server/store/index.ts';
import { freePort } from '../e2e/support/server.ts';
import { childrenOf } from './child-process.ts';

const DEBIAN_BIN = '/usr/lib/postgresql/15/bin';
const READY_MS_MAX = 60_000;
const POLL_MS = 20;
export const CLUSTER_TIMEOUT_MS = 120_000;

function folderOfPrograms(): string | undefined {
  const folders = [process.env['POSTGRES_BIN'] ?? '', DEBIAN_BIN, ...(process.env['PATH'] ?? '').split(path.delimiter)];
  return folders.find(
    (folder) => folder !== '' && ['postgres', 'initdb'].every((name) => isExecutable(path.join(folder, name))),
  );
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** PostgreSQL refuses to run as root, so a root who tests lends it the user that its package made. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const ids = ['-u', '-g'].map((flag) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout));
  const [uid, gid] = ids;
  return uid === undefined || gid === undefined || !uid || !gid ? undefined : { uid, gid };
}

/** Why no cluster can run here; undefined when one can. */
export const POSTGRES_MISSING: string | undefined =
  folderOfPrograms() === undefined
    ? 'no PostgreSQL programs on this machine (POSTGRES_BIN names their folder)'
    : process.getuid?.() === 0 && unprivileged() === undefined
      ? 'run by root, and there is no user postgres to run PostgreSQL as'
      : undefined;

export class PostgresCluster {
  readonly folder: string;
  readonly port: number;
  readonly password: string;
  /** `name=value` of postgresql.conf, as of the next start. */
  readonly settings: string[];
  #server: ChildProcess | undefined;
  #log = '';
  #databases = 0;
  #template: Promise<string> | undefined;

  private constructor(port: number, settings: readonly string[], password = randomBytes(12).toString('hex')) {
    this.password = password;
    this.folder = mkdtempSync(path.join(tmpdir(), 'txledger-postgres-'));
    this.port = port;
    this.settings = [...settings];
  }

  /** `settings` are `name=value` of postgresql.conf. */
  static async start(settings: readonly string[] = []): Promise<PostgresCluster> {
    if (POSTGRES_MISSING !== undefined) throw new Error(POSTGRES_MISSING);
    const cluster = new PostgresCluster(await freePort(), settings);
    try {
      cluster.#initialise();
      await cluster.restart();
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  /**
   * A copy of a server that runs, by pg_basebackup. `standby`: it streams from that server until it is promoted. Otherwise `beforeStart` gets the
   * folder of the copy; without either it is a copy that nothing connects with its origin.
   */
  static async copyOf(
    source: PostgresCluster,
    settings: readonly string[] = [],
    options: { port?: number; standby?: boolean; beforeStart?: (data: string) => void; start?: boolean } = {},
  ): Promise<PostgresCluster> {
    const cluster = new PostgresCluster(options.port ?? (await freePort()), settings, source.password);
    const user = unprivileged();
    if (user !== undefined) chownSync(cluster.folder, user.uid, user.gid);
    const origin = ['-h', '127.0.0.1', '-p', String(source.port), '-U', 'postgres'];
    // Not spawnSync: what else a test does, its load for example, goes on meanwhile.
    await promisify(execFile)(
      program('pg_basebackup'),
      [...origin, '-D', cluster.data, '-X', 'stream', '-c', 'fast', ...(options.standby ? ['-R'] : [])],
      {
        ...user,
        cwd: cluster.folder,
        env: { ...process.env, PGPASSWORD: source.password },
      },
    );
    options.beforeStart?.(cluster.data);
    if (options.start !== false) await cluster.restart();
    return cluster;
  }

  /** Ends a standby's recovery: it takes writes from now on, on a timeline of its own. */
  async promote(): Promise<void> {
    await this.query('select pg_promote()');
  }

  url(database = 'postgres', password = this.password): string {
    return `postgres://postgres:${password}@127.0.0.1:${this.port}/${database}`;
  }

  /** A new, empty database. Returns its URL. */
  async database(): Promise<string> {
    const name = `test_${++this.#databases}`;
    await this.query(`create database ${name}`);
    return this.url(name);
  }

  /** A new database as a store leaves it that was opened on an empty one. Its schema is made once for the cluster and copied: a quarter of the time. */
  async storeDatabase(): Promise<string> {
    this.#template ??= this.#storeTemplate();
    const template = await this.#template;
    const name = `test_${++this.#databases}`;
    await this.query(`create database ${name} template ${template}`);
    return this.url(name);
  }

  async #storeTemplate(): Promise<string> {
    const url = await this.database();
    await (await openPostgresStore({ url })).close();
    return new URL(url).pathname.slice(1);
  }

  /** As the superuser, on a connection that is closed again. */
  async query(text: string, database?: string): Promise<any[]> {
    const client = new pg.Client({ connectionString: this.url(database) });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** Starts the server when it does not run, and waits until it takes connections. */
  async restart(): Promise<void> {
    const endMs = Date.now() + READY_MS_MAX;
    while (Date.now() < endMs) {
      if (this.#server === undefined) this.#spawn();
      try {
        await this.query('select 1');
        return;
      } catch {
        await sleep(POLL_MS);
      }
    }
    throw new Error(`PostgreSQL did not come up:\n${this.#log}`);
  }

  /** Ends the server and its sessions at once, as a machine that loses power does, except that the disk keeps what was handed to it. */
  async kill9(): Promise<void> {
    const server = this.#server;
    if (server?.pid === undefined) return;
    const sessions = childrenOf(server.pid);
    server.kill('SIGKILL');
    for (const pid of sessions) signalIfThere(pid, 'SIGKILL');
    await this.#ended(server);
  }

  /** Stops the server and its sessions where they are, as a machine that hangs does, or lets them go on. They must go on before the end of the test. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    const pid = this.#server?.pid;
    if (pid === undefined) return;
    // The server first: it would start again what ends, and sessions that it starts meanwhile are not stopped.
    process.kill(pid, signal);
    // A session may end while they are listed: the server that goes on lets it go.
    for (const child of childrenOf(pid)) signalIfThere(child, signal);
  }

  /** The process of the server; undefined while it does not run. */
  get pid(): number | undefined {
    return this.#server?.pid;
  }

  /** Ends the server as an administrator does: `SIGINT` is `pg_ctl stop -m fast`, `SIGQUIT` `immediate`, both of which tell the sessions. */
  async shutdown(signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT'): Promise<void> {
    const server = this.#server;
    server?.kill(signal);
    if (server !== undefined) await this.#ended(server);
  }

  /** Comes back as a standby that has lost its primary: it answers questions and takes no writes. */
  async becomeStandby(): Promise<void> {
    await this.shutdown();
    writeFileSync(path.join(this.data, 'standby.signal'), '');
    await this.restart();
  }

  /** Ends the server and removes everything. */
  async stop(): Promise<void> {
    await this.shutdown();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #ended(server: ChildProcess): Promise<void> {
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
    this.#server = undefined;
  }

  #initialise(): void {
    const user = unprivileged();
    const passwordFile = path.join(this.folder, 'password');
    writeFileSync(passwordFile, this.password);
    if (user !== undefined) for (const file of [this.folder, passwordFile]) chownSync(file, user.uid, user.gid);
    const made = spawnSync(
      program('initdb'),
      [
        '-D',
        this.data,
        '-U',
        'postgres',
        '--auth=scram-sha-256',
        `--pwfile=${passwordFile}`,
        '--encoding=UTF8',
        '--locale=C',
        '--no-instructions',
      ],
      { ...user, cwd: this.folder, encoding: 'utf8' },
    );
    if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  }

  #spawn(): void {
    const settings = [
      'listen_addresses=127.0.0.1',
      `port=${this.port}`,
      `unix_socket_directories=${this.folder}`,
      ...this.settings,
    ];
    const server = spawn(program('postgres'), ['-D', this.data, ...settings.flatMap((setting) => ['-c', setting])], {
      ...unprivileged(),
      cwd: this.folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    server.stderr.on('data', (chunk: Buffer) => (this.#log += chunk.toString()));
    // A server that was killed leaves sessions that end by themselves; until then a new one refuses to start, and is started again.
    server.once('exit', () => {
      if (this.#server === server) this.#server = undefined;
    });
    this.#server = server;
  }

  /** The folder of the cluster itself. */
  get data(): string {
    return path.join(this.folder, 'data');
  }
}

const program = (name: string): string => path.join(folderOfPrograms() ?? '', name);

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It ended by itself.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
