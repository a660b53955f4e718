/**
 * A PostgreSQL cluster for the network: its programs are located, the cluster is made once, and it runs in the foreground on loopback.
 *
 * It listens on TCP only (no Unix socket: a path in a deep DATA_DIR would be too long for one) and requires the password of every
 * connection. Commits are durable: fsync and synchronous_commit stay on.
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

/** The tested version. */
const MAJOR = '15';
const DEBIAN_FOLDER = `/usr/lib/postgresql/${MAJOR}/bin`;
const ROLE = 'txledger';
const DATABASE = 'txledger';
const PASSWORD_BYTES = 24;
/** Connections for two gateways and the command line, with some to spare. */
const CONNECTIONS_MAX = 100;
const POLL_MS = 50;

/** The environment of a PostgreSQL program: it needs few variables, and none of the product's. */
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

/** Writes DATABASE_URL to its file, with the password that the cluster was made with. */
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

/** Makes the cluster under another name and renames it, so that an existing cluster is always complete. */
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
 * Makes the cluster when it does not exist yet.
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

/** True if any process has this working folder: a server, or a child process that it left behind. */
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
 * A killed server leaves postmaster.pid behind. The next server detects that the process is gone, unless another process has got
 * its number since, as after a restart of the machine. The file is deleted only when no process has the folder as its working
 * folder: it is what prevents two servers from writing to one cluster.
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

/** Resolves when the server accepts connections. */
export async function awaitPostgres({ bin, port }: Cluster, given: AbortSignal): Promise<void> {
  while (!given.aborted) {
    const { code } = await run(path.join(bin, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)], {
      env: environment(),
    });
    if (code === 0) return;
    await sleep(POLL_MS);
  }
}
