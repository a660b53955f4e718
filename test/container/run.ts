/**
 * The image of ops/container/Containerfile, built and used: its size, its user, a root that cannot be written, its health check, the main
 * job, and a stop.
 *
 *   node test/container/run.ts
 *
 * With buildah (a Debian package) the Containerfile itself is built, from stand-ins of its base images (base-images.ts), and its configuration
 * is read from the image. What is built is then run by this machine, in its root, as its user: where a container engine runs nothing else is
 * different but the isolation. Without buildah, or where it may not work (it needs root and mounts), the steps of the Containerfile are done in a plain
 * folder, and the output says so.
 */
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../../scripts/steps.ts';
import { freePort } from '../e2e/support/server.ts';
import { endChild } from '../support/child-process.ts';
import { baseRoot, buildRoot } from './base-images.ts';
import { configOf, faultsOf, type ImageConfig, PLANTS, UID } from './image-config.ts';

/** Of everything in the image, unpacked. */
const IMAGE_BYTES_MAX = 200_000_000;
const READY_MS_MAX = 60_000;

function expect(holds: boolean, message: string, seen?: unknown): asserts holds {
  if (!holds) throw new Error(`not so: ${message}${seen === undefined ? '' : `; seen: ${JSON.stringify(seen)}`}`);
  console.log(`ok   ${message}`);
}

const CONTAINERFILE = readFileSync(path.join(ROOT, 'ops/container/Containerfile'), 'utf8');
/** By its whole name: the image's own PATH is what is run with, and does not lead to it. */
const CHROOT = '/usr/sbin/chroot';

const scratch = mkdtempSync(path.join(tmpdir(), 'container-'));
const STORAGE = [
  '--root',
  path.join(scratch, 'storage'),
  '--runroot',
  path.join(scratch, 'run'),
  '--storage-driver',
  'vfs',
];

function buildah(...args: string[]): string {
  return execFileSync('buildah', [...STORAGE, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim();
}

/** An image of a folder. */
function importRoot(root: string, name: string): void {
  const container = buildah('from', 'scratch');
  buildah('copy', '--quiet', container, root, '/');
  buildah('config', '--env', 'PATH=/usr/local/bin:/usr/bin:/bin', container);
  buildah('commit', '--quiet', '--rm', container, name);
}

/** How this machine reaches its registry, and what it fetched from there before; the image keeps none of it. */
function registryOptions(): string[] {
  const home = process.env['HOME'] ?? '/root';
  const own = path.join(home, '.npmrc');
  const settings = path.join(scratch, 'npmrc');
  const authorities = process.env['NODE_EXTRA_CA_CERTS'];
  const lines = [
    existsSync(own) ? readFileSync(own, 'utf8') : '',
    ...(authorities === undefined ? [] : [`cafile=${authorities}`]),
    'prefer-offline=true',
    'fetch-timeout=30000',
    '',
  ];
  writeFileSync(settings, lines.join('\n'));
  const cache = path.join(home, '.npm');
  mkdirSync(cache, { recursive: true });
  return [
    `${settings}:/root/.npmrc:ro`,
    `${cache}:/root/.npm`,
    '/etc/resolv.conf:/etc/resolv.conf:ro',
    ...(existsSync('/etc/ssl/certs') ? ['/etc/ssl/certs:/etc/ssl/certs:ro'] : []),
  ].flatMap((volume) => ['--volume', volume]);
}

function build(): { root: string; config: ImageConfig } {
  const base = baseRoot(scratch);
  importRoot(base, 'localhost/base');
  importRoot(buildRoot(scratch, base, process.execPath), 'localhost/build');
  const args = ['--build-arg', 'NODE_IMAGE=localhost/build', '--build-arg', 'BASE_IMAGE=localhost/base'];
  buildah(
    'build',
    '--quiet',
    '--isolation',
    'chroot',
    '--format',
    'docker',
    '--pull=never',
    ...registryOptions(),
    ...args,
    '--ignorefile',
    '.dockerignore',
    '--file',
    'ops/container/Containerfile',
    '--tag',
    'localhost/transaction-ledger',
    '.',
  );
  const { OCIv1, Docker } = JSON.parse(buildah('inspect', '--type', 'image', 'localhost/transaction-ledger')) as {
    OCIv1: { config: ImageConfig };
    Docker: { config: ImageConfig };
  };
  const container = buildah('from', '--pull=never', 'localhost/transaction-ledger');
  const root = path.join(scratch, 'image');
  cpSync(buildah('mount', container), root, { recursive: true, verbatimSymlinks: true });
  return { root, config: { ...OCIv1.config, ...Docker.config } };
}

/** The steps of the Containerfile without a builder, on the C library of this machine. */
function buildPlainly(): { root: string; config: ImageConfig } {
  const root = baseRoot(scratch);
  for (const script of ['build-server.ts', 'container-root.ts'])
    execFileSync(process.execPath, [`scripts/${script}`, ...(script.startsWith('container') ? [root] : [])], {
      cwd: ROOT,
      stdio: 'inherit',
    });
  mkdirSync(path.join(root, 'usr/local/bin'), { recursive: true });
  cpSync(process.execPath, path.join(root, 'usr/local/bin/node'));
  return { root, config: configOf(CONTAINERFILE) };
}

const isRoot = process.getuid?.() === 0;
const hasBuildah = isRoot && spawnSync('buildah', ['--version']).status === 0;
let server: ChildProcess | undefined;

/** Runs in the image's root, as its user, with its environment alone. */
function start(
  root: string,
  command: readonly string[],
  variables: Record<string, string>,
  options: { stdio?: 'pipe' | 'inherit' } = {},
): ChildProcess {
  const [program = '', ...args] = [CHROOT, `--userspec=${UID}:${UID}`, root, ...command];
  return spawn(program, args, { env: { ...variables }, stdio: ['ignore', options.stdio ?? 'pipe', 'inherit'] });
}

async function ready(url: string): Promise<void> {
  for (
    const startMs = performance.now();
    performance.now() - startMs < READY_MS_MAX;
    await new Promise((resolve) => setTimeout(resolve, 100))
  ) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.status === 200) return;
    if (server?.exitCode !== null) throw new Error(`the server ended with ${server?.exitCode}`);
  }
  throw new Error('the server is not ready');
}

