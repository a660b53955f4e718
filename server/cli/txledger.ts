#!/usr/bin/env node
/**
 * The command line's first lines: what Node.js compiled at the last start is found before anything is imported, a server's in its DATA_DIR and that
 * of other commands in the user's cache folder.
 *
 * @module
 */
import { useCompileCache } from '../app/compile-cache.ts';
import { dataDirOf } from '../app/data-dir-path.ts';
import { useCommandCache } from './compile-cache.ts';
import { isServer } from './server-names.ts';

if (isServer(process.argv[2])) useCompileCache(dataDirOf(process.env, process.cwd()));
else useCommandCache();
const { run } = await import('./main.ts');
await run();
