/** Redocly's lint as `npm run lint` runs it, over any number of descriptions in one process. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { REPOSITORY } from './contract.ts';

/** The rules that a description breaks, each as `ruleId: message`, for each root document in the order given. */
export function lint(rootDocuments: string[]): string[][] {
  const redocly = join(REPOSITORY, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');
  const options = ['--config', 'redocly.yaml', '--format', 'json', '--max-problems', '1000'];
  const { stdout, stderr } = spawnSync(process.execPath, [redocly, 'lint', ...rootDocuments, ...options], {
    cwd: REPOSITORY,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  // One JSON document after the other, with nothing between them.
  const reports = stdout.split(/(?<=^\})(?=\{)/m).filter((text) => text.trim() !== '');
  if (reports.length !== rootDocuments.length) {
    throw new Error(`redocly lint reported on ${reports.length} of ${rootDocuments.length} descriptions:\n${stderr}`);
  }
  return reports.map((text) => {
    const { problems }: { problems: Array<{ ruleId: string; message: string }> } = JSON.parse(text);
    return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
  });
}
