/**
 * Builds client/dist from client/src: ES modules in esm/, CommonJS in cjs/, each with types and source maps. It is a separate step before
 * the client is packed: npm runs no script by itself in this checkout (.npmrc).
 *
 * Only the TypeScript compiler is used, one file for each source file: the user's bundler includes what it needs, and the code in
 * node_modules reads like its source. The generated types of the contract are copied in, so that the package is self-contained.
 *
 * `testing` is one file, made by esbuild: it contains the rules of the ledger, which are not among this package's sources, and their
 * dependencies.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { build as bundle } from 'esbuild';
import ts from 'typescript';

const repository = dirname(import.meta.dirname);
const client = join(repository, 'client');
const dist = join(client, 'dist');
const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');

/** The one import of a file outside the package, and its path in the package. */
const CONTRACT_FILE = 'contract.ts';
const CONTRACT_IN_REPOSITORY = "'../../generated/openapi.ts'";
const CONTRACT_IN_PACKAGE = "'./openapi.ts'";

const FORMATS = [
  {
    folder: 'esm',
    packageType: 'module',
    format: 'esm',
    options: ['--module', 'nodenext', '--moduleResolution', 'nodenext', '--verbatimModuleSyntax'],
  },
  // The `type` of the nearest package.json decides: under `nodenext` the same sources are compiled to CommonJS.
  {
    folder: 'cjs',
    packageType: 'commonjs',
    format: 'cjs',
    options: ['--module', 'nodenext', '--moduleResolution', 'nodenext'],
  },
] as const;

/** Bundled, because it imports files of the repository outside the package. */
const TESTING = 'testing';

/** The oldest Node.js that the package supports. */
const NODE_TARGET = 'node20';

function stage(folder: string, packageType: string): void {
  cpSync(join(client, 'src'), folder, { recursive: true });
  rmSync(join(folder, TESTING), { recursive: true });
  copyFileSync(join(repository, 'generated', 'openapi.ts'), join(folder, 'openapi.ts'));
  const contract = readFileSync(join(folder, CONTRACT_FILE), 'utf8');
  if (contract.split(CONTRACT_IN_REPOSITORY).length !== 2)
    throw new Error(`client/src/${CONTRACT_FILE} must import ${CONTRACT_IN_REPOSITORY} once`);
  writeFileSync(join(folder, CONTRACT_FILE), contract.replace(CONTRACT_IN_REPOSITORY, CONTRACT_IN_PACKAGE));
  writePackageType(folder, packageType);
}

function writePackageType(folder: string, packageType: string): void {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ type: packageType, sideEffects: false })}\n`);
}

/** The compiler leaves `.ts` in the imports of declaration files; only compilers from 5.7 on have an option to rewrite them to `.js`. */
function nameJavaScript(types: string): string {
  return types.replaceAll(/(from |import\()(['"])(\.[^'"]+)\.ts\2/g, '$1$2$3.js$2');
}

/**
 * Source maps refer to the compiled folder, which is deleted: they are made to refer to the files of the repository, whose text they have.
 */
function nameSources(output: string, staged: string): void {
  for (const file of globSync('**/*.js.map', { cwd: output })) {
    const path = join(output, file);
    const map = JSON.parse(readFileSync(path, 'utf8')) as { sources: string[] };
    map.sources = map.sources.map((source) =>
      relative(dirname(path), join(client, 'src', relative(staged, join(dirname(path), source)))),
    );
    writeFileSync(path, JSON.stringify(map));
  }
}

async function buildTesting(output: string, format: 'esm' | 'cjs'): Promise<void> {
  const entry = join(client, 'src', TESTING, 'index.ts');
  const outfile = join(output, TESTING, 'index.js');
  await bundle({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format,
    platform: 'node',
    target: NODE_TARGET,
    sourcemap: true,
    legalComments: 'inline',
    logLevel: 'warning',
  });
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(readFileSync(entry, 'utf8'), {
    fileName: entry,
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ES2022 },
  });
  if (diagnostics.length > 0) throw new Error(diagnostics.map(({ messageText }) => String(messageText)).join('\n'));
  writeFileSync(join(output, TESTING, 'index.d.ts'), outputText);
}

async function build(): Promise<void> {
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  // Below client/, so that imports of packages resolve as they do for the sources.
  const staging = mkdtempSync(join(client, 'dist', 'staging-'));
  try {
    for (const { folder, packageType, format, options } of FORMATS) {
      const source = join(staging, folder);
      stage(source, packageType);
      const output = join(dist, folder);
      const compilerOptions = { rootDir: '.', outDir: output, sourceMap: true, inlineSources: true };
      writeFileSync(
        join(source, 'tsconfig.json'),
        JSON.stringify({ extends: join(client, 'tsconfig.json'), compilerOptions, files: ['index.ts'] }),
      );
      const { status } = spawnSync(process.execPath, [compiler, '-p', join(source, 'tsconfig.json'), ...options], {
        stdio: 'inherit',
      });
      if (status !== 0) throw new Error(`the ${folder} build of the client failed`);
      nameSources(output, source);
      await buildTesting(output, format);
      for (const file of globSync('**/*.d.ts', { cwd: output }))
        writeFileSync(join(output, file), nameJavaScript(readFileSync(join(output, file), 'utf8')));
      writePackageType(output, packageType);
    }
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

await build();
