/**
 * `node scripts/tidy-lock.ts` removes from package-lock.json the members that versions of npm disagree about. Run it after a package was
 * added or updated:
 *
 *   `engines`  npm warns of each that does not fit the Node.js on which npm itself runs. Here everything runs on the Node.js that the lock
 * file              names, so these warnings are about a Node.js that runs none of it.   `libc`     npm 11 writes it, npm 9 and 10 remove
 * it again.
 *
 * npm writes both for packages that it fetches again, and does not change the rest of the file (docs/decisions/0081-installing.md).
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
