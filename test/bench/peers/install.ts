/** Installs the peers of package.json with npm into a scratch folder, as the lock file beside it names them. */
import { spawn } from 'node:child_process';
import { cpSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../../scripts/steps.ts';
import { commandResult } from '../../support/child-process.ts';

/** Not `npm ci`, which refuses a lock file without the binaries of other platforms. @throws when npm cannot bring them. */
export async function installPeers(scratch: string): Promise<void> {
  cpSync(path.join(ROOT, '.npmrc'), path.join(scratch, '.npmrc'));
  for (const name of ['package.json', 'package-lock.json'])
    cpSync(path.join(import.meta.dirname, name), path.join(scratch, name));
  const { code, stderr } = await commandResult(
    spawn('npm', ['install', '--silent'], { cwd: scratch, stdio: ['ignore', 'ignore', 'pipe'] }),
  );
  if (code !== 0) throw new Error(`npm install ended with ${code}: ${stderr.trim().slice(-500)}`);
}
