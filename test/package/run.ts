/**
 * The server as a package: built, packed, judged, installed in an empty folder without any install script, and used there as users do, in an
 * environment that knows nothing of this checkout.
 *
 *   node test/package/run.ts [contents|age|commands|start|serve|folders|times ...]
 *
 * It needs npm's registry.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkAge } from './age.ts';
import { checkCommands } from './commands.ts';
import { checkContents } from './contents.ts';
import { checkFolders } from './folders.ts';
import { packAndInstall, type Installed } from './installed.ts';
import { checkServe } from './serve.ts';
import { checkStart } from './start.ts';
import { checkTimes } from './times.ts';

const CHECKS: Readonly<Record<string, (installed: Installed) => Promise<string>>> = {
  contents: checkContents,
  age: checkAge,
  commands: checkCommands,
  start: checkStart,
  serve: checkServe,
  folders: checkFolders,
  times: checkTimes,
};

const wanted = process.argv.slice(2);
const scratch = mkdtempSync(path.join(tmpdir(), 'txledger-package-'));
let failed = 0;
try {
  const installed = await packAndInstall(scratch);
  for (const [name, check] of Object.entries(CHECKS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    try {
      console.log(`package, ${name}: ${await check(installed)}`);
    } catch (error) {
      failed += 1;
      console.error(`package, ${name}: FAILED`, error);
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;
