#!/usr/bin/env node
// `txledger` of the published package. It runs on any Node.js, so that one that is too old says so instead of failing on our code.
const [major, minor] = process.versions.node.split('.').map(Number);
// As in scripts/steps.ts.
const majorMin = 24, minorMin = 12;

if (major > majorMin || (major === majorMin && minor >= minorMin)) {
  // An address made here: in the repository there is no such file.
  import(new URL('../lib/txledger.js', import.meta.url).href);
} else {
  console.error(
    'This is Node.js ' + process.versions.node + '; txledger needs ' + majorMin + '.' + minorMin + ' or newer. Without installing another one: ' +
      'npx --yes -p node@' + majorMin + ' -p @transaction-ledger/server txledger ' + process.argv.slice(2).join(' '),
  );
  process.exitCode = 1;
}
