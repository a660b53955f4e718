/**
 * Tools that only these checks need: each folder of test/client/tools has a package.json with exact versions and a lock file, and is
 * installed into a scratch folder, so that an install of this repository has no second compiler and no framework.
 */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../steps.ts';
import { npmInstall } from './installed.ts';

/** @returns the folder that has the tools in its node_modules. */
export async function installTools(name: string, scratch: string): Promise<string> {
  const folder = join(scratch, `tools-${name}`);
  cpSync(join(ROOT, 'test/client/tools', name), folder, { recursive: true });
  // Without install scripts: these packages contain everything that they run.
  await npmInstall(folder, '--ignore-scripts');
  return folder;
}

/** A table as text: each line is a row, its first cell padded. */
export function table(rows: readonly (readonly [name: string, result: string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, result]) => `\n  ${name.padEnd(width)}  ${result}`).join('');
}
