#!/usr/bin/env node
// `txledger` of the published package. It runs on any Node.js, so that one that is too old gets a message instead of failing on our code.
import { isNewEnough, packageOfNode, whatIsNeeded } from './node-version.js';

if (isNewEnough()) {
  // The URL is made at run time, because the file does not exist in the repository.
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
