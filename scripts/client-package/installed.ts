/** The client as its users install it: packed, and installed from the tarball into an empty folder. */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../steps.ts';

export const run = promisify(execFile);
export const PACKAGE = '@transaction-ledger/client';

export interface Installed {
  /** The folder that has the package in its node_modules. */
  readonly folder: string;
  readonly tarball: string;
  /** The package itself. */
  readonly packageFolder: string;
}

/** Options that silence `npm install`. */
const QUIET = ['--no-audit', '--no-fund', '--loglevel=error'];

/** An empty project, like a user's before the first install. */
export function emptyProject(folder: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  return folder;
}

export async function npmInstall(folder: string, ...packages: string[]): Promise<void> {
  await run('npm', ['install', ...QUIET, ...packages], { cwd: folder });
}

export async function packAndInstall(scratch: string): Promise<Installed> {
  // Called here, because npm does not run lifecycle scripts in this checkout (.npmrc).
  await run('npm', ['run', '--silent', 'build'], { cwd: join(ROOT, 'client') });
  await run('npm', ['pack', '--loglevel=error', '--pack-destination', scratch], { cwd: join(ROOT, 'client') });
  const tarball = join(scratch, readdirSync(scratch).find((name) => name.endsWith('.tgz')) ?? '');
  const folder = emptyProject(join(scratch, 'project'));
  await npmInstall(folder, tarball);
  return { folder, tarball, packageFolder: join(folder, 'node_modules', PACKAGE) };
}

/** The code block of a document that has `name=...` after its language. */
export function snippet(document: string, name: string): string {
  const text = readFileSync(join(ROOT, document), 'utf8');
  const found = new RegExp(`^\`\`\`\\w+ name=${name.replaceAll('.', '\\.')}\\n([^]*?)^\`\`\`$`, 'm').exec(text);
  if (found?.[1] === undefined) throw new Error(`${document} has no code block named ${name}`);
  return found[1];
}
