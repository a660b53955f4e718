/**
 * Checks the client as a package: packs it, installs the tarball into an empty folder, and uses it there as its users would, on every
 * Node it supports and in a real Chromium, against a running service. It needs npm's registry and a Chromium on the machine.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, Server } from '../test/e2e/support/server.ts';
import { checkBrowser } from './client-package/browser.ts';
import { checkContents } from './client-package/contents.ts';
import { packAndInstall } from './client-package/installed.ts';
import { checkPlatforms } from './client-package/platforms.ts';
import { checkRuntimes } from './client-package/runtimes.ts';
import { checkSizes } from './client-package/sizes.ts';
import { checkTypes } from './client-package/types.ts';

const scratch = mkdtempSync(join(tmpdir(), 'client-package-'));
const pagePort = await freePort();
const server = new Server({
  dataDir: join(scratch, 'data'),
  port: await freePort(),
  variables: { BLOCK_INTERVAL_MS: '200', CORS_ORIGINS: `http://127.0.0.1:${pagePort}`, LOG_LEVEL: 'error' },
});
/** Names of the checks to run, all by default: `node scripts/check-client-package.ts types sizes`. */
const wanted = process.argv.slice(2);
let passed = 0;
let failed = 0;

async function check(name: string, judge: () => Promise<string>): Promise<void> {
  if (wanted.length > 0 && !wanted.includes(name)) return;
  try {
    console.log(`client package, ${name}: ${await judge()}`);
    passed += 1;
  } catch (error) {
    console.error(`client package, ${name}: FAILED`, error);
    failed += 1;
  }
}

try {
  const installed = await packAndInstall(scratch);
  await check('contents', () => checkContents(installed));
  await check('sizes', () => checkSizes(installed, scratch));
  await check('types', () => checkTypes(installed, scratch));
  await server.start();
  const development = await server.development();
  await check('runtimes', () => checkRuntimes(installed, scratch, development));
  await check('browser', () => checkBrowser(installed, pagePort, development));
  const [, , , , from, to] = development.accounts;
  if (!from || !to) throw new Error('the development chain has too few accounts');
  const job = { baseUrl: development.baseUrl, token: development.token, seed: from.seed, to: to.address };
  await check('platforms', () => checkPlatforms(installed, scratch, pagePort, job, wanted.slice(1)));
} finally {
  await server.stop('SIGKILL');
  rmSync(scratch, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
