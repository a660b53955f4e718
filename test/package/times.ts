/** How long starts and `--help` take, beside those of the checkout in the same run: printed and not judged, because other work of the machine decides it too. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { ROOT } from '../../scripts/steps.ts';
import { freePort, Server } from '../e2e/support/server.ts';
import { commandResult } from '../support/child-process.ts';
import { expect, outside, serverOf, type Installed } from './installed.ts';

/** The quickest of so many, in turns: other work of the machine only ever slows one down. */
const ROUNDS = 5;

type Kind = 'package' | 'checkout';

export async function checkTimes(installed: Installed): Promise<string> {
  const server = async (kind: Kind): Promise<number> => {
    const dataDir = path.join(installed.scratch, `times-${kind}`);
    const variables = {
      NODE_COMPILE_CACHE: '',
      BLOCK_INTERVAL_MS: '100',
      LOG_LEVEL: 'error',
      TXLEDGER_VALIDATE_RESPONSES: 'false',
    };
    const started =
      kind === 'package'
        ? await serverOf(installed, dataDir)
        : new Server({ dataDir, port: await freePort(), variables });
    const ms = await started.start();
    await started.stop();
    return ms;
  };
  const help = async (kind: Kind): Promise<number> => {
    const [file, cwd] = kind === 'package' ? [installed.command, installed.folder] : ['server/cli/txledger.ts', ROOT];
    const startedMs = performance.now();
    const { code } = await commandResult(
      spawn(process.execPath, [file, '--help'], { cwd, env: outside(), stdio: ['ignore', 'pipe', 'pipe'] }),
    );
    expect(code === 0, '--help failed');
    return performance.now() - startedMs;
  };
  return [await compare('start on a folder', server), await compare('--help', help)].join('; ');
}

async function compare(what: string, measure: (kind: Kind) => Promise<number>): Promise<string> {
  const best = { package: Infinity, checkout: Infinity };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const kind of ['package', 'checkout'] as const) best[kind] = Math.min(best[kind], await measure(kind));
  }
  return `${what} ${Math.round(best.package)} ms, from the checkout ${Math.round(best.checkout)} ms (${(best.package / best.checkout).toFixed(2)})`;
}
