#!/usr/bin/env node
/**
 * The `txledger` executable for whatever Node.js a machine has: plain JavaScript, because an old Node.js cannot even
 * read the TypeScript that would tell it so. When the running one is too old, the command is run by the Node.js that
 * was installed as this package's dependency.
 *
 * @module
 */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const NODE_MAJOR_MIN = 24;
const NODE_MINOR_MIN = 12;
const command = fileURLToPath(new URL('./txledger.ts', import.meta.url));
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major > NODE_MAJOR_MIN || (major === NODE_MAJOR_MIN && minor >= NODE_MINOR_MIN)) {
  await import(command);
} else {
  let node;
  try {
    node = createRequire(import.meta.url).resolve('node/bin/node');
  } catch {
    console.error(
      `This is Node.js ${process.versions.node}; txledger needs ${NODE_MAJOR_MIN}.${NODE_MINOR_MIN} or newer. ` +
        'Run `npm install` in the checkout, then `npm run txledger -- ...`, which brings its own.',
    );
    process.exit(1);
  }
  const child = spawn(node, [command, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));
}