try {
  if (!isRoot) throw new Error('root is needed: another user and another root folder are taken');
  if (!hasBuildah) console.log('There is no buildah here: the steps of the Containerfile are done in a plain folder.');
  const { root, config } = hasBuildah ? build() : buildPlainly();

  const bytes = Number(
    execFileSync('du', ['--summarize', '--bytes', '--one-file-system', root], { encoding: 'utf8' }).split('\t')[0],
  );
  expect(bytes < IMAGE_BYTES_MAX, `the image has ${Math.round(bytes / 1e6)} MB, below ${IMAGE_BYTES_MAX / 1e6}`);
  expect(
    faultsOf(config).length === 0,
    `its user is ${config.User}, by number and not root; it stops by SIGTERM, its volume is /data, it has a health check`,
    faultsOf(config),
  );
  for (const { what, plant } of PLANTS)
    expect(
      faultsOf(configOf(plant(CONTAINERFILE))).length > 0 && plant(CONTAINERFILE) !== CONTAINERFILE,
      `a Containerfile ${what} is noticed`,
    );
  expect(
    !existsSync(path.join(root, 'bin/sh')) && !existsSync(path.join(root, 'usr/local/bin/npm')),
    'it has no shell and no npm',
  );
  expect(
    !existsSync(path.join(root, 'app/server')) && !existsSync(path.join(root, 'app/node_modules/typescript')),
    'it has no TypeScript',
  );

  // The root belongs to root and /data alone to the user, so that this user can write nowhere else: what a read-only root means to a process.
  for (const name of ['data', 'tmp']) rmSync(path.join(root, name), { recursive: true, force: true });
  mkdirSync(path.join(root, 'data'), { mode: 0o700 });
  chownSync(path.join(root, 'data'), UID, UID);
  mkdirSync(path.join(root, 'dev'), { recursive: true });
  for (const device of ['null', 'urandom'])
    if (!existsSync(path.join(root, 'dev', device)))
      execFileSync('cp', ['--archive', `/dev/${device}`, path.join(root, 'dev', device)]);
  expect(statSync(root).uid === 0, 'its root is not writable for its user');

  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const variables = {
    ...Object.fromEntries(
      config.Env.map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]),
    ),
    PORT: String(port),
    BLOCK_INTERVAL_MS: '100',
  };
  const txledger = (...args: string[]): { status: number | null; stdout: string } => {
    const [program = '', ...rest] = [CHROOT, `--userspec=${UID}:${UID}`, root, ...config.Entrypoint, ...args];
    return spawnSync(program, rest, { env: { ...variables, TXLEDGER_URL: url }, encoding: 'utf8' });
  };
  const check = config.Healthcheck?.Test.slice(1) ?? [];
  const health = (): { status: number | null; stderr: string } =>
    spawnSync(CHROOT, [`--userspec=${UID}:${UID}`, root, ...check], { env: variables, encoding: 'utf8' });

  const before = health();
  expect(before.status === 1 && before.stderr === '', 'which fails before it runs', [before.status, before.stderr]);
  server = start(root, [...config.Entrypoint, 'start', '--public-dev'], variables);
  let output = '';
  server.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await ready(url);
  expect(output.includes('PUBLIC DEVELOPMENT SERVER') && output.includes('\u001B['), 'start --public-dev warns in red');
  const during = health();
  expect(during.status === 0, 'its health check passes', [during.status, during.stderr]);
  const sent = txledger('send', '--to', 'dev-1', '--amount', '100', '--wait', '--json');
  expect(
    sent.status === 0 &&
      (JSON.parse(sent.stdout) as { transaction?: { status?: string } }).transaction?.status === 'committed',
    'a transfer that its own command sends is committed',
  );
  expect(
    (await fetch(`${url}/`)).status === 200 && (await fetch(`${url}/docs`)).status === 200,
    'the explorer and the documents are served',
  );

  server.kill('SIGTERM');
  const code = await new Promise((resolve) => server?.once('exit', resolve));
  expect(code === 0, 'SIGTERM ends it with 0');

  server = start(root, [...config.Entrypoint, 'start', '--public-dev'], variables);
  server.stdout?.resume();
  await ready(url);
  expect(
    txledger('account', 'dev-1', '--json').stdout.includes('1000000000000100'),
    'another container on the same volume carries the chain on',
  );
  await endChild(server, 'SIGTERM');

  const refused = spawnSync(CHROOT, [`--userspec=${UID}:${UID}`, root, ...config.Entrypoint, ...config.Cmd], {
    env: variables,
    encoding: 'utf8',
  });
  expect(
    refused.status === 2 && refused.stderr.includes('GENESIS_FILE'),
    `without a command it is a production server, which names what it needs (ends with ${refused.status})`,
  );
} finally {
  if (server !== undefined && server.exitCode === null) await endChild(server, 'SIGKILL');
  if (hasBuildah) spawnSync('buildah', [...STORAGE, 'rm', '--all']);
  rmSync(scratch, { recursive: true, force: true });
}
