/**
 * Runs the ten lines of the client's README, as ES module and as CommonJS, on every Node that the package supports, against a running
 * service.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DevelopmentFile } from '../../server/app/dev-file.ts';
import { emptyProject, type Installed, npmInstall, run, snippet } from './installed.ts';

const NODE_MAJORS = [20, 22, 24, 26];
const EXAMPLES = ['example.mjs', 'example.cjs'];
/** Uses the ledger for tests, which runs more of Node.js than the rest of the package. */
const TESTING = 'testing.mjs';
const EXAMPLE_MS_MAX = 60_000;

export async function checkRuntimes(
  { folder }: Installed,
  scratch: string,
  { baseUrl, token, accounts }: DevelopmentFile,
): Promise<string> {
  const [sender, receiver] = accounts;
  if (!sender || !receiver) throw new Error('the development chain has no accounts');
  for (const name of [...EXAMPLES, TESTING]) writeFileSync(join(folder, name), snippet('client/README.md', name));
  const versions: string[] = [];
  for (const major of NODE_MAJORS) {
    // These packages contain the runtime itself; npm's package `node` fetches one of them by an install script.
    const name = `node-${process.platform}-${process.arch}`;
    const runtime = emptyProject(join(scratch, `node-${major}`));
    await npmInstall(runtime, `${name}@${major}`);
    const node = join(runtime, 'node_modules', name, 'bin/node');
    const { stdout: version } = await run(node, ['--version']);
    if (!version.startsWith(`v${major}.`)) throw new Error(`node@${major} is ${version}`);
    versions.push(version.trim());
    const tested = await run(node, [TESTING], { cwd: folder, timeout: EXAMPLE_MS_MAX });
    if (tested.stdout !== 'pending\ncommitted 250\n')
      throw new Error(`${TESTING} on ${version}: ${tested.stdout}${tested.stderr}`);
    for (const name of EXAMPLES) {
      const env = { LEDGER_URL: baseUrl, LEDGER_TOKEN: token, LEDGER_SEED: sender.seed, RECEIVER: receiver.address };
      const { stdout, stderr } = await run(node, [name], { cwd: folder, env, timeout: EXAMPLE_MS_MAX });
      const [first = '', ...listed] = stdout.trim().split('\n');
      const hash = /^committed ([0-9A-F]{64}) height \d+$/.exec(first)?.[1];
      if (hash === undefined || !listed.includes(`${hash} 100 committed`) || stderr !== '')
        throw new Error(`${name} on ${version}: ${stdout}${stderr}`);
    }
  }
  return `${[...EXAMPLES, TESTING].join(', ')} on Node ${versions.join(', ')}`;
}
