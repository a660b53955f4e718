/** The commands that need no server. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../scripts/steps.ts';
import { expect, prints, txledger, type Installed } from './installed.ts';

export async function checkCommands(installed: Installed): Promise<string> {
  const help = await prints(installed, ['--help']);
  for (const command of ['start', 'serve', 'send', 'webhook', 'audit'])
    expect(help.includes(`\n  ${command} `), `--help does not name ${command}`);
  const { version } = JSON.parse(readFileSync(path.join(ROOT, 'server/package.json'), 'utf8')) as { version: string };
  expect((await prints(installed, ['--version'])).includes(version), '--version is another one');
  const wrong = await txledger(installed, ['strat']);
  expect(
    wrong.code !== 0 && wrong.stderr.includes('start') && !wrong.stderr.includes('    at '),
    `a wrong command: ${wrong.stderr}`,
  );
  const unset = await txledger(installed, ['serve'], { DATA_DIR: path.join(installed.scratch, 'unset') });
  expect(
    unset.code === 2 && unset.stderr.includes('GENESIS_FILE is not set') && !unset.stderr.includes('    at '),
    `serve without files: ${unset.stderr}`,
  );
  return '--help, --version, a wrong command, serve without its files';
}
