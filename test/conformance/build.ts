/** Builds dist from src: plain ES modules, and the vectors and workflows that they read. npm runs it before it packs the kit. */
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const here = import.meta.dirname;
const repository = join(here, '..', '..');
const dist = join(here, 'dist');

rmSync(dist, { recursive: true, force: true });
const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const { status } = spawnSync(process.execPath, [compiler, '-p', join(here, 'tsconfig.json')], { stdio: 'inherit' });
if (status !== 0) throw new Error('the build of the kit failed');
for (const name of ['vectors', 'workflows'])
  cpSync(join(repository, 'spec', name), join(dist, name), { recursive: true });
cpSync(join(repository, 'LICENSE'), join(here, 'LICENSE'));
