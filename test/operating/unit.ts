/** ops/systemd as systemd reads it, and its ExecStart run by hand with its environment: names of files are replaced, nothing else. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../scripts/steps.ts';

const UNIT = path.join(ROOT, 'ops/systemd/txledger.service');
const PROGRAM = path.join(ROOT, 'server/dist/bin/txledger.js');
const INSTALLED = '/opt/transaction-ledger/node_modules/@transaction-ledger/server/bin/txledger.js';
/** Exposure as systemd counts it, from 0 to 10. A service that listens cannot come to 0. */
const EXPOSURE_MAX = 2;

const unitText = (): string => readFileSync(UNIT, 'utf8').replaceAll('/usr/bin/node ', `${process.execPath} `).replaceAll(INSTALLED, PROGRAM);

/** @returns what systemd-analyze objects to. */
export function judgeUnit(folder: string): { faults: string; exposure: number } {
  // A name of its own: the checked file must not be mixed up with one that this machine has.
  const file = path.join(folder, 'txledger.service');
  writeFileSync(file, unitText());
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
  const own = stderr.split('\n').filter((line) => line.includes('txledger'));
  const security = spawnSync('systemd-analyze', ['security', '--offline=true', '--no-pager', file], { encoding: 'utf8' }).stdout;
  return { faults: own.length > 0 ? own.join('\n') : status === 0 ? '' : stderr, exposure: Number(/exposure level for \S+: ([0-9.]+)/.exec(security)?.[1] ?? 10) };
}

export const isHardened = (exposure: number): boolean => exposure <= EXPOSURE_MAX;

/** The variables of the unit's EnvironmentFile, with this folder in place of those of a whole machine. */
export function unitVariables(folder: string, changed: Record<string, string>): Record<string, string> {
  const text = readFileSync(path.join(ROOT, 'ops/systemd/serve.env'), 'utf8').replaceAll('/etc/txledger/', `${folder}/`).replaceAll('/var/lib/txledger', path.join(folder, 'data'));
  return { ...Object.fromEntries(text.split('\n').filter((line) => /^[A-Z]/.test(line)).map((line) => line.split('=', 2) as [string, string])), ...changed };
}

/** ExecStart, as the unit writes it. */
export function startUnit(variables: Record<string, string>): ChildProcess {
  const [program = '', ...args] = (/^ExecStart=(.+)$/m.exec(unitText())?.[1] ?? '').split(' ');
  return spawn(program, args, { env: { PATH: process.env['PATH'] ?? '', ...variables }, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** The packed program, which the unit starts. */
export function packServer(): void {
  execFileSync(process.execPath, ['scripts/build-server.ts'], { cwd: ROOT, stdio: 'ignore' });
  if (!existsSync(PROGRAM)) throw new Error(`there is no ${PROGRAM}`);
}

/** The server as it was landed with an earlier contract, on the packages of this checkout. */
export function earlierServer(commit: string, folder: string): string {
  mkdirSync(folder);
  execFileSync('sh', ['-c', `git archive ${commit} server generated spec docs client package.json package-lock.json | tar --extract --directory ${folder}`], { cwd: ROOT });
  for (const modules of ['node_modules', 'server/node_modules']) if (existsSync(path.join(ROOT, modules))) execFileSync('ln', ['-s', path.join(ROOT, modules), path.join(folder, modules)]);
  return path.join(folder, 'server/cli/txledger.ts');
}
