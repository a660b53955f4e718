/**
 * `node scripts/container-root.ts FOLDER` makes the files of a container image besides Node.js: the packed server in FOLDER/app, the native
 * packages that it needs at the versions of package-lock.json, for this platform only, and the empty folders that the server writes to.
 *
 * The packages are copied from node_modules and not installed again, because npm has compared those bytes with the lock file.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './steps.ts';

const [target] = process.argv.slice(2);
if (target === undefined) throw new Error('node scripts/container-root.ts FOLDER');
const app = path.join(path.resolve(target), 'app');

interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;

/** Headers and sources, from which a package compiles where it has no binary: nothing of them runs. */
const SOURCES = new Set(['deps', 'src', 'binding.gyp', 'binding.cc', 'CMakeLists.txt', 'extensions']);
/** Needed for compiling only. */
const NOT_RUN = new Set(['node-addon-api']);
const PLATFORM = `${process.platform}-${process.arch}`;

function copyPackage(name: string): void {
  const from = path.join(ROOT, 'node_modules', name);
  const to = path.join(app, 'node_modules', name);
  if (existsSync(to) || NOT_RUN.has(name)) return;
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from)) {
    if (entry === 'prebuilds') copyPrebuilds(path.join(from, entry), path.join(to, entry));
    else if (!SOURCES.has(entry)) cpSync(path.join(from, entry), path.join(to, entry), { recursive: true });
  }
  for (const dependency of Object.keys(manifestOf(from).dependencies ?? {})) copyPackage(dependency);
}

/** One file or one folder for each platform. */
function copyPrebuilds(from: string, to: string): void {
  for (const entry of readdirSync(from))
    if (entry.split('.')[0] === PLATFORM) cpSync(path.join(from, entry), path.join(to, entry), { recursive: true });
}

const packed = path.join(ROOT, 'server/dist');
cpSync(packed, app, { recursive: true });
const { dependencies, optionalDependencies } = manifestOf(packed);
for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) copyPackage(name);
cpSync(path.join(ROOT, 'ops/container/healthcheck.js'), path.join(app, 'healthcheck.js'));
mkdirSync(path.join(path.resolve(target), 'data'), { recursive: true, mode: 0o700 });
