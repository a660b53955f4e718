#!/usr/bin/env node
/**
 * The `txledger` executable for whatever Node.js a machine has: plain JavaScript, because an old Node.js cannot even read the TypeScript
 * that would report its age. When the running one is too old, the command is run by the Node.js that package-lock.json pins for this
 * platform; scripts/bin/node does the same for npm scripts, without an intermediate process.
 *
 * @module
 */
import { asksForHelpPage, printHelpPage } from './help-page.js';
import { isNewEnough, whatIsNeeded } from './node-version.js';

if (asksForHelpPage(process.argv.slice(2)) && printHelpPage()) {
  // The help page is complete.
} else if (isNewEnough()) {
  await import('./run.js');
} else {
  const [{ spawn }, { createRequire }, { fileURLToPath }] = await Promise.all([
    import('node:child_process'),
    import('node:module'),
    import('node:url'),
  ]);
  let node;
  try {
    const system = process.platform === 'win32' ? 'win' : process.platform;
    node = createRequire(import.meta.url).resolve(
      `node-${system}-${process.arch}/bin/node${system === 'win' ? '.exe' : ''}`,
    );
  } catch {
    console.error(
      `${whatIsNeeded()} On Linux and Windows \`npm install\` in the checkout brings it along; elsewhere install it from https://nodejs.org.`,
    );
    process.exit(1);
  }
  const child = spawn(node, [fileURLToPath(new URL('./run.js', import.meta.url)), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));
}
