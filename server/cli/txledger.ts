#!/usr/bin/env node
/**
 * The command line's first lines: a server finds what Node.js compiled at its last start before it imports anything.
 *
 * @module
 */
import { useCompileCache } from '../app/compile-cache.ts';
import { dataDirOf } from '../app/data-dir-path.ts';
import { isServer } from './server-names.ts';

if (isServer(process.argv[2])) useCompileCache(dataDirOf(process.env, process.cwd()));
const { run } = await import('./main.ts');
await run();
