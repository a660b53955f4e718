#!/usr/bin/env node
// `txledger` of the published package. It runs on any Node.js, so that one that is too old says so instead of failing on our code.
import v8 from 'node:v8';
import { isNewEnough, packageOfNode, whatIsNeeded } from './node-version.js';
import { asksForServer } from './server-names.js';

if (isNewEnough()) {
  // As `npm start` runs it, and before any module is loaded: what was compiled under other flags is not taken from the cache. The flag for smaller
  // semi-spaces is not set: the main thread has its own by now, and in threads it would come before the limits that each is given.
  if (asksForServer(process.argv.slice(2))) {
    if (!process.execArgv.some((flag) => /^--heap[-_]growing[-_]percent/.test(flag)))
      v8.setFlagsFromString('--heap-growing-percent=40');
    v8.setFlagsFromString('--no-allocation-site-pretenuring');
  }
  // An address made here: in the repository there is no such file.
  import(new URL('../lib/txledger.js', import.meta.url).href);
} else {
  const { platform, arch } = process;
  // Alpine has another C library, on which these binaries do not run.
  const isGlibc = platform === 'linux' && process.report.getReport().header.glibcVersionRuntime !== undefined;
  const other = packageOfNode(platform, arch, isGlibc);
  const command = ['txledger', ...process.argv.slice(2)].join(' ');
  const way =
    other === undefined
      ? 'Install it from https://nodejs.org.'
      : `Without installing it: npx -p ${other} -p @transaction-ledger/server ${command}`;
  console.error(`${whatIsNeeded()} ${way}`);
  process.exitCode = 1;
}
