/** The package as its users get it: packed, and installed from the tarball into an empty folder. */
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../scripts/steps.ts';
import { freePort, Server } from '../e2e/support/server.ts';
import { commandResult, type CommandResult } from '../support/child-process.ts';

export const run = promisify(execFile);

export interface Installed {
  readonly scratch: string;
  readonly tarball: string;
  /** The folder that has the package in its node_modules, and nothing else. */
  readonly folder: string;
  readonly packageFolder: string;
  /** The file of the command, as npm linked it. */
  readonly command: string;
}

/** No folder of the checkout, so that nothing is found there by chance. */
const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin';

/** An environment that knows nothing of the checkout. */
export const outside = (variables: Record<string, string> = {}): Record<string, string> => ({
  PATH: SYSTEM_PATH,
  HOME: process.env['HOME'] ?? '/',
  NODE_COMPILE_CACHE: '',
  ...variables,
});

export async function packAndInstall(scratch: string): Promise<Installed> {
  await run(process.execPath, ['scripts/build-server.ts'], { cwd: ROOT });
  await run('npm', ['pack', './server/dist', '--pack-destination', scratch, '--loglevel=error'], { cwd: ROOT });
  const tarball = path.join(scratch, readdirSync(scratch).find((name) => name.endsWith('.tgz')) ?? '');
  const folder = path.join(scratch, 'a folder with spaces');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', tarball], {
    cwd: folder,
  });
  return {
    scratch,
    tarball,
    folder,
    packageFolder: path.join(folder, 'node_modules/@transaction-ledger/server'),
    command: path.join(folder, 'node_modules/.bin/txledger'),
  };
}

/** Runs the installed command to its end. */
export function txledger(
  { folder, command }: Installed,
  args: readonly string[],
  variables: Record<string, string> = {},
): Promise<CommandResult> {
  return commandResult(
    spawn(process.execPath, [command, ...args], {
      cwd: folder,
      env: outside(variables),
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
}

/** What the command printed; it has to succeed. */
export async function prints(
  installed: Installed,
  args: readonly string[],
  variables: Record<string, string> = {},
): Promise<string> {
  const { code, stdout, stderr } = await txledger(installed, args, variables);
  if (code !== 0) throw new Error(`txledger ${args.join(' ')} ended with ${code}: ${stderr}${stdout}`);
  return stdout.trim();
}

export async function serverOf(
  { folder, command }: Installed,
  dataDir: string,
  options: { command?: 'start' | 'serve'; variables?: Record<string, string> } = {},
): Promise<Server> {
  const variables = outside({
    BLOCK_INTERVAL_MS: '100',
    LOG_LEVEL: 'error',
    TXLEDGER_VALIDATE_RESPONSES: 'false',
    ...options.variables,
  });
  return new Server({
    ...options,
    dataDir,
    port: await freePort(),
    variables,
    program: { file: command, cwd: folder },
  });
}

export function expect(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Error(message);
}
