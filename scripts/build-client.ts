/**
 * Builds client/dist from client/src: ES modules in esm/, CommonJS in cjs/, each with its types. npm runs it before it packs the client.
 *
 * The TypeScript compiler alone, one file for each source file: a bundler of the user's takes what it needs, and what people read in
 * node_modules is what we wrote. The generated types of the contract are copied in, so that the package stands on its own.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const repository = dirname(import.meta.dirname);
const client = join(repository, 'client');
const dist = join(client, 'dist');
const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');

/** The one import that leaves the package in the repository, and what it is inside. */
const CONTRACT_FILE = 'contract.ts';
const CONTRACT_IN_REPOSITORY = "'../../generated/openapi.ts'";
const CONTRACT_IN_PACKAGE = "'./openapi.ts'";

const FORMATS = [
  { folder: 'esm', packageType: 'module', options: ['--module', 'nodenext', '--moduleResolution', 'nodenext', '--verbatimModuleSyntax'] },
  // What decides is the `type` of the nearest package.json: under `nodenext` the same sources come out as CommonJS.
  { folder: 'cjs', packageType: 'commonjs', options: ['--module', 'nodenext', '--moduleResolution', 'nodenext'] },
];

function stage(folder: string, packageType: string): void {
  cpSync(join(client, 'src'), folder, { recursive: true });
  copyFileSync(join(repository, 'generated', 'openapi.ts'), join(folder, 'openapi.ts'));
  const contract = readFileSync(join(folder, CONTRACT_FILE), 'utf8');
  if (contract.split(CONTRACT_IN_REPOSITORY).length !== 2) throw new Error(`client/src/${CONTRACT_FILE} must import ${CONTRACT_IN_REPOSITORY} once`);
  writeFileSync(join(folder, CONTRACT_FILE), contract.replace(CONTRACT_IN_REPOSITORY, CONTRACT_IN_PACKAGE));
  writePackageType(folder, packageType);
}

function writePackageType(folder: string, packageType: string): void {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ type: packageType, sideEffects: false })}\n`);
}

function build(): void {
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  // Below client/, so that imports of packages resolve as they do for the sources.
  const staging = mkdtempSync(join(client, 'dist', 'staging-'));
  try {
    for (const { folder, packageType, options } of FORMATS) {
      const source = join(staging, folder);
      stage(source, packageType);
      const output = join(dist, folder);
      writeFileSync(
        join(source, 'tsconfig.json'),
        JSON.stringify({ extends: join(client, 'tsconfig.json'), compilerOptions: { rootDir: '.', outDir: output }, files: ['index.ts'] }),
      );
      const { status } = spawnSync(process.execPath, [compiler, '-p', join(source, 'tsconfig.json'), ...options], { stdio: 'inherit' });
      if (status !== 0) throw new Error(`the ${folder} build of the client failed`);
      writePackageType(output, packageType);
    }
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

build();
