/**
 * `node scripts/tidy-lock.ts` takes out of package-lock.json what versions of npm disagree about, after a package was added or updated:
 *
 *   `engines`  npm warns of each that does not fit the Node.js on which npm itself runs. Here everything runs on the Node.js that the lock file
 *              names, so these warnings are about a Node.js that runs none of it.
 *   `libc`     npm 11 writes it, npm 9 and 10 take it out again.
 *
 * npm writes both for what it fetches anew, and leaves the rest of the file as it is. docs/decisions/0081-installing.md says more.
 *
 * @module
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './steps.ts';

const DISPUTED: readonly string[] = ['engines', 'libc'];

/** Packages of the registry only: npm reads those of the workspaces in their own package.json. */
export function tidyLock(text: string): string {
  const lock = JSON.parse(text) as { packages: Record<string, Record<string, unknown>> };
  for (const [place, entry] of Object.entries(lock.packages)) {
    if (place.includes('node_modules/')) for (const member of DISPUTED) delete entry[member];
  }
  return `${JSON.stringify(lock, null, 2)}\n`;
}

if (import.meta.main) {
  const file = join(ROOT, 'package-lock.json');
  writeFileSync(file, tidyLock(readFileSync(file, 'utf8')));
}
