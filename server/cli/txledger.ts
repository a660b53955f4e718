#!/usr/bin/env node
/**
 * The command line's first lines: a server finds what Node.js compiled at its last start before it imports anything. What keeps everything else
 * from being imported is said in a sentence here.
 *
 * @module
 */
import { useCompileCache } from '../app/compile-cache.ts';
import { dataDirOf } from '../app/data-dir-path.ts';
import { nodeTooOld } from '../app/node-version.ts';
import { notInstalled } from './not-installed.ts';
import { isServer } from './server-names.ts';

if (isServer(process.argv[2])) useCompileCache(dataDirOf(process.env, process.cwd()));
const tooOld = nodeTooOld();
if (tooOld !== undefined) {
  console.error(tooOld);
  process.exit(1);
}
const { run } = await import('./main.ts').catch((error: unknown) => {
  console.error(notInstalled(error));
  process.exit(1);
});
await run();
