/**
 * A PostgreSQL cluster of its own: found, made once, and run in the foreground on loopback.
 *
 * It speaks TCP only (no Unix socket: a path in a deep DATA_DIR would be too long for one), asks everybody for the
 * password, and keeps what it was told: fsync and synchronous_commit stay on.
 *
 * @module
 */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeSecretFile } from '../../server/app/secret-file.ts';
import { LocalnetError } from './failure.ts';
import { makeFolder } from './folder.ts';
import type { Command, User } from './launch.ts';
import { run } from './run.ts';
import { openForTraversal } from './traverse.ts';

export interface Cluster {
  /** The folder with initdb, postgres and pg_isready. */
  bin: string;
  data: string;
  user: User | undefined;
  port: number;
}

/** The one that is tested. */
const MAJOR = '15';
const DEBIAN_FOLDER = `/usr/lib/postgresql/${MAJOR}/bin`;
const ROLE = 'txledger';
const DATABASE = 'txledger';
const PASSWORD_BYTES = 24;
/** Two gateways, the command line, and room to look around. */
const CONNECTIONS_MAX = 100;
const POLL_MS = 50;

/** A program of PostgreSQL needs little, and nothing of ours. */
const environment = (): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  LANG: 'C.UTF-8',
  LC_ALL: 'C.UTF-8',
});

async function isMajor(bin: string): Promise<boolean> {
  const { code, output } = await run(path.join(bin, 'postgres'), ['--version'], { env: environment() });
  return code === 0 && new RegExp(`\\(PostgreSQL\\) ${MAJOR}\\.`).test(output);
}

/** @throws LocalnetError that names the package. */
export async function findPostgres(): Promise<string> {
  for (const bin of [DEBIAN_FOLDER, ...(process.env['PATH'] ?? '').split(path.delimiter).filter(Boolean)]) {
    if (existsSync(path.join(bin, 'initdb')) && (await isMajor(bin))) return bin;
  }
  throw new LocalnetError(
    `There is no PostgreSQL ${MAJOR}. Install it (Debian: apt-get install postgresql-${MAJOR}) and start again; its service need not run.`,
  );
}

/** PostgreSQL refuses to run as root: then as `postgres`, or as `nobody`. @returns undefined when we are not root. */
export function unprivilegedUser(passwd = readFileSync('/etc/passwd', 'utf8')): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] =
      passwd
        .split('\n')
        .find((line) => line.startsWith(`${name}:`))
        ?.split(':') ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new LocalnetError(
    'PostgreSQL does not run as root, and this machine has neither a user postgres nor nobody. Make one, or start as another user than root.',
  );
}

/** Keeps DATABASE_URL in its file, with the password that the cluster was made with. */
function keepDatabaseUrl(file: string, port: number): { url: string; password: string } {
  const password = existsSync(file)
    ? new URL(readFileSync(file, 'utf8').trim()).password
    : randomBytes(PASSWORD_BYTES).toString('hex');
  const url = `postgres://${ROLE}:${password}@127.0.0.1:${port}/${DATABASE}`;
  writeSecretFile(file, `${url}\n`);
  return { url, password };
}

async function must(program: string, args: readonly string[], options: Parameters<typeof run>[2]): Promise<void> {
  const { code, output } = await run(program, args, options);
  if (code !== 0) throw new LocalnetError(`${program} ended with ${code}:\n${output.trimEnd()}`);
}

/** Under another name first: a cluster that is there is complete. */
async function makeCluster(cluster: Cluster, password: string): Promise<void> {
  const { bin, data, user } = cluster;
  const home = path.dirname(data);
  const options = { env: environment(), cwd: home, user };
  const unfinished = `${data}.tmp`;
  const passwordFile = path.join(home, 'password.tmp');
  rmSync(unfinished, { recursive: true, force: true });
  writeSecretFile(passwordFile, password);
  try {
    if (user) chownSync(passwordFile, user.uid, user.gid);
    const initdb = [
      '--pgdata',
      unfinished,
      '--username',
      ROLE,
      '--pwfile',
      passwordFile,
      '--auth',
      'scram-sha-256',
      '--encoding',
      'UTF8',
      '--locale',
      'C',
    ];
    await must(path.join(bin, 'initdb'), initdb, options);
  } finally {
    rmSync(passwordFile, { force: true });
  }
  await must(path.join(bin, 'postgres'), ['--single', '-c', 'exit_on_error=on', '-D', unfinished, 'postgres'], {
    ...options,
    input: `CREATE DATABASE ${DATABASE};\n`,
  });
  renameSync(unfinished, data);
}

/**
 * Makes the cluster when it is not there yet.
 * @returns DATABASE_URL, and the folders that had to be opened so that its user reaches it.
 */
export async function prepareCluster(
  cluster: Cluster,
  databaseUrlFile: string,
): Promise<{ url: string; opened: readonly string[] }> {
  const { data, user, port } = cluster;
  const home = path.dirname(data);
  makeFolder(home);
  if (user) chownSync(home, user.uid, user.gid);
  chmodSync(home, 0o700);
  const opened = user ? await openForTraversal(home, user) : [];
  const exists = existsSync(data);
  if (exists && !existsSync(databaseUrlFile)) {
    throw new LocalnetError(
      `${data} is there, but ${databaseUrlFile}, which holds its password, is not. Put it back, or name another DATA_DIR.`,
    );
  }
  const { url, password } = keepDatabaseUrl(databaseUrlFile, port);
  if (!exists) await makeCluster(cluster, password);
  return { url, opened };
}

/** Whether any process works in this folder: a server, or one that its death left behind. */
function isInUse(data: string): boolean {
  const folder = realpathSync(data);
  return readdirSync('/proc').some((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readlinkSync(`/proc/${name}/cwd`) === folder;
    } catch {
      return false; // it is gone, or not ours
    }
  });
}

/**
 * A killed server leaves postmaster.pid behind. Its successor sees by itself that the process is gone, unless its number
 * has been given to another one since, as after a restart of the machine. The file is taken away only when no process
 * works in the folder: it is what keeps two servers from writing to one cluster.
 */
export function removeStalePidFile(data: string): void {
  const file = path.join(data, 'postmaster.pid');
  if (existsSync(file) && !isInUse(data)) rmSync(file, { force: true });
}

export function postgresCommand({ bin, data, user, port }: Cluster, log: string): Command {
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: CONNECTIONS_MAX,
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
  };
  const args = ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  return { program: path.join(bin, 'postgres'), args, env: environment(), cwd: path.dirname(data), log, user };
}

/** Resolves when the server takes connections. */
export async function awaitPostgres({ bin, port }: Cluster, given: AbortSignal): Promise<void> {
  while (!given.aborted) {
    const { code } = await run(path.join(bin, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)], {
      env: environment(),
    });
    if (code === 0) return;
    await sleep(POLL_MS);
  }
}
